// The live wall: the tree on the left, everything else picture. Also in windows of their own, where the wall has a number.
import {
  IconDeviceCctv,
  IconExternalLink,
  IconLayoutNavbar,
  IconLayoutNavbarFilled,
  IconLayoutSidebar,
  IconLayoutSidebarFilled,
  IconVideo,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useHref, useNavigate, useParams } from 'react-router';
import { AlarmStrip } from '../../features/alarm/alarm-strip.tsx';
import { TileAlarm, useLastingAlarms } from '../../features/alarm/tile-alarm.tsx';
import { usePermissionFlags } from '../../features/account/use-permission-flags.ts';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { toggleFullScreen } from '../../features/live/full-screen.ts';
import type { TileExtras } from '../../features/live/tile/tile-extras.ts';
import { TourBar, TourLine } from '../../features/live/tour/tour-bar.tsx';
import { TourMenu } from '../../features/live/tour/tour-menu.tsx';
import { useTour } from '../../features/live/tour/tour-store.ts';
import { useWallKeys } from '../../features/live/use-wall-keys.ts';
import { useWallTour } from '../../features/live/tour/use-wall-tour.ts';
import { pageStorage, windowStorage } from '../../features/live/wall/wall-storage.ts';
import { fill, shownCells } from '../../features/live/wall/wall-model.ts';
import { changeWall, resumeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { WallToolbar } from '../../features/live/wall-toolbar.tsx';
import { openWallWindow, readWindowNo, rememberPlace } from '../../features/live/wall/wall-window.ts';
import { Wall } from '../../features/live/wall.tsx';
import { useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { ADD_DEVICE_ADDRESS, PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import style from './live-video-screen.module.css';
import { AlarmWindowMark } from './alarm-window-mark.tsx';
import { useAlarmWindows } from './use-alarm-windows.ts';
import { useAskedChannel } from './use-asked-channel.ts';
import { useFirstWall } from './use-first-wall.ts';
import { usePlanSide } from './use-plan-side.tsx';
import { type PartMemory, useShownPart } from './use-shown-part.ts';
import { useTourSources } from './use-tour-sources.ts';
import { useWallFacts } from './use-wall-facts.ts';
import { WallLayouts } from './wall-layouts.tsx';
import { WallMenu } from './wall-menu.tsx';
import { PTZ_EXTRAS, useWallPtz } from './wall-ptz.tsx';
import { REPLAY_EXTRAS, useWallReplay } from './wall-replay.tsx';
import { TALK_EXTRAS, useWallTalk } from './wall-talk.tsx';
import { WallTree } from './wall-tree.tsx';

const EXTRAS: TileExtras = {
  actions: (tile) => (
    <>
      {REPLAY_EXTRAS.actions?.(tile)}
      {PTZ_EXTRAS.actions?.(tile)}
      {TALK_EXTRAS.actions?.(tile)}
    </>
  ),
  overlay: (tile) => (
    <>
      {REPLAY_EXTRAS.overlay?.(tile)}
      <TileAlarm deviceSerial={tile.channel.deviceSerial} channelNo={tile.channel.channelNo} />
      {PTZ_EXTRAS.overlay?.(tile)}
      {TALK_EXTRAS.overlay?.(tile)}
      <AlarmWindowMark {...tile} />
    </>
  ),
};
const TREE_STORAGE_KEY = 'vedette.live.tree';
const STRIP_STORAGE_KEY = 'vedette.live.alarms';
const TREE_MEMORY: PartMemory = {
  read: () => localStorage.getItem(TREE_STORAGE_KEY),
  write: (text) => localStorage.setItem(TREE_STORAGE_KEY, text),
};
const STRIP_MEMORY: PartMemory = {
  read: () => localStorage.getItem(STRIP_STORAGE_KEY),
  write: (text) => localStorage.setItem(STRIP_STORAGE_KEY, text),
};

export function LiveVideoScreen() {
  const t = useT();
  const no = readWindowNo(useParams()['no']);
  const place = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const tree = useTreeSide(no, isPhone);
  const strip = useStrip(no, isPhone);
  const plan = usePlanSide(no, isPhone);
  const online = useWallFacts();
  const canFill = useChannelFacts((facts) => facts.isLoaded);
  const sources = useTourSources();
  useKeptWall(no);
  const onFullScreen = (): void => {
    toggleFullScreen(place.current).catch(() => showToast('error', t('live.noFullScreen')));
  };
  useFirstWall(online);
  useWallKeys(onFullScreen);
  useWallTour(no, place, sources);
  useWallTalk();
  useWallReplay();
  useWallPtz();
  // After these: each of them ends what no tile of the wall shows.
  useAskedChannel();
  useLastingAlarms();
  useAlarmWindows();
  const onFill = (): void => {
    if (online.length === 0) showToast('info', t('live.noneOnline'));
    changeWall((wall) => fill(wall, online));
  };
  return (
    <main className={style.screen}>
      <PageHeader title={no === null ? t('screen.live') : t('live.popOutTitle', { no })} fact={<WallFact />}>
        {tree.toggle}
        {strip.toggle}
        {plan.toggle}
        <WallToolbar onFill={onFill} canFill={canFill} onFullScreen={onFullScreen}>
          <WallLayouts />
          <TourMenu sources={sources} />
          {no === null && !isPhone && <PopOut />}
        </WallToolbar>
      </PageHeader>
      <div className={style.body}>
        {tree.pane}
        <div className={layout.middle}>
          {strip.isOpen && <AlarmStrip />}
          <div className={style.place} ref={place}>
            <TourLine />
            <WallMenu />
            <Wall empty={<EmptyWall onFill={onFill} canFill={canFill} />} extras={EXTRAS} />
          </div>
        </div>
        {plan.pane}
      </div>
    </main>
  );
}

/** Shows what is kept for this page or window, and where a window stands. */
function useKeptWall(no: number | null): void {
  useEffect(() => {
    resumeWall(no === null ? pageStorage : windowStorage(no));
    return no === null ? undefined : rememberPlace(no);
  }, [no]);
}

/** On a phone the tree goes as soon as something was chosen. */
function useTreeSide(no: number | null, isPhone: boolean): { readonly pane: ReactNode; readonly toggle: ReactNode } {
  const t = useT();
  const { isShown, turn, hide } = useShownPart({ no, isPhone, memory: TREE_MEMORY, isShownFirst: true });
  const Icon = isShown ? IconLayoutSidebarFilled : IconLayoutSidebar;
  const toggle = (
    <IconButton label={t(isShown ? 'live.hideTree' : 'live.showTree')} isPressed={isShown} onClick={turn}>
      <Icon size={18} stroke={1.6} />
    </IconButton>
  );
  const pane = isPhone ? (
    <Drawer isOpen={isShown} onClose={hide} title={t('tree.label')} closeLabel={t('common.close')}>
      <WallTree onChosen={hide} />
    </Drawer>
  ) : (
    isShown && (
      <aside className={`${layout.side} ${style.side}`} aria-label={t('tree.label')}>
        <WallTree />
      </aside>
    )
  );
  return { pane, toggle };
}

/** The newest alarms above the pictures. */
function useStrip(no: number | null, isPhone: boolean): { readonly isOpen: boolean; readonly toggle: ReactNode } {
  const t = useT();
  const { isShown, turn } = useShownPart({ no, isPhone, memory: STRIP_MEMORY, isShownFirst: true });
  useKeys([{ keys: 'Shift+a', label: 'alarms.stripKey', group: 'live.wall', run: turn }]);
  const Icon = isShown ? IconLayoutNavbarFilled : IconLayoutNavbar;
  const toggle = (
    <IconButton
      label={t(isShown ? 'alarms.hideStrip' : 'alarms.showStrip')}
      shortcut="⇧ A"
      isPressed={isShown}
      onClick={turn}
    >
      <Icon size={18} stroke={1.6} />
    </IconButton>
  );
  return { isOpen: isShown, toggle };
}

function PopOut() {
  const t = useT();
  const base = useHref(PATHS.liveWindow);
  const open = (): void => {
    const isOpen = openWallWindow(useWall.getState(), (no) => new URL(`${base}/${no}`, location.href).href);
    if (!isOpen) showToast('error', t('live.popOutBlocked'));
  };
  useKeys([{ keys: 'Shift+w', label: 'live.popOut', group: 'live.wall', run: open }]);
  return (
    <IconButton label={t('live.popOut')} shortcut="⇧ W" onClick={open}>
      <IconExternalLink size={18} stroke={1.6} />
    </IconButton>
  );
}

/** Without any camera the first step is to find one; a filled wall follows when it is added. */
function EmptyWall({ onFill, canFill }: { readonly onFill: () => void; readonly canFill: boolean }) {
  const t = useT();
  const navigate = useNavigate();
  const hasCameras = useChannelFacts((facts) => !facts.isLoaded || facts.byKey.size > 0);
  const canAdd = usePermissionFlags()?.DeviceManage === true;
  if (!hasCameras)
    return (
      <StateView
        icon={<IconDeviceCctv size={22} stroke={1.5} />}
        title={t('live.noCameras')}
        detail={t(canAdd ? 'live.noCamerasDetail' : 'live.noCamerasAsk')}
        action={
          canAdd && (
            <Button look="primary" onClick={() => void navigate(ADD_DEVICE_ADDRESS)}>
              {t('live.findCameras')}
            </Button>
          )
        }
      />
    );
  return (
    <StateView
      icon={<IconVideo size={22} stroke={1.5} />}
      title={t('live.empty')}
      action={
        <Button look="primary" disabled={!canFill} onClick={onFill}>
          {t('live.fill')}
        </Button>
      }
    />
  );
}

/** How many cameras there are, or where the tour is. */
function WallFact() {
  const t = useT();
  const isTouring = useTour((tour) => tour.kind !== 'off');
  const count = useWall((wall) => shownCells(wall).filter((cell) => wall.cells[cell]).length);
  if (isTouring) return <TourBar />;
  return count === 0 ? null : t.plural('live.shown', count);
}
