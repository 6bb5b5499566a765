// Edge recordings (ONVIF profile G) for lists and playback: a played range is fetched by replay, one minute ahead of its reader.
import { join } from 'node:path';
import type { SiteCalls, TicketGrant } from '@vedette/contract/site/site.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { EdgePlayback } from '@vedette/media/playback/edge-playback.ts';
import { HttpAnswer } from '@vedette/media/playback/http-answer.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { recordedDays } from '@vedette/media/recordings/recorded-days.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import { type ChannelPlace, EdgeRecordingSearch } from './edge-recording-search.ts';
import { ChannelFetch } from './channel-fetch.ts';
import { EdgeRecordingCache } from './edge-recording-cache.ts';
import { ReplayImport } from './replay-import.ts';
import { subtractRanges } from './time-ranges.ts';

export interface EdgeRecordingsOptions {
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly driverContexts: DriverContexts;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: DriverLog;
  /** State folder of the site; the cache lies below it. */
  readonly folder: string;
}

/** About an hour of four main streams each. */
const BUDGET_BYTES = 4 * 1024 ** 3;
const RESERVE_BYTES = 512 * 1024 ** 2;
/** Fetched beyond the end of a window, so that the next one needs no new replay. */
const BEYOND_MS = 120_000;
/** Shorter gaps are seams between files. */
const WORTH_MS = 2500;
/** Channels whose fetches are remembered. */
const CHANNELS_KEPT = 500;

export class EdgeRecordings {
  readonly #options: EdgeRecordingsOptions;
  readonly #search: EdgeRecordingSearch;
  readonly #cache: EdgeRecordingCache;
  readonly #channels = new Map<string, ChannelFetch>();
  readonly #closing = new AbortController();

  constructor(options: EdgeRecordingsOptions) {
    this.#options = options;
    const { clock, disk, log, folder } = options;
    this.#search = new EdgeRecordingSearch({ clock, ask: (place, range, signal) => this.#ask(place, range, signal) });
    this.#cache = new EdgeRecordingCache({
      disk,
      folder: join(folder, 'fetched'),
      budgetBytes: BUDGET_BYTES,
      reserveBytes: RESERVE_BYTES,
      onFault: (error) => log.warn({ err: error }, 'fetched footage could not be kept'),
    });
  }

  /** Rejects with DeviceFault if the channel has no edge recordings, or the device does not answer. */
  held(place: ChannelPlace, range: TimeRange): Promise<TimeRange[]> {
    return this.#search.held(place, range);
  }

  /** Answers of the calls of the server. */
  readonly calls = {
    deviceRecordings: async ({ startTime, endTime, ...place }: SiteCalls['deviceRecordings']['input']) => ({
      spans: toSpans(await this.held(place, { startMs: startTime, endMs: endTime })),
    }),
    deviceRecordingDays: async (input: SiteCalls['deviceRecordingDays']['input']) => {
      const { startTime, endTime, timeZone, ...place } = input;
      const spans = toSpans(await this.held(place, { startMs: startTime, endMs: endTime }));
      return { days: recordedDays(spans, timeZone) };
    },
  };

  /** Edge recordings of a ticket's window; undefined if the ticket excludes them. */
  of(grant: TicketGrant, channelId: string, ended: AbortSignal): EdgePlayback | undefined {
    const { range, footage, sessionId } = grant;
    if (range === null || footage === undefined) return undefined;
    const place = { deviceSerial: grant.deviceSerial, channelNo: grant.channelNo };
    const key = { channelId, quality: 0 } as const;
    const isAlone = footage === 'device';
    const reader = { sessionId, ended: AbortSignal.any([ended, this.#closing.signal]) };
    return {
      store: this.#cache.store,
      key,
      isAlone,
      request: async (atMs) => {
        const reach = { startMs: range.startTime, endMs: range.endTime + BEYOND_MS };
        const held = await this.#heldFor(place, reach, isAlone);
        const own = isAlone ? [] : this.#own({ channelId, quality: grant.quality }, reach);
        const wanted = subtractRanges(held, own, WORTH_MS);
        if (wanted.length === 0) return [];
        const channel = this.#channel(place, channelId);
        try {
          const awaited = await channel.want(wanted, atMs, reader);
          return awaited.filter(({ startMs }) => startMs < range.endTime);
        } catch (error) {
          if (!isAlone) return [];
          throw refusalOf(error);
        }
      },
    };
  }

  /** Another device may be at this address soon. */
  deviceGone(deviceSerial: string): void {
    this.#search.forget(deviceSerial);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()));
    await this.#cache.close();
  }

  /** For `both`, a device that does not answer only leaves gaps. */
  async #heldFor(place: ChannelPlace, range: TimeRange, isAlone: boolean): Promise<readonly TimeRange[]> {
    try {
      return await this.held(place, range);
    } catch (error) {
      if (isAlone) throw refusalOf(error);
      return [];
    }
  }

  #own(key: { channelId: string; quality: 0 | 1 | 2 }, { startMs, endMs }: TimeRange): TimeRange[] {
    const spans = this.#options.storage.recordings.store.spans(key, startMs, endMs);
    return spans.map(({ startTime, endTime }) => ({ startMs: startTime, endMs: endTime }));
  }

  #channel(place: ChannelPlace, channelId: string): ChannelFetch {
    const known = this.#channels.get(channelId);
    if (known) return known;
    const { store } = this.#cache;
    const made = new ChannelFetch({
      monotonicMs: () => this.#options.clock.monotonicMs(),
      there: (startMs, endMs) =>
        store
          .spans({ channelId, quality: 0 }, startMs, endMs)
          .map(({ startTime, endTime }) => ({ startMs: startTime, endMs: endTime })),
      begin: (range, signal) => this.#begin(place, channelId, range, signal),
    });
    this.#channels.set(channelId, made);
    for (const [oldest, channel] of this.#channels) {
      if (this.#channels.size <= CHANNELS_KEPT) break;
      if (!channel.isIdle) continue;
      this.#channels.delete(oldest);
    }
    return made;
  }

  async #begin(place: ChannelPlace, channelId: string, range: TimeRange, signal: AbortSignal): Promise<ReplayImport> {
    const { driverContexts, clock, disk, log, fleet } = this.#options;
    const { deviceSerial, channelNo } = place;
    await this.#cache.open();
    const driver = await this.#driver(place, signal);
    if (!driver.replay) throw new DeviceFault('not-supported', 'the channel replays nothing');
    const source = await driver.replay(range.startMs, range.endMs, signal);
    const member = fleet.device(deviceSerial);
    const isOperator = member?.assignment.isOperatorAddress ?? false;
    log.info({ deviceSerial, channelNo, ms: range.endMs - range.startMs }, 'fetching from the device for playing');
    return new ReplayImport({
      source,
      context: driverContexts.context(isOperator, signal, member?.supervisor.trust ?? null),
      clock,
      disk,
      sink: this.#cache,
      key: { channelId, quality: 0 },
      isReadSoon: true,
      signal,
      onFault: (error) => log.warn({ deviceSerial, channelNo, err: error }, 'fetched footage was given up'),
    });
  }

  async #ask(place: ChannelPlace, range: TimeRange, signal: AbortSignal): Promise<readonly TimeRange[]> {
    const driver = await this.#driver(place, signal);
    if (!driver.recorded) throw new DeviceFault('not-supported', 'the channel keeps no recordings that it tells of');
    const spans = await driver.recorded(range.startMs, range.endMs, signal);
    return spans.map(({ from, to }) => ({ startMs: from, endMs: to }));
  }

  async #driver({ deviceSerial, channelNo }: ChannelPlace, signal: AbortSignal): Promise<ChannelDriver> {
    const member = this.#options.fleet.device(deviceSerial);
    if (!member) throw new DeviceFault('not-found', 'the device is not assigned here');
    const { state, driver } = member.supervisor;
    // Known to be offline: not waited for.
    if (state.status === 0) throw new DeviceFault('unreachable', 'the device is away');
    return await driver.channel(channelNo, signal);
  }
}

function toSpans(ranges: readonly TimeRange[]) {
  return ranges.map(({ startMs, endMs }) => ({
    startTime: Math.round(startMs),
    endTime: Math.round(endMs),
    recordType: 1 as const,
  }));
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DeviceFault) return new HttpAnswer(502, deviceError(error).code);
  if (error instanceof RtspError) return new HttpAnswer(502, 2316);
  return error;
}
