// Imports one replay of a device's own recording into recorded files, as fast as device and disk allow.
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import type { ReplaySource } from '@vedette/drivers/kit/driver.ts';
import { rtspDial } from '@vedette/drivers/kit/outbound/rtsp-dial.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { Recorder } from '@vedette/media/recorder/recorder.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingsSink } from '@vedette/media/recordings/recordings-sink.ts';
import { openReplay, type Replay, type ReplayEnd } from '@vedette/media/source/replay-source.ts';
import { randomHex, random48 } from '@vedette/foundation/random/random-numbers.ts';
import { wait } from '@vedette/foundation/time/wait.ts';

export interface ReplayImportOptions {
  readonly source: ReplaySource;
  readonly context: DriverContext;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly sink: RecordingsSink;
  readonly key: TrackKey;
  /** For playback each fragment is verified and visible at once; otherwise one sync at the end of each file. */
  readonly isReadSoon: boolean;
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
}

/** Backfill may wait longer for a slow device. */
const PATIENT_MS = 15_000;
const QUEUE_BYTES = 16 * 1024 * 1024;
/** Backpressure: the device is paused when this much waits for the disk. */
const HIGH_WATER_BYTES = 6 * 1024 * 1024;
const LOW_WATER_BYTES = 2 * 1024 * 1024;

export class ReplayImport {
  readonly startMs: number;
  readonly endMs: number;
  readonly #options: ReplayImportOptions;
  readonly #recorder: Recorder;
  #replay: Replay | null = null;
  #isHeld = false;

  constructor(options: ReplayImportOptions) {
    const { clock, disk, sink, key, isReadSoon, onFault, source } = options;
    this.#options = options;
    this.startMs = source.from;
    this.endMs = source.to;
    this.#recorder = new Recorder({
      disk,
      key,
      sink,
      monotonicMs: () => clock.monotonicMs(),
      wait: (ms, signal) => wait(clock, ms, signal),
      newRunId: random48,
      onFault,
      syncAtEndOnly: !isReadSoon,
      queueMaxBytes: QUEUE_BYTES,
    });
  }

  /** Up to where recordings were stored, wall clock in ms; null before any. */
  get storedMs(): number | null {
    return this.#recorder.report().lastStoredMs;
  }

  /** Resolves when the span ended, broke off, or was aborted, after telling the device. Rejects with RtspError if nothing came. */
  async run(): Promise<ReplayEnd> {
    const { source, context, clock, signal, isReadSoon } = this.#options;
    const stop = (): void => void this.#replay?.close();
    try {
      this.#replay = await openReplay({
        ...source,
        dial: rtspDial(context),
        clock,
        clientNonce: () => randomHex(8),
        signal,
        fromMs: source.from,
        toMs: source.to,
        ...(!isReadSoon && { silenceMs: PATIENT_MS }),
        consumer: {
          format: (format) => this.#recorder.format(format),
          discontinuity: (reason) => this.#recorder.discontinuity(reason),
          state: () => undefined,
          accessUnit: (unit) => {
            this.#recorder.accessUnit(unit);
            this.#holdBack();
          },
        },
      });
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      return await this.#replay.finished;
    } finally {
      signal.removeEventListener('abort', stop);
      await this.#replay?.close();
      await this.#recorder.close();
    }
  }

  #holdBack(): void {
    if (this.#isHeld || this.#recorder.queuedBytes < HIGH_WATER_BYTES) return;
    this.#isHeld = true;
    this.#replay?.pause();
    void this.#recorder.room(LOW_WATER_BYTES).then(() => {
      this.#isHeld = false;
      this.#replay?.resume();
    });
  }
}
