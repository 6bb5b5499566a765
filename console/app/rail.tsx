// The rail: where one can go, how the connection is, who is signed in.
import {
  IconBell,
  IconDeviceCctv,
  IconHistory,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogin2,
  IconLogout,
  IconServerCog,
  IconShare,
  IconUserCircle,
  IconSitemap,
  IconUserShield,
  IconVideo,
} from '@tabler/icons-react';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { useProfile } from '../features/account/account.query.ts';
import { Avatar } from '../features/account/avatar.tsx';
import { usePermissionFlags } from '../features/account/use-permission-flags.ts';
import { useOfferCount } from '../features/share/share.query.ts';
import { PreferencesMenu } from '../features/sign-in/preferences-menu.tsx';
import { useT } from '../language/use-t.ts';
import { PATHS } from '../navigation/paths.ts';
import { unreadCount, useAlarmStore } from '../realtime/alarm-store.ts';
import { useServices } from '../services/services.ts';
import { useAuth } from '../session/auth-store.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tip } from '../ui/tip.tsx';
import { ConnectionState } from './connection-state.tsx';
import style from './rail.module.css';
import {
  isForUser,
  leadsSomewhere,
  type RailGroup,
  type RailIcon,
  SCREEN_ROWS,
  type ScreenRow,
} from './screen-rows.ts';

const ICONS: Record<RailIcon, typeof IconVideo> = {
  live: IconVideo,
  playback: IconHistory,
  alarms: IconBell,
  devices: IconDeviceCctv,
  share: IconShare,
  organizations: IconSitemap,
  permissions: IconUserShield,
  system: IconServerCog,
};
const GROUPS: readonly { readonly group: RailGroup; readonly label: PlainKey }[] = [
  { group: 'watch', label: 'shell.watch' },
  { group: 'manage', label: 'shell.manage' },
  { group: 'system', label: 'shell.system' },
];
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
}

function RailLink({ row, isNarrow }: { readonly row: ScreenRow; readonly isNarrow: boolean }) {
  const t = useT();
  const Icon = ICONS[row.icon];
  return (
    <Tip label={t(row.title)} side="right" shortcut={`G ${row.key.toUpperCase()}`} isDisabled={!isNarrow}>
      <NavLink to={row.path} className={style.link ?? ''}>
        <Icon size={18} stroke={1.7} aria-hidden="true" />
        <span className={style.label}>{t(row.title)}</span>
        {row.path === PATHS.alarmMsg && <UnreadBadge />}
        {row.path === PATHS.myShareContainer && <OfferBadge />}
      </NavLink>
    </Tip>
  );
}

const MOST_COUNTED = 99;

function UnreadBadge() {
  const t = useT();
  const count = useAlarmStore(unreadCount);
  return <Badge count={count} label={t.plural('alarms.unread', count)} look="urgent" />;
}

function OfferBadge() {
  const t = useT();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const count = useOfferCount(isSignedIn);
  return <Badge count={count} label={t.plural('share.offers', count)} look="calm" />;
}

interface BadgeProps {
  readonly count: number;
  readonly label: string;
  readonly look: 'urgent' | 'calm';
}

function Badge({ count, label, look }: BadgeProps) {
  if (count === 0) return null;
  return (
    <span className={style.badge} data-look={look}>
      <span aria-hidden="true">{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

function Account({ onKeys }: { readonly onKeys: () => void }) {
  const t = useT();
  const { session } = useServices();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const userName = useAuth((auth) => auth.userName);
  const userType = useAuth((auth) => auth.userType);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const role = ROLES[userType];
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
          label: t('shell.keys'),
          icon: <IconKeyboard size={16} stroke={1.7} />,
          shortcut: '?',
          onChoose: onKeys,
        },
        isSignedIn
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
          <span className={style.name}>{isSignedIn ? userName : t('shell.signIn')}</span>
          {isSignedIn && role !== undefined && <span className={style.role}>{t(role)}</span>}
        </span>
      </button>
    </PreferencesMenu>
  );
}

export function Rail({ isNarrow, onToggle, onKeys }: RailProps) {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const flags = usePermissionFlags();
  return (
    <nav className={style.rail} data-narrow={isNarrow || undefined} aria-label={t('shell.navigation')}>
      <div className={style.top}>
        <NavLink to={PATHS.liveVideo} className={style.brand ?? ''} aria-label={t('common.appName')}>
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
      <div className={style.groups}>
        {GROUPS.map(({ group, label }) => {
          const rows = SCREEN_ROWS.filter(
            (row) => row.group === group && isForUser(row, { isSignedIn, userType }) && leadsSomewhere(row, flags),
          );
          if (rows.length === 0) return null;
          return (
            <div key={group} className={style.group}>
              <div className={style.heading}>{t(label)}</div>
              {rows.map((row) => (
                <RailLink key={row.path} row={row} isNarrow={isNarrow} />
              ))}
            </div>
          );
        })}
      </div>
      <ConnectionState isNarrow={isNarrow} />
      <Account onKeys={onKeys} />
    </nav>
  );
}
