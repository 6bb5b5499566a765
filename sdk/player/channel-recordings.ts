// Gives the player windows of a channel's recordings through the calls record/url, record/hls and record/time.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { REFUSAL_CODES } from '@vedette/player/core/refusal-codes.ts';
import type { RecordingSource } from '@vedette/player/playback/recording-source.ts';
import type { PlayerError } from './element-types.ts';
import { type CameraChannel, refusalOf, type ServerCalls } from './server-calls.ts';

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** A plan may record one stream alone: what is not there in one quality is looked for in the next. */
const QUALITIES = [0, 1, 2] as const;
/** Older recordings are not looked for; the calls take 366 days at once. */
const SEARCHED_MS = 365 * DAY_MS;

export interface RecordingsOptions {
  readonly calls: ServerCalls;
  readonly channel: CameraChannel;
  readonly server: string;
  /** ms since 1970 UTC. */
  readonly now: () => number;
}

export function channelRecordings(options: RecordingsOptions): RecordingSource {
  const { now } = options;
  const firstAfter = async (at: number, until: number, signal: AbortSignal): Promise<number | null> => {
    const spans = until > at ? await spansOf(options, { startTime: at, endTime: until }, signal) : [];
    const starts = spans.filter(({ endTime }) => endTime > at).map(({ startTime }) => Math.max(at, startTime));
    return starts.length === 0 ? null : Math.min(...starts);
  };
  const lastBefore = async (from: number, at: number, signal: AbortSignal): Promise<number | null> => {
    const spans = await spansOf(options, { startTime: from, endTime: at }, signal);
    const ends = spans.filter(({ startTime }) => startTime < at).map(({ endTime }) => Math.min(at, endTime));
    return ends.length === 0 ? null : Math.max(...ends);
  };
  return {
    // Most often the answer lies within a day; the rest is asked for only when it does not.
    nextRecorded: async (at, signal) =>
      (await firstAfter(at, Math.min(now(), at + DAY_MS), signal)) ?? firstAfter(at + DAY_MS, now(), signal),
    previousRecorded: async (at, signal) =>
      (await lastBefore(at - DAY_MS, at, signal)) ?? lastBefore(Math.max(0, at - SEARCHED_MS), at - DAY_MS, signal),
    async getFragments(range, signal) {
      const found = await windowAddress(options, 'record/url', range, signal);
      if (found === null) return { kind: 'none' };
      return typeof found === 'string' ? { kind: 'window', address: found } : { kind: 'refused', code: found.code };
    },
    async getWindow(range, signal) {
      const found = await windowAddress(options, 'record/hls', range, signal);
      if (found === null) return { kind: 'none' };
      if (typeof found !== 'string') return { kind: 'refused', ...found };
      const answer = await fetch(found, { signal });
      if (!answer.ok) throw new Error(`the playlist was answered with status ${answer.status}`);
      return { kind: 'window', ...range, baseUrl: found, playlist: await answer.text() };
    },
  };
}

async function spansOf({ calls, channel }: RecordingsOptions, range: Range, signal: AbortSignal) {
  for (const quality of QUALITIES) {
    const input = { ...channel, ...whole(range), quality };
    const { recordList } = await calls.call('record/time', input, signal);
    if (recordList.length > 0) return recordList;
  }
  return [];
}

/** The address in the first quality that has recordings there; null where none has, the refusal where the right is missing. */
async function windowAddress(
  { calls, channel, server }: RecordingsOptions,
  path: 'record/url' | 'record/hls',
  range: Range,
  signal: AbortSignal,
): Promise<string | PlayerError | null> {
  for (const quality of QUALITIES) {
    try {
      const { url } = await calls.call(path, { ...channel, ...whole(range), quality }, signal);
      return new URL(new URL(url).pathname, server).href;
    } catch (failure) {
      const refusal = refusalOf(failure);
      if (refusal === null) throw failure;
      if (refusal.code !== REFUSAL_CODES.notFound) return refusal;
    }
  }
  return null;
}

function whole({ startTime, endTime }: Range): Range {
  return { startTime: Math.floor(startTime), endTime: Math.ceil(endTime) };
}
