// Fetches what is missing here from the devices' own storage: once the past of a channel that is new, and what each outage left out.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { ReplayEnd } from '@vedette/media/source/replay-source.ts';
import { ReplayImport } from './device-footage/replay-import.ts';
import type { DriverWorld } from './driver-world.ts';
import { FillTurns } from './fill-turns.ts';
import type { Fleet } from './fleet.ts';
import { filledPieces, gapsToFill, isTried, type Tried } from './gaps-to-fill.ts';
import { missingPieces, type Piece } from './missing-pieces.ts';
import type { SiteStorage } from './site-storage.ts';
import { waitOn } from './wait.ts';

export interface BackfillOptions {
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly world: DriverWorld;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: DriverLog;
}

interface Job {
  readonly device: DeviceAssignment;
  readonly channel: ChannelAssignment;
  readonly closing: AbortController;
  /** The past of a new channel is there, as far as the device has it. */
  isPastDone: boolean;
  tried: readonly Tried[];
  done: Promise<void>;
}

/** Devices at a time: each replay costs the device and this process as much as many live streams. */
const PARALLEL = 2;
const RETRY_MS = 5000;
const RETRY_AFTER_FAULT_MS = 60_000;
/** What the device did not have then it may have found since: its own disk may be slow. */
const GIVEN_UP_MS = 1_800_000;
/** How often gaps are looked for. */
const LOOK_MS = 10_000;

export class Backfill {
  readonly #options: BackfillOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #turns = new FillTurns(PARALLEL);

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  /** Starts what is newly wanted, stops what no longer is. */
  plan(devices: readonly DeviceAssignment[]): void {
    const wanted = new Set<string>();
    for (const device of devices) {
      for (const channel of device.channels) {
        if (!isWanted(channel)) continue;
        wanted.add(channel.channelId);
        const before = this.#jobs.get(channel.channelId);
        if (before && !before.closing.signal.aborted && isSameOrder(before, device, channel)) continue;
        before?.closing.abort();
        this.#start(device, channel, before);
      }
    }
    for (const [channelId, job] of this.#jobs) if (!wanted.has(channelId)) job.closing.abort();
  }

  /** Resolves when nothing of these channels is being filled any more. */
  async stopped(channelIds: readonly string[]): Promise<void> {
    for (const channelId of channelIds) {
      const job = this.#jobs.get(channelId);
      job?.closing.abort();
      await job?.done;
      this.#jobs.delete(channelId);
    }
  }

  async close(): Promise<void> {
    await this.stopped([...this.#jobs.keys()]);
  }

  #start(device: DeviceAssignment, channel: ChannelAssignment, before: Job | undefined): void {
    const isPastDone = (before?.isPastDone && before.channel.backfillFrom === channel.backfillFrom) ?? false;
    const closing = new AbortController();
    const job: Job = { device, channel, closing, isPastDone, tried: [], done: Promise.resolve() };
    this.#jobs.set(channel.channelId, job);
    job.done = (before?.done ?? Promise.resolve()).then(() => this.#run(job));
  }

  async #run(job: Job): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = job.closing;
    const { deviceSerial } = job.device;
    const { channelNo, backfillFrom, record } = job.channel;
    job.isPastDone ||= backfillFrom === null;
    while (!signal.aborted) {
      let pause = LOOK_MS;
      try {
        if (!job.isPastDone) {
          job.isPastDone = await this.#fillPast(job);
          pause = job.isPastDone ? 0 : RETRY_MS;
        } else if (record?.fillsGaps) await this.#fillGaps(job);
        else return;
      } catch (error) {
        pause = RETRY_AFTER_FAULT_MS;
        if (!signal.aborted)
          log.warn({ deviceSerial, channelNo, err: error }, 'filling from the device stopped; it is tried again');
      }
      await waitOn(clock, pause, signal);
    }
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
  async #fillPast(job: Job): Promise<boolean> {
    const { storage, log, clock } = this.#options;
    const { signal } = job.closing;
    const { channelNo, backfillFrom } = job.channel;
    const { deviceSerial } = job.device;
    const driver = await this.#driver(job);
    const key = keyOf(job);
    if (driver === undefined || !key || backfillFrom === null) return true;
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
      for (const piece of pieces) if ((await this.#pullInTurn(job, driver, piece)) === null) return false;
    }
  }

  /** What an outage left out, once the channel records again. What is filled is marked so. */
  async #fillGaps(job: Job): Promise<void> {
    const { storage, log, clock } = this.#options;
    const { signal } = job.closing;
    const { channelNo, record } = job.channel;
    const { deviceSerial } = job.device;
    const key = keyOf(job);
    if (!key || !record) return;
    const { store } = storage.recordings;
    job.tried = job.tried.filter(({ untilMs }) => untilMs > clock.monotonicMs());
    const gaps = gapsToFill(store, key, clock.wallMs(), record.retentionDays).filter((gap) => !isTried(job.tried, gap));
    const [first, last] = [gaps[0], gaps.at(-1)];
    if (!first || !last) return;
    const driver = await this.#driver(job);
    if (!driver?.recorded) return;
    const held = await driver.recorded(first.startMs, last.endMs, signal);
    for (const gap of gaps) {
      const missing = () => missingPieces(filledPieces(held, gap), store.spans(key, gap.startMs, gap.endMs), gap.endMs);
      const pieces = missing();
      if (pieces.length > 0)
        log.info({ deviceSerial, channelNo, pieces: pieces.length }, 'filling a gap from the device');
      let keptMs = GIVEN_UP_MS;
      for (const piece of pieces) {
        const end = await this.#pullInTurn(job, driver, piece);
        if (end === 'broken') keptMs = RETRY_MS;
        for (const { startTime, endTime } of store.spans(key, piece.from, piece.to))
          storage.recordings.note(key, { kind: 'filled', startMs: startTime, endMs: endTime });
        if (end === null) return;
      }
      // A line that broke on the way brought something: what is left is asked for with the next look.
      if (sumOf(missing()) >= sumOf(pieces))
        job.tried = [...job.tried, { ...gap, untilMs: clock.monotonicMs() + keptMs }];
    }
  }

  /** In turn with the other channels, so that the same hours of all come together; null when filling is over. */
  async #pullInTurn(job: Job, driver: ChannelDriver, piece: Piece): Promise<ReplayEnd | null> {
    const { signal } = job.closing;
    const leave = await this.#turns.enter(piece, signal);
    if (leave === null) return null;
    try {
      const end = await this.#pull(job, driver, piece);
      return signal.aborted ? null : end;
    } finally {
      leave();
    }
  }

  async #pull({ device, channel, closing }: Job, driver: ChannelDriver, piece: Piece): Promise<ReplayEnd> {
    const { world, fleet, clock, disk, storage, log } = this.#options;
    const { channelId, record } = channel;
    if (!driver.replay || !record) return 'over';
    const { signal } = closing;
    const trust = fleet.device(device.deviceSerial)?.supervisor.trust ?? null;
    return await new ReplayImport({
      source: await driver.replay(piece.from, piece.to, signal),
      context: world.context(device.isOperatorAddress, signal, trust),
      clock,
      disk,
      sink: storage.recordings,
      key: { channelId, quality: record.quality },
      isReadSoon: false,
      signal,
      onFault: (error) => log.warn({ channelId, err: error }, 'a file of the filling was given up'),
    }).run();
  }
}

function sumOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}

function keyOf({ channel: { channelId, record } }: Job): TrackKey | null {
  return record && { channelId, quality: record.quality };
}

function isWanted({ backfillFrom, record }: ChannelAssignment): boolean {
  return record !== null && (backfillFrom !== null || record.fillsGaps === true);
}

/** A new password or a new plan must not stop what goes on under the old one, unless it is about the filling itself. */
function isSameOrder(job: Job, device: DeviceAssignment, { backfillFrom, record }: ChannelAssignment): boolean {
  const before = job.channel;
  return (
    job.device.isOperatorAddress === device.isOperatorAddress &&
    before.backfillFrom === backfillFrom &&
    before.record?.quality === record?.quality &&
    before.record?.retentionDays === record?.retentionDays &&
    (before.record?.fillsGaps ?? false) === (record?.fillsGaps ?? false)
  );
}
