// Handlers of the server's calls on recordings: recorded spans, gaps with reasons, event recordings.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findStoredKeyframe } from '@vedette/media/snapshot/stored-keyframe.ts';
import { isChannelId, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { SiteStorage } from '../recording/site-storage.ts';

export interface RecordingCallsOptions {
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
}

/** Limits a wrong end time, which would fill the disk. */
const EVENT_MAX_MS = 24 * 3_600_000;

export function recordingCalls({ clock, fleet, storage }: RecordingCallsOptions) {
  return {
    recordings: async (input: SiteCalls['recordings']['input']) => {
      const { store } = storage.recordings;
      const { startTime: from, endTime: to } = input;
      const key = keyOf(input);
      const found = { spans: store.spans(key, from, to), gaps: store.gaps(key, { from, to }, clock.wallMs()) };
      if (input.asksKey !== true) return found;
      return { ...found, keyMs: (await findStoredKeyframe(store, key, from))?.record.wallMs ?? null };
    },
    recordingDays: async (input: SiteCalls['recordingDays']['input']) => {
      const { startTime: from, endTime: to, timeZone } = input;
      return { days: storage.recordings.store.days(keyOf(input), { from, to, timeZone }) };
    },
    trigger: async ({ deviceSerial, channelNo, startTime, endTime }: SiteCalls['trigger']['input']) => {
      if (!(endTime > startTime && endTime - startTime <= EVENT_MAX_MS))
        throw new RangeError('not the time of an event');
      const device = fleet.device(deviceSerial);
      if (!device) throw new CallRefusal(ERROR_CODES.devNotExist);
      const isTaken = device.recorders.trigger(channelNo, startTime, endTime);
      if (!isTaken) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      return {};
    },
  };
}

function keyOf({ channelId, quality }: TrackKey): TrackKey {
  if (!isChannelId(channelId)) throw new RangeError('not a channel id');
  return { channelId, quality };
}
