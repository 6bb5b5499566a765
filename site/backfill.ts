// Fills the past of a channel from the device's own storage, newest hours first, behind everything live and able to go on after a restart.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { ChannelDriver } from '@vedette/drivers/kit/driver.ts';
import { rtspDial } from '@vedette/drivers/kit/outbound/rtsp-dial.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { openReplay, type Replay } from '@vedette/media/source/replay-source.ts';
import { newRecorder } from './channel-recorder.ts';
import type { DriverWorld } from './driver-world.ts';
import { FillTurns } from './fill-turns.ts';
import type { Fleet } from './fleet.ts';
import { missingPieces, type Piece } from './missing-pieces.ts';
import { randomHex } from './randomness.ts';
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
  done: Promise<void>;
}

/** Devices at a time: each replay costs the device and this process as much as many live streams. */
const PARALLEL = 2;
const RETRY_MS = 5000;
const RETRY_AFTER_FAULT_MS = 60_000;
const QUEUE_BYTES = 16 * 1024 * 1024;
/** The device is held back when so much waits for the disk. */
const HIGH_WATER_BYTES = 6 * 1024 * 1024;
const LOW_WATER_BYTES = 2 * 1024 * 1024;

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
        if (channel.backfillFrom === null || channel.record === null) continue;
        wanted.add(channel.channelId);
        const before = this.#jobs.get(channel.channelId);
        if (!before || before.closing.signal.aborted) this.#start(device, channel, before?.done);
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

  #start(device: DeviceAssignment, channel: ChannelAssignment, after: Promise<void> = Promise.resolve()): void {
    const job: Job = { device, channel, closing: new AbortController(), done: Promise.resolve() };
    this.#jobs.set(channel.channelId, job);
    job.done = after.then(() => this.#run(job));
  }

  async #run(job: Job): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = job.closing;
    const { deviceSerial } = job.device;
    const { channelNo } = job.channel;
    while (!signal.aborted) {
      let pause = RETRY_MS;
      try {
        if (await this.#fill(job)) return;
      } catch (error) {
        pause = RETRY_AFTER_FAULT_MS;
        if (!signal.aborted)
          log.warn({ deviceSerial, channelNo, err: error }, 'filling from the device stopped; it is tried again');
      }
      await waitOn(clock, pause, signal);
    }
  }

  /** True when there is nothing left to fill. */
  async #fill(job: Job): Promise<boolean> {
    const { fleet, storage, log, clock } = this.#options;
    const { signal } = job.closing;
    const { channelNo, channelId, record, backfillFrom } = job.channel;
    const { deviceSerial } = job.device;
    const member = fleet.device(deviceSerial);
    if (!member || !record || backfillFrom === null) return false;
    if (member.supervisor.state.status !== 1 || storage.recordings.state !== 'normal') return false;
    const driver = await member.supervisor.driver.channel(channelNo, signal);
    if (!driver.recorded || !driver.replay) return true;
    const key: TrackKey = { channelId, quality: record.quality };
    const until = clock.wallMs();
    const held = await driver.recorded(backfillFrom, until, signal);
    const missing = (): Piece[] => missingPieces(held, storage.recordings.store.spans(key, backfillFrom, until), until);
    // A replay that broke off left something: it is asked for again for as long as that helps.
    for (let left = Number.POSITIVE_INFINITY; ; ) {
      const pieces = missing();
      const now = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
      if (now === 0 || now >= left) return true;
      left = now;
      log.info({ deviceSerial, channelNo, pieces: pieces.length }, 'filling from the device');
      for (const piece of pieces) if (!(await this.#pullInTurn(job, driver, piece))) return false;
    }
  }

  /** In turn with the other channels, so that the same hours of all come together; false when filling is over. */
  async #pullInTurn(job: Job, driver: ChannelDriver, piece: Piece): Promise<boolean> {
    const { signal } = job.closing;
    const leave = await this.#turns.enter(piece, signal);
    if (leave === null) return false;
    try {
      await this.#pull(job, driver, piece);
    } finally {
      leave();
    }
    return !signal.aborted;
  }

  async #pull(job: Job, driver: ChannelDriver, piece: Piece): Promise<void> {
    const { world, clock, disk, storage, log } = this.#options;
    const { channelId, record } = job.channel;
    if (!driver.replay || !record) return;
    const { signal } = job.closing;
    const source = await driver.replay(piece.from, piece.to, signal);
    const recorder = newRecorder(
      {
        clock,
        disk,
        recordings: storage.recordings,
        key: { channelId, quality: record.quality },
        onFault: (error) => log.warn({ channelId, err: error }, 'a file of the filling was given up'),
      },
      { syncAtEndOnly: true, queueMaxBytes: QUEUE_BYTES },
    );
    let replay: Replay | null = null;
    let isHeld = false;
    try {
      replay = await openReplay({
        ...source,
        dial: rtspDial(world.context(job.device.isOperatorAddress, signal)),
        clock,
        clientNonce: () => randomHex(8),
        signal,
        fromMs: piece.from,
        toMs: piece.to,
        consumer: {
          format: (format) => recorder.format(format),
          discontinuity: (reason) => recorder.discontinuity(reason),
          state: () => undefined,
          accessUnit: (unit) => {
            recorder.accessUnit(unit);
            if (isHeld || recorder.queuedBytes < HIGH_WATER_BYTES) return;
            isHeld = true;
            replay?.pause();
            void recorder.room(LOW_WATER_BYTES).then(() => {
              isHeld = false;
              replay?.resume();
            });
          },
        },
      });
      const stop = (): void => void replay?.close();
      signal.addEventListener('abort', stop, { once: true });
      await replay.finished;
      signal.removeEventListener('abort', stop);
    } finally {
      await replay?.close();
      await recorder.close();
    }
  }
}
