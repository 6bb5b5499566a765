// Gives the player windows of a channel's recordings through the calls record/url, record/hls and record/time.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { RecordingSource } from '@vedette/player/playback/recording-source.ts';
import type { WindowAnswer } from '@vedette/player/playback/hls/playback-source.ts';
import { CallFailure, failureReason, NetworkFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { codeForViewer } from '../../realtime/received-shares.ts';
import { type PlaybackChannel, QUALITIES } from './playback-channel.ts';
import { askSpans } from './record-queries.ts';
import type { RecordSource } from './record-source.ts';
import { qualitiesFor, type QualityRequest } from './recorded-quality.ts';

export interface ChannelPlaybackOptions {
  readonly caller: Caller;
  readonly channel: PlaybackChannel;
  readonly now: () => number;
  readonly wish: QualityRequest;
  readonly source: RecordSource;
}

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** Older recordings are not looked for; the calls take 366 days at once. */
const SEARCHED_MS = 365 * DAY_MS;

export function channelPlayback({ caller, channel, now, wish, source }: ChannelPlaybackOptions): RecordingSource {
  /** The first quality that has any recordings there. */
  const spansOf = async (from: number, to: number, signal: AbortSignal) => {
    for (const quality of QUALITIES) {
      const range = { startTime: Math.floor(from), endTime: Math.ceil(to) };
      const rows = await askSpans(caller, { ...channel, ...range, quality, srcType: source }, signal);
      if (rows.length > 0) return rows;
    }
    return [];
  };
  const addressOf = (path: WindowPath, range: Range, signal: AbortSignal) =>
    windowAddress({ caller, channel, now, wish, source }, path, range, signal);
  const firstAfter = async (at: number, until: number, signal: AbortSignal): Promise<number | null> => {
    if (until <= at) return null;
    const rows = await spansOf(at, until, signal);
    const starts = rows.filter(({ endTime }) => endTime > at).map(({ startTime }) => Math.max(at, startTime));
    return starts.length === 0 ? null : Math.min(...starts);
  };
  const lastBefore = async (from: number, at: number, signal: AbortSignal): Promise<number | null> => {
    const rows = await spansOf(from, at, signal);
    const ends = rows.filter(({ startTime }) => startTime < at).map(({ endTime }) => Math.min(at, endTime));
    return ends.length === 0 ? null : Math.max(...ends);
  };
  return {
    async previousRecorded(at, signal) {
      const near = await lastBefore(at - DAY_MS, at, signal);
      return near ?? lastBefore(Math.max(0, at - SEARCHED_MS), at - DAY_MS, signal);
    },
    async getFragments(range, signal) {
      const address = await refusedAs(() => addressOf('record/url', range, signal));
      if (address === null) return { kind: 'none' };
      if (typeof address === 'string') return { kind: 'window', address };
      return { kind: 'refused', code: codeForViewer(channel.deviceSerial, address.code) };
    },
    async nextRecorded(at, signal) {
      // Most often the answer lies within the day; the whole rest is asked for only when it does not.
      const near = await firstAfter(at, Math.min(now(), at + DAY_MS), signal);
      return near ?? firstAfter(at + DAY_MS, now(), signal);
    },
    async getWindow({ startTime, endTime }, signal) {
      const range = { startTime: Math.floor(startTime), endTime: Math.floor(endTime) };
      const address = await refusedAs(() => addressOf('record/hls', range, signal));
      if (address === null) return { kind: 'none' };
      if (typeof address === 'string') return await fetchWindow(address, startTime, endTime, signal);
      const code = codeForViewer(channel.deviceSerial, address.code);
      return { kind: 'refused', code, reason: failureReason(address.data) };
    },
  };
}

type WindowPath = 'record/url' | 'record/hls';

/** The address of a window in the first quality that has it; a code where the right is missing, null where nothing is recorded. */
async function windowAddress(
  { caller, channel, wish, source }: ChannelPlaybackOptions,
  path: WindowPath,
  range: Range,
  signal: AbortSignal,
): Promise<string | CallFailure | null> {
  const isFitted = path === 'record/url' && source !== RECORD_SOURCE.local;
  const qualities = await qualitiesFor(caller, { channel, range, wish: isFitted ? wish : 'main' }, signal);
  let onDevice: string | null = null;
  for (const quality of qualities) {
    // What only the device has in one quality we may have recorded in another.
    const srcType: RecordSource = onDevice === null ? source : RECORD_SOURCE.cloud;
    try {
      const input = { ...channel, ...range, quality, srcType };
      const answer = await caller.ask(path, input, { showError: false, signal });
      const address: string = new URL(answer.url, location.href).href;
      if (source !== RECORD_SOURCE.auto || answer.srcType === RECORD_SOURCE.cloud) return address;
      onDevice = address;
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      // Nothing is recorded there: not a refusal.
      if (failure.code !== ERROR_CODES.notFound) return failure;
    }
  }
  return onDevice;
}

/** The right may be refused by any of the calls on the way. */
async function refusedAs<T>(ask: () => Promise<T | CallFailure>): Promise<T | CallFailure> {
  try {
    return await ask();
  } catch (failure) {
    if (failure instanceof CallFailure) return failure;
    throw failure;
  }
}

async function fetchWindow(
  baseUrl: string,
  startTime: number,
  endTime: number,
  signal: AbortSignal,
): Promise<WindowAnswer> {
  const answer = await fetch(baseUrl, { signal });
  if (!answer.ok) throw new NetworkFailure(`the playlist was answered with status ${answer.status}`);
  return { kind: 'window', startTime, endTime, baseUrl, playlist: await answer.text() };
}
