// What the menu of a device row offers for its camera as a tile does: snapshot, replay, PTZ, talk, and the stream.
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS, type Quality } from '@vedette/contract/enumerations.ts';
import { useNavigate } from 'react-router';
import { useChannels } from '../../features/device-inspector/device.query.ts';
import { useCapabilities } from '../../features/live/channel/capabilities.query.ts';
import { saveCameraSnapshot } from '../../features/live/channel/snapshot-file.ts';
import { pickStream, useStreamChoice } from '../../features/live/channel/stream-choice.ts';
import { streamEntries } from '../../features/live/channel/stream-entries.ts';
import type { WallChannel } from '../../features/live/wall/wall-model.ts';
import { canMove } from '../../features/ptz/can-move.ts';
import { useT } from '../../language/use-t.ts';
import { type LiveAction, liveActionState } from '../../navigation/live-action.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useNewestDevice } from '../../realtime/status-store.ts';
import { useCaller } from '../../services/services.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';

/** Null for a device of several channels: each of them has its own menu in the tree. */
function cameraOf({ deviceSerial, channelNo, channelTotal }: Device): WallChannel | null {
  if (channelNo !== null) return { deviceSerial, channelNo };
  return channelTotal > 1 ? null : { deviceSerial, channelNo: 1 };
}

export interface CameraEntries {
  /** Of the picture itself. */
  readonly picture: readonly MenuEntry[];
  /** PTZ and talk, which the device is asked for. */
  readonly controls: readonly MenuEntry[];
}

export function useCameraEntries(device: Device): CameraEntries {
  const t = useT();
  const caller = useCaller();
  const navigate = useNavigate();
  const camera = cameraOf(device);
  const { isOnline, ...can } = useAbilities(device, camera);
  if (camera === null || !device.permission.includes('Realplay')) return { picture: [], controls: [] };
  const lead = (label: string, action: LiveAction): MenuEntry => ({
    kind: 'item',
    label,
    onChoose: () => void navigate(channelAddress(PATHS.liveVideo, camera), { state: liveActionState(action) }),
  });
  const snapshot: MenuEntry = {
    kind: 'item',
    label: t('live.still'),
    onChoose: () => void saveCameraSnapshot(caller, { ...camera, name: device.deviceName }),
  };
  const replay = device.permission.includes('Replay') ? [lead(t('replay.start'), 'replay')] : [];
  const move = can.move ? [lead(t('ptz.button'), 'ptz')] : [];
  const talk = can.talk ? [lead(t('talk.start'), 'talk')] : [];
  const controls = [...move, ...talk];
  return {
    picture: [...(isOnline ? [snapshot] : []), ...replay],
    controls: controls.length === 0 ? [] : [{ kind: 'line' }, ...controls],
  };
}

/** What the device can do and the caller may. */
function useAbilities(device: Device, camera: WallChannel | null) {
  const isOnline = useNewestDevice(device).status === DEVICE_STATUS.online;
  const mayMove = device.permission.includes('PtzControl');
  const mayTalk = device.permission.includes('Talk');
  const isAsked = camera !== null && isOnline && (mayMove || mayTalk);
  const capabilities = useCapabilities(camera ?? { deviceSerial: device.deviceSerial, channelNo: 1 }, isAsked);
  return { isOnline, move: mayMove && canMove(capabilities), talk: mayTalk && capabilities.includes('talk') };
}

/** The choice leads to the wall, where it is seen. */
export function useDeviceStreams(device: Device): readonly MenuEntry[] {
  const t = useT();
  const navigate = useNavigate();
  const camera = cameraOf(device);
  const channels = useChannels(device.deviceSerial).data ?? [];
  const chosen = useStreamChoice(camera);
  if (camera === null || !device.permission.includes('Realplay')) return [];
  const streamNum = channels.find(({ channelNo }) => channelNo === camera.channelNo)?.streamNum ?? 1;
  const onChoose = (quality: Quality | null): void => {
    pickStream(camera, quality);
    void navigate(channelAddress(PATHS.liveVideo, camera));
  };
  return streamEntries(t, { streamNum, chosen, onChoose });
}
