// The tabbed workspace: the card menu is its home tab, what was opened from it are the others; playback stands open.
import { IconHistory, IconLayoutGrid } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useSearchParams } from 'react-router';
import { useT } from '../../language/use-t.ts';
import style from './container-screen.module.css';
import { HomeTab } from './home-tab.tsx';
import { PlaybackTab } from './playback-tab.tsx';

const TABS = ['home', 'playback'] as const;
type Tab = (typeof TABS)[number];
const TITLES = { home: 'screen.home', playback: 'screen.playback' } as const;
const ICONS = { home: IconLayoutGrid, playback: IconHistory } as const;

export function ContainerScreen() {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const shown: Tab = params.get('tab') === 'home' ? 'home' : 'playback';
  const show = (tab: Tab): void => setParams(tab === 'home' ? { tab } : {}, { replace: true });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next = shown === 'home' ? 'playback' : 'home';
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <main className={style.screen}>
      <h1 className="visually-hidden">{t(TITLES[shown])}</h1>
      <div className={style.tabs} role="tablist" aria-label={t('playback.tabs')} onKeyDown={onKey}>
        {TABS.map((tab) => {
          const Icon = ICONS[tab];
          return (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`tab-${tab}`}
              className={style.tab}
              aria-selected={tab === shown}
              aria-controls={`panel-${tab}`}
              tabIndex={tab === shown ? 0 : -1}
              onClick={() => show(tab)}
            >
              <Icon size={16} stroke={1.7} aria-hidden="true" />
              {t(TITLES[tab])}
            </button>
          );
        })}
      </div>
      <div className={style.panel} role="tabpanel" id={`panel-${shown}`} aria-labelledby={`tab-${shown}`}>
        {shown === 'home' ? <HomeTab /> : <PlaybackTab />}
      </div>
    </main>
  );
}
