// Gives the player windows of a channel's recordings through the calls record/url, record/hls and record/time.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { FootageSource } from '@vedette/player/playback/footage-source.ts';
import type { WindowAnswer } from '@vedette/player/playback-source.ts';
import { CallFailure, failureReason, NetworkFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import type { PlaybackChannel } from './playback-channel.ts';
import { askSpans } from './record-queries.ts';

export interface ChannelPlaybackOptions {
  readonly caller: Caller;
  readonly channel: PlaybackChannel;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
/** Older footage is not looked for; the calls take 366 days at once. */
const SEARCHED_MS = 365 * DAY_MS;

export function channelPlayback({ caller, channel, now }: ChannelPlaybackOptions): FootageSource {
  const firstAfter = async (at: number, until: number, signal: AbortSignal): Promise<number | null> => {
    if (until <= at) return null;
    const rows = await askSpans(caller, channel, Math.floor(at), Math.ceil(until), signal);
    const starts = rows.filter(({ endTime }) => endTime > at).map(({ startTime }) => Math.max(at, startTime));
    return starts.length === 0 ? null : Math.min(...starts);
  };
  const lastBefore = async (from: number, at: number, signal: AbortSignal): Promise<number | null> => {
    const rows = await askSpans(caller, channel, Math.floor(from), Math.ceil(at), signal);
    const ends = rows.filter(({ startTime }) => startTime < at).map(({ endTime }) => Math.min(at, endTime));
    return ends.length === 0 ? null : Math.max(...ends);
  };
  return {
    async previousRecorded(at, signal) {
      const near = await lastBefore(at - DAY_MS, at, signal);
      return near ?? lastBefore(Math.max(0, at - SEARCHED_MS), at - DAY_MS, signal);
    },
    async getFragments({ startTime, endTime }, signal) {
      try {
        const { url } = await caller.ask(
          'record/url',
          { ...channel, startTime, endTime },
          { showError: false, signal },
        );
        return { kind: 'window', address: new URL(url, location.href).href };
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        return failure.code === ERROR_CODES.notFound ? { kind: 'none' } : { kind: 'refused', code: failure.code };
      }
    },
    async nextRecorded(at, signal) {
      // Most often the answer lies within the day; the whole rest is asked for only when it does not.
      const near = await firstAfter(at, Math.min(now(), at + DAY_MS), signal);
      return near ?? firstAfter(at + DAY_MS, now(), signal);
    },
    async getWindow({ startTime, endTime }, signal) {
      try {
        const { url } = await caller.ask(
          'record/hls',
          { ...channel, startTime: Math.floor(startTime), endTime: Math.floor(endTime) },
          { showError: false, signal },
        );
        return await fetchWindow(new URL(url, location.href).href, startTime, endTime, signal);
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        // Nothing is recorded there: not a refusal.
        if (failure.code === ERROR_CODES.notFound) return { kind: 'none' };
        return { kind: 'refused', code: failure.code, reason: failureReason(failure.data) };
      }
    },
  };
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
