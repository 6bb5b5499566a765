// A recorder over real files fed frame by frame, with a ledger of fed and stored frames.
import { Recorder } from '@vedette/media/recorder/recorder.ts';
import { clip, syntheticUnits } from '../../media/recorder/synthetic-stream.fixture.ts';
import { createDisk, type Disk } from '@vedette/media/recordings/disk.ts';
import { RetentionLocks } from '@vedette/media/recordings/retention-locks.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { Recordings } from '@vedette/media/recordings/recordings.ts';
import type { AccessUnit } from '@vedette/media/stream/stream.ts';

export const FRAME_MS = 50;

export interface FedOptions {
  readonly folder: string;
  readonly disk?: Disk;
  readonly budgetBytes?: number;
  readonly reserveBytes?: number;
  readonly queueMaxBytes?: number;
  readonly knownId?: string | null;
  readonly locks?: RetentionLocks;
  readonly channels?: number;
  /** Added to each picture as filler data (NAL type 12 of ITU-T H.264), so that small clips fill disks. */
  readonly fillerBytes?: number;
}

interface Fed {
  readonly key: TrackKey;
  readonly recorder: Recorder;
  fedUntilMs: number;
}

export class FedRecorder {
  readonly recordings: Recordings;
  readonly faults: unknown[] = [];
  readonly fed: readonly Fed[];
  readonly #filler: Buffer;

  private constructor(options: FedOptions) {
    const disk = options.disk ?? createDisk();
    this.#filler = fillerOf(options.fillerBytes ?? 0);
    this.recordings = new Recordings({
      disk,
      folder: options.folder,
      limits: { budgetBytes: options.budgetBytes ?? 1e15, reserveBytes: options.reserveBytes ?? 0 },
      rules: {
        retentionDays: () => null,
        quotaBytes: () => null,
        isLocked: (channelId, startMs, endMs) => options.locks?.isLocked(channelId, startMs, endMs) ?? false,
      },
      knownId: options.knownId ?? null,
      newId: () => 'fed',
      writer: { self: `fed ${Math.random()}`, isGone: () => Promise.resolve(true) },
      wallMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      log: { info: () => undefined, warn: () => undefined },
    });
    this.fed = Array.from({ length: options.channels ?? 1 }, (_, n) => {
      const key = { channelId: `fed${n + 1}`, quality: 0 } as const;
      const recorder = new Recorder({
        disk,
        key,
        sink: this.recordings,
        monotonicMs: () => performance.now(),
        wait: (ms, signal) => delay(ms, signal),
        newRunId: () => Math.floor(Math.random() * 2 ** 50),
        onFault: (error) => this.faults.push(error),
        onMissing: (range) => this.recordings.note(key, { kind: 'disk', ...range }),
        ...(options.queueMaxBytes !== undefined && { queueMaxBytes: options.queueMaxBytes }),
      });
      return { key, recorder, fedUntilMs: 0 };
    });
  }

  static async open(options: FedOptions): Promise<FedRecorder> {
    const made = new FedRecorder(options);
    await made.recordings.check();
    return made;
  }

  get first(): Fed {
    const [one] = this.fed;
    if (!one) throw new Error('no channel is fed');
    return one;
  }

  /** All at once: `seconds` of footage from `startMs` on the wall clock. */
  feed(startMs: number, seconds: number): void {
    for (const one of this.fed) {
      if (one.fedUntilMs === 0) one.recorder.format(clip.format);
      for (const unit of syntheticUnits({ startMs, seconds, firstDts: startMs * 90 })) {
        one.recorder.accessUnit(this.#filled(unit));
        one.fedUntilMs = unit.wallMs + FRAME_MS;
      }
    }
  }

  /** As a camera: each picture at its time, until the answer is called. */
  live(): () => void {
    const startMs = Date.now();
    const units = syntheticUnits({ startMs, seconds: 1e6 });
    for (const { recorder } of this.fed) recorder.format(clip.format);
    let next = units.next().value as AccessUnit;
    const timer = setInterval(() => {
      for (; next.wallMs <= Date.now(); next = units.next().value as AccessUnit) {
        const filled = this.#filled(next);
        for (const one of this.fed) {
          one.recorder.accessUnit(filled);
          one.fedUntilMs = next.wallMs + FRAME_MS;
        }
      }
    }, FRAME_MS / 2);
    return () => clearInterval(timer);
  }

  async close(): Promise<void> {
    await Promise.all(this.fed.map(({ recorder }) => recorder.close()));
    await this.recordings.close();
  }

  #filled(unit: AccessUnit): AccessUnit {
    return this.#filler.length === 0 ? unit : { ...unit, data: Buffer.concat([unit.data, this.#filler]) };
  }
}

function fillerOf(bytes: number): Buffer {
  if (bytes === 0) return Buffer.alloc(0);
  const filler = Buffer.alloc(bytes + 6, 0xff);
  filler.writeUInt32BE(bytes + 2, 0);
  filler.writeUInt8(12, 4);
  filler.writeUInt8(0x80, bytes + 5);
  return filler;
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
