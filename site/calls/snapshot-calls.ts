// Handlers of the server's snapshot calls: a recorded instant, or live.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { RecordedQuality } from '@vedette/media/recordings/recording-path.ts';
import type { LiveSnapshotRequest, Snapshots } from '@vedette/media/snapshot/snapshots.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';

export interface SnapshotCallsOptions {
  readonly fleet: Fleet;
  readonly snapshots: Snapshots;
  readonly wallMs: () => number;
}

/** Small snapshots use the second stream where it is recorded. */
const RECORDED: readonly RecordedQuality[] = [1, 0];

export function snapshotCalls({ fleet, snapshots, wallMs }: SnapshotCallsOptions) {
  const now = async (input: SiteCalls['picture']['input']) => {
    const { deviceSerial, channelNo, width } = input;
    const request: LiveSnapshotRequest = {
      subject: `${deviceSerial}/${channelNo}`,
      upstream: fleet.upstream(deviceSerial, channelNo, 0),
      deviceSnapshot: async (signal) => {
        const channel = await fleet.device(deviceSerial)?.supervisor.driver.channel(channelNo, signal);
        return channel?.snapshot ? await channel.snapshot(signal) : null;
      },
    };
    const taken = await snapshots.now(request, width);
    return taken && { ...taken, at: wallMs() };
  };
  const recorded = async ({ width }: SiteCalls['picture']['input'], channelId: string, at: number) => {
    for (const quality of RECORDED) {
      const found = await snapshots.at({ channelId, quality }, at, width);
      if (found) return { ...found, at: found.wallMs };
    }
    return null;
  };
  return {
    picture: async (input: SiteCalls['picture']['input']): Promise<SiteCalls['picture']['output']> => {
      const channels = fleet.device(input.deviceSerial)?.assignment.channels ?? [];
      const channel = channels.find((one) => one.channelNo === input.channelNo);
      if (!channel) throw new CallRefusal(ERROR_CODES.devNotExist);
      const found = input.at === null ? await now(input) : await recorded(input, channel.channelId, input.at);
      if (!found) return { picture: null };
      const { contentType, data, at } = found;
      return { picture: { contentType, data: data.toString('base64'), at } };
    },
  };
}
