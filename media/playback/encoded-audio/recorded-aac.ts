// AAC for HLS from recorded G.711: the same frame for the same instant of a recording, whichever segment is asked for first.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { SILENT_AAC_FRAME } from '@vedette/protocols/aac/silent-frame.ts';
import { AAC_OVERLAP_FRAMES, AAC_WARM_UP_FRAMES, type AacFrames, encodeAacBlock } from '../../codec/aac-block.ts';
import type { StartFfmpeg } from '../../codec/ffmpeg-process.ts';
import type { RecordedMedia } from '../../recordings/check/proven-media.ts';
import type { RecordingsStore } from '../../recordings/recordings-store.ts';
import { type FrameRange, type NumberedFrames, type RunSpan, spanOf } from './aac-grid.ts';
import { type FoundRecords, findRunRecords, readG711Format, readRunAudio, type RunPlace } from './run-audio.ts';

export interface RecordedAacOptions {
  readonly start: StartFfmpeg;
  readonly clock: Clock;
  /** Parallel encoders; each takes a core for some tenths of a second. */
  readonly atOnce: number;
  /** Silence is served in place of what could not be encoded. */
  readonly onFailure: (error: unknown) => void;
}

/** Frames of an encoder run. From 10.24 s on starting the process is less than half of the work. */
const BLOCK_FRAMES = 160;
/** Video does not wait longer for its audio. */
const LATE_MS = 8000;
const RETRY_MS = 5000;
/** About an hour and a half of audio. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Of a block of silence too, so that their number is limited. */
const BLOCK_BYTES_MIN = 512;

interface Block {
  readonly stamp: string;
  /** Null: silence. Never rejects. */
  readonly frames: Promise<AacFrames | null>;
  bytes: number;
  /** Monotonic; null: it did not fail. */
  retryAtMs: number | null;
}

/** The encoder took too long, or too many wait for it. */
class EncodingLate extends Error {
  override readonly name = 'EncodingLate';
}

export class RecordedAac {
  readonly #options: RecordedAacOptions;
  readonly #encoders: Semaphore;
  /** By run and place, the least recently used first. */
  readonly #blocks = new Map<string, Block>();
  readonly #stores = new WeakMap<RecordingsStore, number>();
  #storeCount = 0;
  #bytes = 0;
  readonly #closed = new AbortController();

  constructor(options: RecordedAacOptions) {
    this.#options = options;
    this.#encoders = new Semaphore({ places: options.atOnce });
  }

  /** Frames of the run that `place` is in; silence where encoding fails. */
  async frames(media: RecordedMedia, place: RunPlace, { first, end }: FrameRange): Promise<NumberedFrames> {
    const frames: Uint8Array[] = [];
    for (let at = first; at < end; ) {
      const number = Math.floor(at / BLOCK_FRAMES);
      const until = Math.min(end, (number + 1) * BLOCK_FRAMES);
      const block = await this.#block(media, place, number);
      for (; at < until; at += 1) frames.push(frameAt(block, at - number * BLOCK_FRAMES));
    }
    return { first, frames };
  }

  close(): void {
    this.#closed.abort(new EncodingLate('closed'));
  }

  async #block(media: RecordedMedia, place: RunPlace, number: number): Promise<AacFrames | null> {
    const first = number * BLOCK_FRAMES;
    const end = first + BLOCK_FRAMES + AAC_OVERLAP_FRAMES;
    const span = spanOf({ first: first - AAC_WARM_UP_FRAMES, end });
    const found = await findRunRecords(media, place, span);
    const key = `${this.#storeNumber(media.store)}/${media.key.channelId}/${media.key.quality}/${place.runId}/${number}`;
    const known = this.#blocks.get(key);
    if (known?.stamp === found.stamp && !this.#isDue(known)) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return await known.frames;
    }
    this.#forget(key, known);
    const frames = this.#encode(media, place, span, found).then(
      (made) => this.#keep(key, block, made),
      (error: unknown) => this.#fail(block, error),
    );
    const block: Block = { stamp: found.stamp, frames, bytes: 0, retryAtMs: null };
    this.#blocks.set(key, block);
    return await frames;
  }

  #isDue({ retryAtMs }: Block): boolean {
    return retryAtMs !== null && this.#options.clock.monotonicMs() >= retryAtMs;
  }

  #keep(key: string, block: Block, made: AacFrames | null): AacFrames | null {
    if (this.#blocks.get(key) !== block) return made;
    block.bytes = BLOCK_BYTES_MIN + (made?.bytes.length ?? 0);
    this.#bytes += block.bytes;
    for (const [oldest, one] of this.#blocks) {
      if (this.#bytes <= CACHE_BYTES) break;
      this.#forget(oldest, one);
    }
    return made;
  }

  /** Silence for a while: an encoder that fails is not started for every fragment. */
  #fail(block: Block, error: unknown): null {
    block.retryAtMs = this.#options.clock.monotonicMs() + RETRY_MS;
    this.#options.onFailure(error);
    return null;
  }

  #forget(key: string, block: Block | undefined): void {
    if (block === undefined) return;
    this.#blocks.delete(key);
    this.#bytes -= block.bytes;
    block.bytes = 0;
  }

  async #encode(
    media: RecordedMedia,
    { fileStartMs }: RunPlace,
    span: RunSpan,
    { files }: FoundRecords,
  ): Promise<AacFrames | null> {
    const { start, clock } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(LATE_MS, () => late.abort(new EncodingLate('no AAC in time')));
    const signal = AbortSignal.any([late.signal, this.#closed.signal]);
    try {
      return await this.#encoders.run(
        async () => {
          const audio = await readG711Format(media, fileStartMs);
          const { bytes, isSilent } = await readRunAudio(media, files, span, audio);
          if (isSilent) return null;
          return await encodeAacBlock({ start, audio, source: bytes, frames: BLOCK_FRAMES, signal });
        },
        { signal },
      );
    } finally {
      cancel();
    }
  }

  /** Recordings fetched from a device have a store of their own. */
  #storeNumber(store: RecordingsStore): number {
    const known = this.#stores.get(store);
    if (known !== undefined) return known;
    this.#storeCount += 1;
    this.#stores.set(store, this.#storeCount);
    return this.#storeCount;
  }
}

function frameAt(block: AacFrames | null, at: number): Uint8Array {
  return block === null ? SILENT_AAC_FRAME : block.bytes.subarray(block.offsets[at], block.offsets[at + 1]);
}
