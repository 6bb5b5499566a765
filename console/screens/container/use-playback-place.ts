// Channel and instant of playback as parts of the address, so that every moment is a link.
import type { Resource } from '@vedette/contract/entities.ts';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useChannelName } from '../../features/live/use-channel-name.ts';
import type { PlaybackChannel } from '../../features/playback/playback-channel.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { readChannelPlace } from '../../navigation/paths.ts';

export interface PlaybackPlace {
  readonly channel: PlaybackChannel | null;
  /** Wall clock, ms. */
  readonly at: number | null;
  readonly name: string;
  /** Changes when the resources are asked for again and when they came: rights may have changed. */
  readonly rightsMark: number;
  readonly choose: (channel: PlaybackChannel) => void;
  readonly goTo: (at: number) => void;
}

export function usePlaybackPlace(): PlaybackPlace {
  const [parameters, setParameters] = useSearchParams();
  const { data, dataUpdatedAt, isFetching } = useResources();
  const { deviceSerial, channelNo } = readChannelPlace(parameters) ?? {};
  // The same object while the time alone changes: another one would begin anew.
  const channel = useMemo(
    () => (deviceSerial === undefined || channelNo === undefined ? null : { deviceSerial, channelNo }),
    [deviceSerial, channelNo],
  );
  const name = useChannelName(channel, channel ? channelName(data ?? [], channel) : undefined);
  const time = Number(parameters.get('time') ?? Number.NaN);
  return {
    channel,
    at: Number.isFinite(time) && time > 0 ? time : null,
    name,
    rightsMark: dataUpdatedAt + (isFetching ? 1 : 0),
    choose: (next) => setParameters({ device: next.deviceSerial, channel: String(next.channelNo) }),
    goTo: (at) =>
      setParameters(
        (before) => {
          before.set('time', String(Math.round(at)));
          return before;
        },
        { replace: true },
      ),
  };
}

function channelName(resources: readonly Resource[], { deviceSerial, channelNo }: PlaybackChannel): string | undefined {
  for (const resource of resources) {
    if (resource.resourceType !== 'device' || resource.device.deviceSerial !== deviceSerial) continue;
    const channel = resource.channelList.find((one) => one.channelNo === channelNo);
    if (!channel) return resource.device.deviceName;
    return resource.device.supportMultiChannel
      ? `${resource.device.deviceName} · ${channel.channelName}`
      : resource.device.deviceName;
  }
  return undefined;
}
