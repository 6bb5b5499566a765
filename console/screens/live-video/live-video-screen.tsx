// The live wall: the tree on the left, everything else picture.
import { IconLayoutSidebar, IconLayoutSidebarFilled, IconVideo } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toggleFullScreen } from '../../features/live/full-screen.ts';
import { useTileKinds } from '../../features/live/tile-kinds.ts';
import { useWallKeys } from '../../features/live/use-wall-keys.ts';
import { Wall } from '../../features/live/wall.tsx';
import { fill, placeNext, shownCells, type WallState } from '../../features/live/wall-model.ts';
import { changeWall, resumeWall, useWall } from '../../features/live/wall-store.ts';
import { WallToolbar } from '../../features/live/wall-toolbar.tsx';
import { channelKey, channelsOf, type ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { showToast } from '../../ui/toast-store.ts';
import style from './live-video-screen.module.css';
import { useAskedChannel } from './use-asked-channel.ts';
import { useWallFacts } from './use-wall-facts.ts';

const TREE_STORAGE_KEY = 'vedette.live.tree';

export function LiveVideoScreen() {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const [isTreeOpen, setTreeOpen] = useState(() => localStorage.getItem(TREE_STORAGE_KEY) !== 'closed');
  const online = useWallFacts();
  useEffect(resumeWall, []);
  useAskedChannel();
  useEffect(() => localStorage.setItem(TREE_STORAGE_KEY, isTreeOpen ? 'open' : 'closed'), [isTreeOpen]);
  const onFullScreen = (): void => {
    toggleFullScreen(place.current).catch(() => showToast('error', t('live.noFullScreen')));
  };
  useWallKeys(onFullScreen);
  const onFill = (): void => {
    if (online.length === 0) showToast('info', t('live.noneOnline'));
    changeWall((wall) => fill(wall, online));
  };
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.live')} fact={<PlayingFact />}>
        <IconButton
          label={t(isTreeOpen ? 'live.hideTree' : 'live.showTree')}
          isPressed={isTreeOpen}
          onClick={() => setTreeOpen((before) => !before)}
        >
          {isTreeOpen ? (
            <IconLayoutSidebarFilled size={18} stroke={1.6} />
          ) : (
            <IconLayoutSidebar size={18} stroke={1.6} />
          )}
        </IconButton>
        <WallToolbar onFill={onFill} onFullScreen={onFullScreen} />
      </PageHeader>
      <div className={style.body}>
        {isTreeOpen && (
          <aside className={style.side} aria-label={t('tree.label')}>
            <WallTree />
          </aside>
        )}
        <div className={style.place} ref={place}>
          <Wall
            empty={
              <StateView
                icon={<IconVideo size={22} stroke={1.5} />}
                title={t('live.empty')}
                action={
                  <Button look="primary" onClick={onFill}>
                    {t('live.fill')}
                  </Button>
                }
              />
            }
          />
        </div>
      </div>
    </main>
  );
}

function PlayingFact() {
  const t = useT();
  const count = useWall((wall) => shownCells(wall).filter((cell) => wall.cells[cell]).length);
  return count === 0 ? null : t.plural('live.shown', count);
}

/** Keys of the channels whose picture is on screen, as one text so that equal answers are equal. */
function liveKeys(wall: WallState, kinds: Readonly<Record<number, string>>): string {
  return shownCells(wall)
    .flatMap((cell) => {
      const channel = wall.cells[cell];
      return channel && kinds[cell] === 'live' ? [channelKey(channel.deviceSerial, channel.channelNo)] : [];
    })
    .join(' ');
}

function WallTree() {
  const wall = useWall();
  const keys = useTileKinds((kinds) => liveKeys(wall, kinds));
  const playingKeys = useMemo(() => new Set(keys.split(' ')), [keys]);
  const selectedKey = useWall((wall) => {
    const channel = wall.cells[wall.selected];
    return channel ? channelKey(channel.deviceSerial, channel.channelNo) : '';
  });
  const selectedKeys = useMemo(() => new Set([selectedKey]), [selectedKey]);
  const onActivate = ({ deviceSerial, channelNo }: ResourceNode): void => {
    if (deviceSerial === undefined || channelNo === undefined) return;
    changeWall((wall) => placeNext(wall, { deviceSerial, channelNo }));
  };
  return (
    <ResourceTree
      onActivate={onActivate}
      onActivateAll={(node) => changeWall((wall) => fill(wall, channelsOf(node)))}
      playingKeys={playingKeys}
      selectedKeys={selectedKeys}
      isDraggable
    />
  );
}
