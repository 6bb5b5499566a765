// Puts the channel that the address names on the wall, once, and begins what was asked for with it: the address is clean again afterwards.
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { startReplay } from '../../features/instant-replay/replay-store.ts';
import { placeNext } from '../../features/live/wall/wall-model.ts';
import { changeWall } from '../../features/live/wall/wall-store.ts';
import { takeControl } from '../../features/ptz/ptz-control.ts';
import { latchTalk, startTalk } from '../../features/talk/talk-store.ts';
import { type ChannelPlace, readChannelPlace } from '../../navigation/paths.ts';
import { readLiveAction } from '../../navigation/live-action.ts';
import { type Services, useServices } from '../../services/services.ts';

export function useAskedChannel(): void {
  const services = useServices();
  const { state } = useLocation();
  const [address, setAddress] = useSearchParams();
  useEffect(() => {
    const asked = readChannelPlace(address);
    if (asked === null) return;
    changeWall((wall) => placeNext(wall, asked));
    begin(services, asked, state);
    setAddress({}, { replace: true });
  }, [services, state, address, setAddress]);
}

function begin({ caller, clock }: Services, channel: ChannelPlace, state: unknown): void {
  const action = readLiveAction(state);
  if (action === 'replay') startReplay(channel, clock.wallMs());
  if (action === 'ptz') takeControl(caller, channel);
  if (action !== 'talk') return;
  startTalk(caller, channel);
  latchTalk();
}
