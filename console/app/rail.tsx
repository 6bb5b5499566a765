// The rail: where one can go, how the connection is, who is signed in.
import {
  IconCommand,
  IconHelp,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogin2,
  IconLogout,
  IconUserCircle,
} from '@tabler/icons-react';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { useProfile } from '../features/account/account.query.ts';
import { Avatar } from '../features/account/avatar.tsx';
import { PreferencesMenu } from '../features/sign-in/preferences-menu.tsx';
import { useT } from '../language/use-t.ts';
import { PATHS } from '../navigation/paths.ts';
import { useServices } from '../services/services.ts';
import { useAuth } from '../session/auth-store.ts';
import { useClientState } from '../session/client-state.ts';
import { BrandMark } from '../ui/theme/brand-mark.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Tip } from '../ui/buttons/tip.tsx';
import { ConnectionState } from './connection-state.tsx';
import style from './rail.module.css';
import { RailLinks } from './rail-links.tsx';

const ROLES: Readonly<Record<number, PlainKey>> = {
  [USER_TYPE.super]: 'role.super',
  [USER_TYPE.manage]: 'role.manage',
  [USER_TYPE.ordinary]: 'role.ordinary',
  [USER_TYPE.background]: 'role.background',
  [USER_TYPE.sub]: 'role.sub',
};

export interface RailProps {
  readonly isNarrow: boolean;
  readonly onToggle: () => void;
  readonly onKeys: () => void;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

function Account({ onKeys, onPalette }: Pick<RailProps, 'onKeys' | 'onPalette'>) {
  const t = useT();
  const { session } = useServices();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const auth = useAuth();
  const saas = useClientState((state) => state.saas);
  const isSignedIn = auth.accessToken !== '';
  const isSaas = saas.token !== '';
  const userName = isSaas ? saas.userName : auth.userName;
  const role = ROLES[auth.userType];
  const { data: profile } = useProfile();
  const toLogin = (): void => {
    void navigate(`${PATHS.login}?${new URLSearchParams({ from: pathname + search })}`);
  };
  return (
    <PreferencesMenu
      side="right-end"
      more={[
        {
          kind: 'item',
          label: t('screen.personal'),
          icon: <IconUserCircle size={16} stroke={1.7} />,
          isDisabled: !isSignedIn,
          onChoose: () => void navigate(PATHS.personalContainer),
        },
        {
          kind: 'item',
          label: t('palette.title'),
          icon: <IconCommand size={16} stroke={1.7} />,
          shortcut: 'Ctrl K',
          onChoose: onPalette,
        },
        {
          kind: 'item',
          label: t('shell.keys'),
          icon: <IconKeyboard size={16} stroke={1.7} />,
          shortcut: '?',
          onChoose: onKeys,
        },
        isSignedIn || isSaas
          ? {
              kind: 'item',
              label: t('shell.signOut'),
              icon: <IconLogout size={16} stroke={1.7} />,
              onChoose: () => void session.signOut(),
            }
          : { kind: 'item', label: t('shell.signIn'), icon: <IconLogin2 size={16} stroke={1.7} />, onChoose: toLogin },
        { kind: 'line' },
      ]}
    >
      <button type="button" className={style.account}>
        <span className="visually-hidden">{t('shell.account')}</span>
        <Avatar userName={userName} picture={profile?.avatar ?? ''} size={24} />
        <span className={style.who}>
          <span className={style.name}>{isSignedIn || isSaas ? userName : t('shell.signIn')}</span>
          {isSignedIn && role !== undefined && <span className={style.role}>{t(role)}</span>}
        </span>
      </button>
    </PreferencesMenu>
  );
}

function HelpButton({ isNarrow, onHelp }: Pick<RailProps, 'isNarrow' | 'onHelp'>) {
  const t = useT();
  return (
    <Tip label={t('manual.help')} side="right" shortcut="F1" isDisabled={!isNarrow}>
      <button type="button" className={`${style.link} ${style.help}`} aria-keyshortcuts="F1" onClick={onHelp}>
        <IconHelp size={18} stroke={1.7} aria-hidden="true" />
        <span className={style.label}>{t('manual.help')}</span>
      </button>
    </Tip>
  );
}

export function Rail({ isNarrow, onToggle, onKeys, onPalette, onHelp }: RailProps) {
  const t = useT();
  return (
    <nav className={style.rail} data-narrow={isNarrow || undefined} aria-label={t('shell.navigation')}>
      <div className={style.top}>
        <NavLink to={PATHS.homepage} end className={style.brand ?? ''} aria-label={t('common.appName')}>
          <BrandMark size={22} />
          <span className={style.label}>{t('common.appName')}</span>
        </NavLink>
        <IconButton
          label={t(isNarrow ? 'shell.expand' : 'shell.collapse')}
          size="small"
          onClick={onToggle}
          tipSide="right"
          aria-expanded={!isNarrow}
        >
          {isNarrow ? (
            <IconLayoutSidebarLeftExpand size={17} stroke={1.6} />
          ) : (
            <IconLayoutSidebarLeftCollapse size={17} stroke={1.6} />
          )}
        </IconButton>
      </div>
      <RailLinks isNarrow={isNarrow} />
      <HelpButton isNarrow={isNarrow} onHelp={onHelp} />
      <ConnectionState isNarrow={isNarrow} />
      <Account onKeys={onKeys} onPalette={onPalette} />
    </nav>
  );
}
