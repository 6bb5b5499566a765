// Backfills recordings from the devices' own storage: the past of a new channel once, and each gap that an outage left.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { ReplayEnd } from '@vedette/media/source/replay-source.ts';
import { ReplayImport } from '../edge-playback/replay-import.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { backfilledPieces, type BackfillGap, findBackfillGaps, isTried, type TriedGap } from './backfill-gaps.ts';
import { bySooner, missingPieces, type Piece } from './missing-pieces.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import { wait } from '@vedette/foundation/time/wait.ts';

export interface BackfillOptions {
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly driverContexts: DriverContexts;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: DriverLog;
}

interface Job {
  readonly device: DeviceAssignment;
  readonly channel: ChannelAssignment;
  readonly key: TrackKey;
  readonly closing: AbortController;
  /** The past of a new channel is filled as far as the device has it. */
  isPastDone: boolean;
  tried: readonly TriedGap[];
  /** Failed attempts in a row, by start of the gap. */
  readonly vain: Map<number, number>;
  done: Promise<void>;
}

const SECOND = 1;
/** Parallel devices: each replay costs the device and this process as much as many live streams. */
const PARALLEL = 2;
const RETRY_MS = 5000;
/** Retry delays after a fault: at first shortly after a restarted device is back, then longer. */
const RETRY_FIRST_MS = 5000;
const RETRY_MAX_MS = 60_000;
/** Retry delay for recordings that the device did not have: its disk may be slow to index them. */
const GIVEN_UP_MS = 1_800_000;
/** Interval of the search for gaps, and the wait for a device to become reachable. */
const CHECK_MS = 10_000;
const UNKNOWN_MS = 1000;

export class Backfill {
  readonly #options: BackfillOptions;
  readonly #jobs = new Map<string, Job>();
  /** Pieces are ordered by priority, so that no channel keeps the others out. */
  readonly #replays = new Semaphore<Piece>({ places: PARALLEL, compare: bySooner });

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  /** Starts and stops channels according to the assignment. */
  plan(devices: readonly DeviceAssignment[]): void {
    const wanted = new Set<string>();
    for (const device of devices) {
      for (const { channel, key } of device.channels.flatMap(tracksToBackfill)) {
        const name = nameOf(key);
        wanted.add(name);
        const before = this.#jobs.get(name);
        if (before && !before.closing.signal.aborted && isSameOrder(before, device, channel)) continue;
        before?.closing.abort();
        this.#start(device, channel, key, before);
      }
    }
    for (const [name, job] of this.#jobs) if (!wanted.has(name)) job.closing.abort();
  }

  /** Resolves when none of these channels is being filled. */
  async stopped(channelIds: readonly string[]): Promise<void> {
    for (const [name, job] of this.#jobs) {
      if (!channelIds.includes(job.key.channelId)) continue;
      job.closing.abort();
      await job.done;
      this.#jobs.delete(name);
    }
  }

  async close(): Promise<void> {
    await this.stopped([...this.#jobs.values()].map(({ key }) => key.channelId));
  }

  #start(device: DeviceAssignment, channel: ChannelAssignment, key: TrackKey, before: Job | undefined): void {
    const isPastDone = (before?.isPastDone && before.channel.backfillFrom === channel.backfillFrom) ?? false;
    const closing = new AbortController();
    const job: Job = { device, channel, key, closing, isPastDone, tried: [], vain: new Map(), done: Promise.resolve() };
    this.#jobs.set(nameOf(key), job);
    job.done = (before?.done ?? Promise.resolve()).then(() => this.#run(job));
  }

  async #run(job: Job): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = job.closing;
    const { deviceSerial } = job.device;
    const { channelNo, backfillFrom, record } = job.channel;
    const backoff = new Backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS }, randomFraction);
    // The past is filled for the main stream only.
    job.isPastDone ||= backfillFrom === null || job.key.quality !== record?.quality;
    while (!signal.aborted) {
      let pause: number;
      try {
        const next = await this.#step(job);
        if (next === null) return;
        pause = next;
        backoff.reset();
      } catch (error) {
        pause = backoff.next();
        if (!signal.aborted)
          log.warn({ deviceSerial, channelNo, err: error }, 'filling from the device stopped; it is tried again');
      }
      await wait(clock, pause, signal);
    }
  }

  /** Returns the pause until the next step; null if there is nothing to fill. */
  async #step(job: Job): Promise<number | null> {
    if (!job.isPastDone) {
      job.isPastDone = await this.#backfillPast(job);
      return job.isPastDone ? 0 : RETRY_MS;
    }
    if (!job.channel.record?.fillsGaps) return null;
    if (this.#isUnknown(job)) return UNKNOWN_MS;
    await this.#backfillGaps(job);
    return CHECK_MS;
  }

  #isUnknown({ device }: Job): boolean {
    return this.#options.fleet.device(device.deviceSerial)?.supervisor.state.status === -1;
  }

  /** Null while the device is offline or nothing can be written; undefined if it offers no replay. */
  async #driver({ device, channel, closing }: Job): Promise<ChannelDriver | null | undefined> {
    const { fleet, storage } = this.#options;
    const member = fleet.device(device.deviceSerial);
    if (!member || member.supervisor.state.status !== 1 || storage.recordings.state !== 'normal') return null;
    const driver = await member.supervisor.driver.channel(channel.channelNo, closing.signal);
    return driver.recorded && driver.replay ? driver : undefined;
  }

  /** True when nothing is left to fill. */
  async #backfillPast(job: Job): Promise<boolean> {
    const { storage, log, clock } = this.#options;
    const { signal } = job.closing;
    const { channelNo, backfillFrom } = job.channel;
    const { deviceSerial } = job.device;
    const { key } = job;
    const driver = await this.#driver(job);
    if (driver === undefined || backfillFrom === null) return true;
    if (driver === null || !driver.recorded) return false;
    const until = clock.wallMs();
    const held = await driver.recorded(backfillFrom, until, signal);
    const missing = (): Piece[] => missingPieces(held, storage.recordings.store.spans(key, backfillFrom, until), until);
    // The replay broke off: request the rest as long as that brings something.
    for (let left = Number.POSITIVE_INFINITY; ; ) {
      const pieces = missing();
      const now = sumOf(pieces);
      if (now === 0 || now >= left) return true;
      left = now;
      log.info({ deviceSerial, channelNo, pieces: pieces.length }, 'filling from the device');
      for (const piece of pieces) if ((await this.#pullQueued(job, driver, piece)) === null) return false;
    }
  }

  /** Fills gaps after an outage, once the channel records again, and marks them as backfilled. */
  async #backfillGaps(job: Job): Promise<void> {
    const { storage, log, clock } = this.#options;
    const { signal } = job.closing;
    const { channelNo, record } = job.channel;
    const { deviceSerial } = job.device;
    const { key } = job;
    if (!record) return;
    const { store } = storage.recordings;
    job.tried = job.tried.filter(({ untilMs }) => untilMs > clock.monotonicMs());
    const gaps = findBackfillGaps(store, key, clock.wallMs(), record.retentionDays).filter(
      (gap) => !isTried(job.tried, gap),
    );
    const [first, last] = [gaps[0], gaps.at(-1)];
    if (!first || !last) return;
    const driver = await this.#driver(job);
    if (!driver?.recorded) return;
    const held = await driver.recorded(first.startMs, last.endMs, signal);
    for (const gap of gaps) {
      const own = () => store.spans(key, gap.startMs, gap.endMs);
      const missing = () => missingPieces(backfilledPieces(held, gap), own(), gap.endMs, gap.worthMs);
      const pieces = missing();
      if (pieces.length > 0)
        log.info({ deviceSerial, channelNo, pieces: pieces.length }, 'filling a gap from the device');
      const end = await this.#backfillPieces(job, driver, gap, pieces);
      if (end === null) return;
      // The connection broke but brought something: the rest is requested at the next search.
      if (sumOf(missing()) < sumOf(pieces)) job.vain.delete(gap.startMs);
      else this.#setAside(job, gap, end);
    }
  }

  /** Null when backfill is off. */
  async #backfillPieces(job: Job, driver: ChannelDriver, gap: BackfillGap, pieces: readonly Piece[]) {
    let all: ReplayEnd = 'over';
    for (const { from, to, round } of pieces) {
      // Marked before the first frame, so that a killed process leaves marked recordings and a known rest.
      this.#options.storage.recordings.note(job.key, { kind: 'filled', startMs: from, endMs: to });
      try {
        const end = await this.#pullQueued(job, driver, { from, to, round });
        if (end === null) return null;
        if (end === 'broken') all = end;
      } catch (error) {
        // Other gaps come first before this one is tried again.
        this.#setAside(job, gap, 'broken');
        throw error;
      }
    }
    return all;
  }

  /** Each attempt costs the device a replay from a keyframe: retry soon after a break, then less often. */
  #setAside(job: Job, { startMs, endMs }: BackfillGap, end: ReplayEnd): void {
    const times = job.vain.get(startMs) ?? 0;
    job.vain.set(startMs, times + 1);
    const keptMs = end === 'broken' ? Math.min(RETRY_MS * 4 ** times, GIVEN_UP_MS) : GIVEN_UP_MS;
    job.tried = [...job.tried, { startMs, endMs, untilMs: this.#options.clock.monotonicMs() + keptMs }];
  }

  /** Waits for its turn among all channels, so that the same hours of all come together; null when backfill is off. */
  async #pullQueued(job: Job, driver: ChannelDriver, piece: Piece): Promise<ReplayEnd | null> {
    const { signal } = job.closing;
    const pull = async (): Promise<ReplayEnd | null> => {
      const end = await this.#pull(job, driver, piece);
      return signal.aborted ? null : end;
    };
    try {
      return await this.#replays.run(pull, { signal, priority: piece });
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  async #pull({ device, key, closing }: Job, driver: ChannelDriver, piece: Piece): Promise<ReplayEnd> {
    const { driverContexts, fleet, clock, disk, storage, log } = this.#options;
    if (!driver.replay) return 'over';
    const { signal } = closing;
    const trust = fleet.device(device.deviceSerial)?.supervisor.trust ?? null;
    return await new ReplayImport({
      source: await driver.replay(piece.from, piece.to, signal),
      context: driverContexts.context(device.isOperatorAddress, signal, trust),
      clock,
      disk,
      sink: storage.recordings,
      key,
      isReadSoon: false,
      signal,
      onFault: (error) => log.warn({ ...key, err: error }, 'a file of the filling was given up'),
    }).run();
  }
}

function sumOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** The second stream is filled if the device records it and it is recorded here. */
function tracksToBackfill(channel: ChannelAssignment): { channel: ChannelAssignment; key: TrackKey }[] {
  const { channelId, backfillFrom, record } = channel;
  if (record === null || (backfillFrom === null && record.fillsGaps !== true)) return [];
  const main = { channel, key: { channelId, quality: record.quality } };
  const hasSecond = record.secondStream === true && record.quality !== SECOND && record.fillsGaps === true;
  return hasSecond ? [main, { channel, key: { channelId, quality: SECOND } }] : [main];
}

function nameOf({ channelId, quality }: TrackKey): string {
  return `${channelId}/${quality}`;
}

/** A new password or plan does not stop a running backfill unless it changes the backfill settings. */
function isSameOrder(job: Job, device: DeviceAssignment, { backfillFrom, record }: ChannelAssignment): boolean {
  const before = job.channel;
  return (
    job.device.isOperatorAddress === device.isOperatorAddress &&
    before.backfillFrom === backfillFrom &&
    isSameRecord(before.record, record)
  );
}

function isSameRecord(one: ChannelAssignment['record'], other: ChannelAssignment['record']): boolean {
  return (
    one?.quality === other?.quality &&
    one?.retentionDays === other?.retentionDays &&
    (one?.fillsGaps ?? false) === (other?.fillsGaps ?? false)
  );
}
