// Runs in the worker: decodes one tile's access units with WebCodecs and draws each frame at once.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import { DecodeBacklog } from './decode-backlog.ts';
import type { DecoderOrder, DecoderReport } from './decoder-messages.ts';

export interface FrameDecoderOptions {
  readonly slot: number;
  /** RFC 6381. */
  readonly codec: string;
  readonly canvas: OffscreenCanvas;
  /** Shows an old keyframe, unless another transport still shows live video. */
  readonly mayShowPast: boolean;
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly report: (report: DecoderReport) => void;
}

interface Pending {
  readonly wallMs: number;
  readonly orderedAt: number;
}

const MEASURE_EVERY_MS = 1000;
const MICROSECONDS = 1e6;

export class FrameDecoder {
  readonly #options: FrameDecoderOptions;
  readonly #context: OffscreenCanvasRenderingContext2D | null;
  readonly #backlog = new DecodeBacklog();
  /** Frames in the decoder, by timestamp in microseconds. */
  readonly #pending = new Map<number, Pending>();
  #decoder: VideoDecoder | null = null;
  #timescale = 90_000;
  #needsKeyframe = true;
  #mayShowPast: boolean;
  #dropped = 0;
  #decodeTimes: number[] = [];
  #measuredAt: number;

  constructor(options: FrameDecoderOptions) {
    this.#options = options;
    this.#mayShowPast = options.mayShowPast;
    this.#context = options.canvas.getContext('2d', { alpha: false, desynchronized: true });
    this.#measuredAt = options.now();
  }

  takeInit(bytes: Uint8Array): void {
    const track = readInitSegment(bytes).find(({ kind }) => kind === 'video');
    if (!track) return this.#fail('an init segment without video');
    this.#timescale = track.timescale;
    this.#decoder?.close();
    this.#decoder = new VideoDecoder({
      output: (frame) => this.#draw(frame),
      error: (error) => this.#fail(error.message),
    });
    this.#decoder.configure({ codec: this.#options.codec, description: track.config, optimizeForLatency: true });
    this.expectGap();
  }

  takeFragment({ bytes, isKey, wallMs }: Extract<DecoderOrder, { type: 'fragment' }>): void {
    const decoder = this.#decoder;
    if (decoder?.state !== 'configured') return;
    if (this.#needsKeyframe && !isKey) return;
    this.#needsKeyframe = false;
    const [run] = readFragment(bytes, 0);
    const [sample] = run?.samples ?? [];
    if (!run || !sample) return this.#fail('a fragment without sample');
    const now = this.#options.now();
    if (this.#backlog.isBehind(decoder.decodeQueueSize, now)) {
      this.#options.report({ type: 'lag', slot: this.#options.slot });
      this.#backlog.restart();
    }
    const timestamp = Math.round(((run.baseDts + sample.ctsOffset) / this.#timescale) * MICROSECONDS);
    this.#pending.set(timestamp, { wallMs, orderedAt: now });
    const data = bytes.subarray(sample.offset, sample.offset + sample.size);
    decoder.decode(new EncodedVideoChunk({ type: isKey ? 'key' : 'delta', timestamp, data }));
  }

  expectGap(): void {
    this.#needsKeyframe = true;
    this.#pending.clear();
    this.#backlog.restart();
  }

  close(): void {
    if (this.#decoder && this.#decoder.state !== 'closed') this.#decoder.close();
    this.#decoder = null;
    this.#pending.clear();
  }

  #draw(frame: VideoFrame): void {
    const { slot, canvas, now, report } = this.#options;
    const pending = this.#pending.get(frame.timestamp);
    this.#pending.delete(frame.timestamp);
    // Frames of the burst after the keyframe are only decoded, not drawn.
    const isPast = this.#backlog.isCatchingUp && (this.#decoder?.decodeQueueSize ?? 0) > 1;
    if (!pending || (isPast && !this.#mayShowPast)) {
      frame.close();
      return;
    }
    const { displayWidth: width, displayHeight: height } = frame;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.#context?.drawImage(frame, 0, 0, width, height);
    frame.close();
    this.#mayShowPast = false;
    const shownAtMs = now();
    report({ type: 'shown', slot, width, height, wallMs: pending.wallMs, shownAtMs, isPast });
    this.#measure(shownAtMs - pending.orderedAt, shownAtMs);
  }

  #measure(decodeMs: number, now: number): void {
    this.#decodeTimes.push(decodeMs);
    if (now - this.#measuredAt < MEASURE_EVERY_MS) return;
    const sorted = this.#decodeTimes.toSorted((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? decodeMs;
    // After seconds in the decoder a frame counts as lost.
    for (const [timestamp, { orderedAt }] of this.#pending) {
      if (now - orderedAt < 2 * MEASURE_EVERY_MS) continue;
      this.#pending.delete(timestamp);
      this.#dropped += 1;
    }
    this.#options.report({ type: 'measured', slot: this.#options.slot, dropped: this.#dropped, decodeMs: median });
    this.#decodeTimes = [];
    this.#measuredAt = now;
  }

  #fail(message: string): void {
    this.#options.report({ type: 'fault', slot: this.#options.slot, message });
  }
}
