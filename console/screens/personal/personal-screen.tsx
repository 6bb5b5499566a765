// personalContainer: the own account in parts, each a tab that the address names.
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { ComponentType, KeyboardEvent } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useProfile } from '../../features/account/account.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import { AppsPanel } from './apps-panel.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { AuthorizedAppsPanel } from './authorized-apps-panel.tsx';
import { TrustedBrowsersPanel } from './trusted-browsers-panel.tsx';
import { DocumentsPanel } from './documents-panel.tsx';
import { ErasePanel } from './erase-panel.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';
import { IdentityPanel } from './identity-panel.tsx';
import type { PanelProps } from './panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import style from './personal-screen.module.css';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

interface Tab {
  readonly name: string;
  readonly label: PlainKey;
  readonly Panel: ComponentType<PanelProps>;
}

const TABS = [
  { name: 'profile', label: 'personal.profile', Panel: ProfilePanel },
  { name: 'password', label: 'personal.password', Panel: PasswordPanel },
  { name: 'factor', label: 'personal.factor', Panel: TwoFactorPanel },
  { name: 'identity', label: 'identity.ownTitle', Panel: IdentityPanel },
  { name: 'browsers', label: 'personal.browsers', Panel: TrustedBrowsersPanel },
  { name: 'sessions', label: 'personal.sessions', Panel: SessionsPanel },
  { name: 'authorized', label: 'personal.authorized', Panel: AuthorizedAppsPanel },
  { name: 'apps', label: 'personal.apps', Panel: AppsPanel },
  { name: 'appearance', label: 'personal.appearance', Panel: AppearancePanel },
  { name: 'documents', label: 'personal.documents', Panel: DocumentsPanel },
  { name: 'erase', label: 'personal.erase', Panel: ErasePanel },
] as const satisfies readonly Tab[];

const PARAMETER = 'tab';
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function useTab() {
  const [parameters, setParameters] = useSearchParams();
  const chosen: Tab = TABS.find((tab) => tab.name === parameters.get(PARAMETER)) ?? TABS[0];
  const choose = (name: string): void => setParameters({ [PARAMETER]: name }, { replace: true });
  return { chosen, choose };
}

function TabList({ chosen, onChoose }: { readonly chosen: Tab; readonly onChoose: (name: string) => void }) {
  const t = useT();
  const list = useChosenInView<HTMLDivElement>(`#tab-${chosen.name}`);
  const onKey = (event: KeyboardEvent): void => {
    const at = TABS.findIndex((tab) => tab.name === chosen.name);
    const last = TABS.length - 1;
    const step = STEPS[event.key];
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? null : at + step;
    if (next === null) return;
    event.preventDefault();
    const index = (next + TABS.length) % TABS.length;
    const tab = TABS[index];
    if (tab === undefined) return;
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div
      ref={list}
      className={style.tabs}
      role="tablist"
      aria-label={t('personal.tabs')}
      aria-orientation="vertical"
      onKeyDown={onKey}
      tabIndex={-1}
    >
      {TABS.map(({ name, label }) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          className={style.tab}
          aria-selected={name === chosen.name}
          aria-controls="personal-panel"
          tabIndex={name === chosen.name ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {t(label)}
        </button>
      ))}
    </div>
  );
}

export function PersonalScreen() {
  const t = useT();
  const { chosen, choose } = useTab();
  const { data, isPending, error, refetch } = useProfile();
  const { Panel } = chosen;
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.personal')} fact={t('personal.lead')} />
      <div className={style.page}>
        <TabList chosen={chosen} onChoose={choose} />
        <div className={style.panel} role="tabpanel" id="personal-panel" aria-labelledby={`tab-${chosen.name}`}>
          {data !== undefined && <Panel profile={data} />}
          {isPending && <SkeletonLines label={t('common.loading')} rows={7} rowHeight={40} />}
          {data === undefined && error !== null && (
            <StateView
              role="alert"
              title={t('personal.error')}
              detail={failureText(t, error)}
              action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
            />
          )}
        </div>
      </div>
    </main>
  );
}
