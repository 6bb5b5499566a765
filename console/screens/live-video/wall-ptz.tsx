// PTZ on the wall: its button and overlay in every tile, the key P for the selected one, and low latency meanwhile.
import { useCallback, useEffect } from 'react';
import { useCapabilities } from '../../features/live/channel/capabilities.query.ts';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { requestLowLatency } from '../../features/live/channel/low-latency.ts';
import type { TileExtras } from '../../features/live/tile/tile-extras.ts';
import { wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { useWall } from '../../features/live/wall/wall-store.ts';
import { PtzButton } from '../../features/ptz/ptz-button.tsx';
import { PtzOverlay } from '../../features/ptz/ptz-overlay.tsx';
import { isControlled, takeControl, withPtzError, usePtzControl } from '../../features/ptz/ptz-control.ts';
import { usePtzKeys } from '../../features/ptz/use-ptz-keys.ts';
import { useKeys } from '../../keys/key-registry.ts';
import { useConnection } from '../../realtime/connection-store.ts';
import { useEndedPtzLease } from '../../realtime/ptz-lease-store.ts';
import { useCaller } from '../../services/services.ts';

export const PTZ_EXTRAS: TileExtras = {
  actions: ({ channel, isStop, isEngaged }) =>
    channel.canControl && <PtzButton channel={channel} isStop={isStop} isEngaged={isEngaged} />,
  overlay: ({ channel }) => channel.canControl && <PtzOverlay channel={channel} />,
};

export function useWallPtz(): void {
  const caller = useCaller();
  const controlled = usePtzControl((state) => state.channel);
  const goHome = useCallback(() => {
    const { channel } = usePtzControl.getState();
    if (channel) void caller.ask('preset/goto', { ...channel, presetIndex: 1 }).catch(() => undefined);
  }, [caller]);
  usePtzKeys(controlled !== null, goHome);
  useSelectedKey();
  useEndOfPtzControl();
  useEffect(() => {
    requestLowLatency(controlled);
    return () => requestLowLatency(null);
  }, [controlled]);
}

function useSelectedKey(): void {
  const caller = useCaller();
  const channel = useWall((wall) => wall.cells[wall.selected] ?? null);
  const facts = useChannelFacts(({ byKey }) => (channel ? byKey.get(wallChannelKey(channel)) : undefined));
  const capabilities = useCapabilities(channel ?? { deviceSerial: '', channelNo: 0 }, facts?.canControl === true);
  const canControlPtz = channel !== null && capabilities.some((one) => one === 'ptz' || one === 'zoom');
  useKeys([
    {
      keys: 'p',
      label: 'ptz.button',
      group: 'live.wall',
      run: () => {
        if (canControlPtz) takeControl(caller, isControlled(channel) ? null : channel);
        else takeControl(caller, null);
      },
    },
    { keys: 'Home', label: 'ptz.firstPreset', group: 'live.wall', when: () => false, run: () => undefined },
  ]);
}

/** The tile went, the page lost the server, or somebody else has the head. */
function useEndOfPtzControl(): void {
  const caller = useCaller();
  const isOnWall = useWall((wall) =>
    wall.cells.some((cell) => cell !== null && cell !== undefined && isControlled(cell)),
  );
  useEffect(() => {
    if (!isOnWall && usePtzControl.getState().channel !== null) takeControl(caller, null);
  }, [isOnWall, caller]);
  useEffect(() => () => takeControl(caller, null), [caller]);
  const isConnected = useConnection(({ state }) => state === 'online');
  useEffect(() => {
    if (!isConnected && usePtzControl.getState().held.size > 0) withPtzError({ kind: 'lost' });
  }, [isConnected]);
  const end = useEndedPtzLease(({ last }) => last);
  useEffect(() => {
    if (end === null || end.operatorId !== usePtzControl.getState().operatorId || !isControlled(end)) return;
    withPtzError({ kind: 'ended', code: end.code, userName: end.userName });
  }, [end]);
}
