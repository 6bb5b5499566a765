// Decodes and encodes with the operator's ffmpeg: a few processes, started on demand and ended when idle.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { CodedFormat } from './annex-b.ts';
import { DecodeError, KeyframeDecoder, type SnapshotShape } from './keyframe-decoder.ts';
import type { StartFfmpeg } from './ffmpeg-process.ts';

export interface CodedKeyframe {
  readonly format: CodedFormat & { readonly width: number; readonly height: number };
  /** The access unit: length-prefixed NAL units. */
  readonly data: Buffer;
}

export interface CodecWorkerOptions {
  /** Null without ffmpeg: every use then fails with CodecMissing. */
  readonly start: StartFfmpeg | null;
  readonly clock: Clock;
  /** Parallel processes for snapshots. */
  readonly decoders: number;
}

/** The queue is full (1012). */
export class CodecBusy extends Error {
  override readonly name = 'CodecBusy';
}

/** No ffmpeg on this machine (1006). */
export class CodecMissing extends Error {
  override readonly name = 'CodecMissing';
}

const WAITING_MAX = 64;
/** From process start to its first frame, on a busy machine. */
const FRAME_MS = 5000;
/** Idle processes are ended, since they hold memory. */
const IDLE_MS = 15_000;
const TRIES = 2;

interface Job {
  readonly shape: SnapshotShape;
  readonly keyframe: CodedKeyframe;
  readonly signal: AbortSignal;
  readonly resolve: (jpeg: Buffer) => void;
  readonly reject: (error: unknown) => void;
  tries: number;
}

interface Slot {
  readonly decoder: KeyframeDecoder;
  cancelIdle: () => void;
}

export class CodecWorker {
  readonly #options: CodecWorkerOptions;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #isClosed = false;
  /** Processes that ended before their first frame. */
  #failures = 0;

  constructor(options: CodecWorkerOptions) {
    this.#options = options;
  }

  get isAvailable(): boolean {
    return this.#options.start !== null;
  }

  get counters(): { readonly programs: number; readonly waiting: number; readonly failures: number } {
    return { programs: this.#slots.size, waiting: this.#waiting.length, failures: this.#failures };
  }

  /**
   * Returns the frame as JPEG, at most `maxWidth` wide. Rejects with CodecMissing, CodecBusy, DecodeError,
   * BitstreamError or the signal's reason.
   */
  snapshot(picture: CodedKeyframe, maxWidth: number, signal: AbortSignal): Promise<Buffer> {
    const shape = { codec: picture.format.codec, output: 'jpeg', ...snapshotSize(picture.format, maxWidth) } as const;
    return this.#order(shape, picture, signal);
  }

  /** Returns the frame as one brightness byte per pixel, `width` × `height`. Rejects as `still` does. */
  grey(picture: CodedKeyframe, size: { readonly width: number; readonly height: number }, signal: AbortSignal) {
    return this.#order({ codec: picture.format.codec, output: 'grey', ...size }, picture, signal);
  }

  close(): void {
    this.#isClosed = true;
    for (const slot of this.#slots) this.#end(slot);
    for (const job of this.#waiting.splice(0)) job.reject(new CodecMissing('closed'));
  }

  #order(shape: SnapshotShape, keyframe: CodedKeyframe, signal: AbortSignal): Promise<Buffer> {
    if (!this.#options.start || this.#isClosed) return Promise.reject(new CodecMissing('no ffmpeg on PATH'));
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(new CodecBusy('too many pictures wait'));
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#waiting.push({ shape, keyframe, signal, resolve, reject, tries: 0 });
    this.#serve();
    return promise;
  }

  #serve(): void {
    for (let at = 0; at < this.#waiting.length; ) {
      const job = this.#waiting[at] as Job;
      const slot = job.signal.aborted ? null : this.#slotFor(job.shape);
      if (!job.signal.aborted && !slot) {
        at += 1;
        continue;
      }
      this.#waiting.splice(at, 1);
      if (slot) void this.#run(slot, job);
      else job.reject(job.signal.reason);
    }
  }

  /** A free process of this shape, a new one, or a new one that replaces an idle one; null if all are busy. */
  #slotFor(shape: SnapshotShape): Slot | null {
    const idle = [...this.#slots].filter(({ decoder }) => !decoder.isBusy && !decoder.isEnded);
    const fitting = idle.find(({ decoder }) => isSame(decoder.shape, shape));
    if (fitting) return fitting;
    if (this.#slots.size >= this.#options.decoders) {
      const [oldest] = idle;
      if (!oldest) return null;
      this.#end(oldest);
    }
    const { start } = this.#options;
    if (!start) return null;
    const slot = { decoder: new KeyframeDecoder(shape, start), cancelIdle: () => undefined };
    this.#slots.add(slot);
    return slot;
  }

  async #run(slot: Slot, job: Job): Promise<void> {
    const { clock } = this.#options;
    slot.cancelIdle();
    const cancelLate = clock.after(FRAME_MS, () => slot.decoder.kill());
    job.tries += 1;
    try {
      job.resolve(await slot.decoder.decode(job.keyframe.format, job.keyframe.data));
    } catch (error) {
      const mayRetry = error instanceof DecodeError && error.mayRetry && job.tries < TRIES && !this.#isClosed;
      if (error instanceof DecodeError && error.mayRetry) this.#failures += 1;
      if (mayRetry) this.#waiting.unshift(job);
      else job.reject(error);
    }
    cancelLate();
    if (slot.decoder.isEnded || slot.decoder.isBusy) this.#end(slot);
    else slot.cancelIdle = clock.after(IDLE_MS, () => this.#end(slot));
    this.#serve();
  }

  #end(slot: Slot): void {
    slot.cancelIdle();
    this.#slots.delete(slot);
    slot.decoder.kill();
  }
}

function isSame(a: SnapshotShape, b: SnapshotShape): boolean {
  return a.codec === b.codec && a.output === b.output && a.width === b.width && a.height === b.height;
}

/** Even dimensions, for JPEG with subsampled colour. */
export function snapshotSize(
  { width, height }: { width: number; height: number },
  maxWidth: number,
): { width: number; height: number } {
  const scale = Math.min(1, maxWidth / Math.max(1, width));
  const even = (side: number): number => Math.max(16, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
