// The tabbed workspace: overview and card menu are fixed, what was opened from it are the others; playback stands open at first.
import { useEffect } from 'react';
import { useOutlet } from 'react-router';
import { Overview } from '../../features/overview/overview.tsx';
import { useT } from '../../language/use-t.ts';
import style from './container-screen.module.css';
import { HomeTab } from './home-tab.tsx';
import { PlaybackTab } from './playback-tab.tsx';
import { TAB_FACES } from './tab-faces.ts';
import { TabStrip } from './tab-strip.tsx';
import { useWorkspace } from './use-workspace.ts';

export function ContainerScreen() {
  const t = useT();
  // A screen of its own, by its route; null for the tabs of this one.
  const screen = useOutlet();
  const workspace = useWorkspace();
  const { shown } = workspace;
  const title = t(TAB_FACES[shown].title);
  useEffect(() => {
    document.title = `${title} · ${t('common.appName')}`;
  }, [title, t]);
  const panel = { className: style.panel, role: 'tabpanel', id: `panel-${shown}`, 'aria-labelledby': `tab-${shown}` };
  return (
    <div className={style.screen}>
      <TabStrip workspace={workspace} />
      {screen === null ? (
        <main className={style.panel}>
          <h1 className="visually-hidden">{title}</h1>
          <div {...panel}>
            {shown === 'overview' && <Overview />}
            {shown === 'home' && <HomeTab onOpen={workspace.open} />}
            {shown === 'playback' && <PlaybackTab />}
          </div>
        </main>
      ) : (
        <div {...panel}>{screen}</div>
      )}
    </div>
  );
}
