// What a channel's device is able to do, by which the controls of its tile are chosen.
import { useQuery } from '@tanstack/react-query';
import { useCaller } from '../../../services/services.ts';
import type { WallChannel } from '../wall/wall-model.ts';

const KEPT_MS = 5 * 60_000;
/** A device that did not answer may do so soon. */
const RETRY_MS = 10_000;
const NONE: readonly string[] = [];

/** Empty until the device has answered: no control is offered that may be missing. */
export function useCapabilities({ deviceSerial, channelNo }: WallChannel, isAsked: boolean): readonly string[] {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ['channel/capacity', deviceSerial, channelNo],
    queryFn: ({ signal }) => caller.ask('channel/capacity', { deviceSerial, channelNo }, { signal, showError: false }),
    enabled: isAsked,
    staleTime: KEPT_MS,
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
  return data?.capabilities ?? NONE;
}
