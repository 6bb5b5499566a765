// What the menus of the live screen offer for a camera: by its rights, by what it can do, and by where it is shown.
import type { Quality } from '@vedette/contract/enumerations.ts';
import { useNavigate } from 'react-router';
import { usePermissionFlags } from '../../features/account/use-permission-flags.ts';
import { startReplay, toggleReplay, useReplayStart } from '../../features/instant-replay/replay-store.ts';
import { useCapabilities } from '../../features/live/channel/capabilities.query.ts';
import type { ChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { recordNow } from '../../features/live/channel/manual-recording.ts';
import { saveCameraSnapshot } from '../../features/live/channel/snapshot-file.ts';
import { pickStream, useStreamChoice } from '../../features/live/channel/stream-choice.ts';
import { streamEntries } from '../../features/live/channel/stream-entries.ts';
import { toggleTileInfo, useTileInfo } from '../../features/live/tile/tile-info.tsx';
import { saveSnapshot } from '../../features/live/tile/tile-snapshots.ts';
import {
  cellOf,
  placeNext,
  remove,
  toggleAudible,
  toggleMaximised,
  type WallState,
} from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { toggleBoxes, useBoxesShown } from '../../features/object-boxes/box-choice.ts';
import { canMove } from '../../features/ptz/can-move.ts';
import { isControlled, takeControl, usePtzControl } from '../../features/ptz/ptz-control.ts';
import { isOpen, isTalkingTo, latchTalk, startTalk, stopTalk, useTalk } from '../../features/talk/talk-store.ts';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';

const LINE: MenuEntry = { kind: 'line' };

function item(label: string, shortcut: string, onChoose: () => void): MenuEntry {
  return { kind: 'item', label, onChoose, ...(shortcut === '' ? {} : { shortcut }) };
}

/** For a tile, or the row of a camera that is on the wall. */
export function useTileEntries(facts: ChannelFacts, cell: number): readonly MenuEntry[] {
  const t = useT();
  const isMaximised = useWall((wall) => wall.maximised === cell);
  const isAudible = useWall((wall) => wall.audible === cell);
  const isInfoShown = useTileInfo((info) => info.isShown);
  const areBoxesShown = useBoxesShown();
  const recordings = useRecordingEntries(facts);
  const controls = useControlEntries(facts);
  const streams = useStreamEntries(facts);
  const details = useDetailsEntries(facts);
  return [
    item(t(isMaximised ? 'live.restore' : 'live.maximise'), isMaximised ? 'Esc' : 'Enter', () =>
      changeWall((wall) => toggleMaximised(wall, cell)),
    ),
    item(t('live.still'), 'S', () => void saveSnapshot(cell)),
    item(t(isAudible ? 'live.mute' : 'live.unmute'), 'M', () => changeWall((wall) => toggleAudible(wall, cell))),
    item(t(isInfoShown ? 'live.hideInfo' : 'live.showInfo'), 'I', toggleTileInfo),
    item(t(areBoxesShown ? 'boxes.hide' : 'boxes.show'), 'D', toggleBoxes),
    ...recordings,
    ...controls,
    ...streams,
    LINE,
    ...details,
    {
      kind: 'item',
      label: t('live.remove'),
      shortcut: 'Del',
      isDanger: true,
      onChoose: () => changeWall((wall) => remove(wall, cell)),
    },
  ];
}

/** For the row of a camera that is not on the wall; what needs its picture shows it first. */
export function useRowEntries(facts: ChannelFacts): readonly MenuEntry[] {
  const t = useT();
  const { caller, clock } = useServices();
  const playback = usePlaybackEntry(facts);
  const controls = useControlEntries(facts);
  const streams = useStreamEntries(facts);
  const details = useDetailsEntries(facts);
  const replay = item(t('replay.start'), '', () => {
    show(facts);
    startReplay(facts, clock.wallMs());
  });
  return [
    item(t('live.showOnWall'), 'Enter', () => show(facts)),
    item(t('live.maximise'), '', () => changeWall((wall) => placeMaximised(wall, facts))),
    item(t('live.still'), '', () => void saveCameraSnapshot(caller, facts)),
    ...(facts.canRecord ? [LINE, replay, playback] : []),
    ...controls,
    ...streams,
    ...(details.length > 0 ? [LINE, ...details] : []),
  ];
}

function show({ deviceSerial, channelNo }: ChannelFacts): void {
  changeWall((wall) =>
    cellOf(wall, { deviceSerial, channelNo }) === null ? placeNext(wall, { deviceSerial, channelNo }) : wall,
  );
}

function placeMaximised(wall: WallState, { deviceSerial, channelNo }: ChannelFacts): WallState {
  const placed = placeNext(wall, { deviceSerial, channelNo });
  return toggleMaximised(placed, placed.selected);
}

function useRecordingEntries(facts: ChannelFacts): readonly MenuEntry[] {
  const t = useT();
  const { caller, clock } = useServices();
  const isReplay = useReplayStart(facts) !== null;
  const playback = usePlaybackEntry(facts);
  if (!facts.canRecord) return [];
  return [
    LINE,
    item(t('live.record'), 'R', () => void recordNow(caller, facts)),
    item(t(isReplay ? 'replay.toLive' : 'replay.start'), 'B', () => toggleReplay(facts, clock.wallMs())),
    playback,
  ];
}

function usePlaybackEntry(facts: ChannelFacts): MenuEntry {
  const t = useT();
  const { clock } = useServices();
  const navigate = useNavigate();
  return item(t('live.playBack'), '', () => {
    const time = new URLSearchParams({ time: String(Math.round(clock.wallMs())) });
    void navigate(`${channelAddress(PATHS.container, facts)}&${time}`);
  });
}

/** For those who may open the devices. */
function useDetailsEntries({ deviceSerial }: ChannelFacts): readonly MenuEntry[] {
  const t = useT();
  const navigate = useNavigate();
  const flags = usePermissionFlags();
  if (flags?.DeviceManage !== true && flags?.Config !== true) return [];
  const address = `${PATHS.deviceManage}?${new URLSearchParams({ device: deviceSerial })}`;
  return [item(t('live.deviceDetails'), '', () => void navigate(address))];
}

function useControlEntries(facts: ChannelFacts): readonly MenuEntry[] {
  const t = useT();
  const { caller } = useServices();
  const capabilities = useCapabilities(facts, true);
  const isMoved = usePtzControl(() => isControlled(facts));
  const isTalking = useTalk(({ present }) => isOpen(present) && isTalkingTo(present, facts));
  const { deviceSerial, channelNo } = facts;
  const control = (): void => {
    show(facts);
    takeControl(caller, isMoved ? null : { deviceSerial, channelNo });
  };
  const talk = (): void => {
    if (isTalking) return stopTalk();
    show(facts);
    startTalk(caller, { deviceSerial, channelNo });
    latchTalk();
  };
  const entries: MenuEntry[] = [];
  if (facts.canControl && canMove(capabilities))
    entries.push(item(t(isMoved ? 'ptz.leave' : 'ptz.button'), 'P', control));
  if (facts.canTalk && (isTalking || capabilities.includes('talk')))
    entries.push(item(t(isTalking ? 'talk.stop' : 'talk.start'), 'T', talk));
  return entries.length === 0 ? [] : [LINE, ...entries];
}

/** Of a camera in a tile, or of one that comes to the wall with its choice. */
function useStreamEntries(facts: ChannelFacts): readonly MenuEntry[] {
  const t = useT();
  const chosen = useStreamChoice(facts);
  const onChoose = (quality: Quality | null): void => {
    show(facts);
    pickStream(facts, quality);
  };
  return streamEntries(t, { streamNum: facts.streamNum, chosen, onChoose });
}
