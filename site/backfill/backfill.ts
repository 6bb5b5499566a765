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
import { backfilledPieces, type BackfillGap, findBackfillGaps, isTried, type Tried } from './backfill-gaps.ts';
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
  /** The past of a new channel is there, as far as the device has it. */
  isPastDone: boolean;
  tried: readonly Tried[];
  /** How often in a row a gap was asked for in vain, by its start. */
  readonly vain: Map<number, number>;
  done: Promise<void>;
}

const SECOND = 1;
/** Devices at a time: each replay costs the device and this process as much as many live streams. */
const PARALLEL = 2;
const RETRY_MS = 5000;
/** After a fault: at first as soon as a device is back that was restarted with us, then ever later. */
const RETRY_FIRST_MS = 5000;
const RETRY_MAX_MS = 60_000;
/** What the device did not have then it may have found since: its own disk may be slow. */
const GIVEN_UP_MS = 1_800_000;
/** How often gaps are looked for, and until a device has been reached or missed. */
const CHECK_MS = 10_000;
const UNKNOWN_MS = 1000;

export class Backfill {
  readonly #options: BackfillOptions;
  readonly #jobs = new Map<string, Job>();
  /** The piece wanted soonest enters first, so that no channel that comes again keeps the others out. */
  readonly #replays = new Semaphore<Piece>({ places: PARALLEL, compare: bySooner });

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  /** Starts what is newly wanted, stops what no longer is. */
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

  /** Resolves when nothing of these channels is being filled any more. */
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
    // The past is that of the main stream.
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

  /** Answers the pause until the next step; null when there will be nothing to fill. */
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

  /** Null while the device is away or nothing can be written; undefined where it replays nothing. */
  async #driver({ device, channel, closing }: Job): Promise<ChannelDriver | null | undefined> {
    const { fleet, storage } = this.#options;
    const member = fleet.device(device.deviceSerial);
    if (!member || member.supervisor.state.status !== 1 || storage.recordings.state !== 'normal') return null;
    const driver = await member.supervisor.driver.channel(channel.channelNo, closing.signal);
    return driver.recorded && driver.replay ? driver : undefined;
  }

  /** True when there is nothing left to fill. */
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
    // A replay that broke off left something: it is asked for again for as long as that helps.
    for (let left = Number.POSITIVE_INFINITY; ; ) {
      const pieces = missing();
      const now = sumOf(pieces);
      if (now === 0 || now >= left) return true;
      left = now;
      log.info({ deviceSerial, channelNo, pieces: pieces.length }, 'filling from the device');
      for (const piece of pieces) if ((await this.#pullQueued(job, driver, piece)) === null) return false;
    }
  }

  /** What an outage left out, once the channel records again. What is filled is marked so. */
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
      // A line that broke on the way brought something: what is left is asked for with the next look.
      if (sumOf(missing()) < sumOf(pieces)) job.vain.delete(gap.startMs);
      else this.#setAside(job, gap, end);
    }
  }

  /** Null when filling is over. */
  async #backfillPieces(job: Job, driver: ChannelDriver, gap: BackfillGap, pieces: readonly Piece[]) {
    let all: ReplayEnd = 'over';
    for (const { from, to, round } of pieces) {
      // Before the first picture: what a kill leaves of it is marked too, and its rest known as such.
      this.#options.storage.recordings.note(job.key, { kind: 'filled', startMs: from, endMs: to });
      try {
        const end = await this.#pullQueued(job, driver, { from, to, round });
        if (end === null) return null;
        if (end === 'broken') all = end;
      } catch (error) {
        // The other gaps get their turn before it is tried again.
        this.#setAside(job, gap, 'broken');
        throw error;
      }
    }
    return all;
  }

  /** Each try costs the device a replay from its keyframe on: again soon after a break, and then ever later. */
  #setAside(job: Job, { startMs, endMs }: BackfillGap, end: ReplayEnd): void {
    const times = job.vain.get(startMs) ?? 0;
    job.vain.set(startMs, times + 1);
    const keptMs = end === 'broken' ? Math.min(RETRY_MS * 4 ** times, GIVEN_UP_MS) : GIVEN_UP_MS;
    job.tried = [...job.tried, { startMs, endMs, untilMs: this.#options.clock.monotonicMs() + keptMs }];
  }

  /** In turn with the other channels, so that the same hours of all come together; null when filling is over. */
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

/** The second stream is filled with what the device keeps, where it is recorded here as a series of its own. */
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

/** A new password or a new plan must not stop what goes on under the old one, unless it is about the filling itself. */
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
