// The tabbed workspace: its tabs are the opened items; playback is the one that exists.
import { IconHistory } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import style from './container-screen.module.css';
import { PlaybackTab } from './playback-tab.tsx';

export function ContainerScreen() {
  const t = useT();
  return (
    <main className={style.screen}>
      <h1 className="visually-hidden">{t('screen.playback')}</h1>
      <div className={style.tabs} role="tablist" aria-label={t('playback.tabs')}>
        <button
          type="button"
          role="tab"
          id="tab-playback"
          className={style.tab}
          aria-selected="true"
          aria-controls="panel-playback"
        >
          <IconHistory size={16} stroke={1.7} aria-hidden="true" />
          {t('screen.playback')}
        </button>
      </div>
      <div className={style.panel} role="tabpanel" id="panel-playback" aria-labelledby="tab-playback">
        <PlaybackTab />
      </div>
    </main>
  );
}
