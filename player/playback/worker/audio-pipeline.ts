// Audio pipeline of the tile that is listened to, decoded a little ahead of the clock; only at speed 1.
import { decodeG711 } from '@vedette/protocols/g711/g711.ts';
import type { AudioSetup } from '../segments/decoder-setup.ts';
import type { FragmentTimeline } from '../segments/fragment-timeline.ts';
import type { AudioSample } from '../segments/fragment-samples.ts';
import type { LoadedSegment, SegmentStore } from '../segments/segment-store.ts';

export interface AudioChunk {
  /** Capture instant, ms. */
  readonly at: number;
  readonly sampleRate: number;
  readonly channels: readonly Float32Array<ArrayBuffer>[];
}

export interface AudioPipelineOptions {
  readonly timeline: FragmentTimeline;
  readonly store: SegmentStore;
  readonly onChunk: (chunk: AudioChunk) => void;
}

const AHEAD_MS = 1500;
/** Short pieces are joined: each is resampled by itself, and their edges would be heard. */
const PIECE_S = 0.4;

export class AudioPipeline {
  readonly #options: AudioPipelineOptions;
  #sentUntilUs = 0;
  #setup: AudioSetup | null = null;
  #decoder: AudioDecoder | null = null;
  #isLoading = false;
  /** What was asked for before the last one is void. */
  #resets = 0;
  #piece: AudioChunk | null = null;

  constructor(options: AudioPipelineOptions) {
    this.#options = options;
  }

  /** Sends what lies between the last call and a moment after `at`, ms. */
  tick(at: number): void {
    if (Math.abs(at * 1000 - this.#sentUntilUs) > AHEAD_MS * 2000) this.#sentUntilUs = at * 1000;
    // A piece at a time, not what one picture of the screen lasts.
    if (this.#isLoading || this.#sentUntilUs > (at + AHEAD_MS - PIECE_S * 1000) * 1000) return;
    const place = this.#options.timeline.find(this.#sentUntilUs / 1000 + 1);
    if (place.kind !== 'segment') return;
    this.#isLoading = true;
    const resets = this.#resets;
    const then = (task: () => void): void => {
      if (resets !== this.#resets) return;
      this.#isLoading = false;
      task();
    };
    this.#options.store.segment(place.segment).then(
      (loaded) => then(() => this.#send(loaded, (at + AHEAD_MS) * 1000)),
      // The pictures of the same segment say what is wrong.
      () => then(() => undefined),
    );
  }

  /** The clock jumped. */
  reset(): void {
    this.#sentUntilUs = 0;
    this.#piece = null;
    this.#isLoading = false;
    this.#resets++;
    this.#closeDecoder();
  }

  #send({ audio, setup, entry }: LoadedSegment, untilUs: number): void {
    const { audio: sound } = setup;
    const rest = audio.filter(({ atUs }) => atUs >= this.#sentUntilUs);
    const due = rest.filter(({ atUs }) => atUs < untilUs);
    // Without sound, or behind the last of it: on with the next segment.
    const isOver = due.length === rest.length;
    if (sound) for (const one of due) this.#decode(sound, one);
    if (sound?.kind === 'g711') this.#finish();
    const sentUs = Math.max(this.#sentUntilUs, (due.at(-1)?.atUs ?? 0) + 1);
    this.#sentUntilUs = isOver ? Math.max(sentUs, entry.endMs * 1000) : sentUs;
  }

  #decode(setup: AudioSetup, { atUs, data }: AudioSample): void {
    if (setup.kind === 'g711') {
      const linear = decodeG711(setup.law, data);
      const channel = Float32Array.from(linear, (value) => value / 32_768);
      return this.#collect({ at: atUs / 1000, sampleRate: setup.sampleRate, channels: [channel] });
    }
    if (this.#setup !== setup || this.#decoder?.state !== 'configured') this.#open(setup);
    if (this.#decoder?.state === 'configured') {
      this.#decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: atUs, data }));
    }
  }

  #open(setup: Extract<AudioSetup, { kind: 'codec' }>): void {
    this.#closeDecoder();
    this.#setup = setup;
    const { codec, sampleRate, channels, description } = setup;
    this.#decoder = new AudioDecoder({
      output: (sound) => {
        const planes = Array.from({ length: sound.numberOfChannels }, (_, planeIndex) => {
          const plane = new Float32Array(sound.numberOfFrames);
          sound.copyTo(plane, { planeIndex, format: 'f32-planar' });
          return plane;
        });
        this.#collect({ at: sound.timestamp / 1000, sampleRate: sound.sampleRate, channels: planes });
        sound.close();
      },
      // Pictures go on without audio.
      error: () => undefined,
    });
    this.#decoder.configure({
      codec,
      sampleRate,
      numberOfChannels: channels,
      ...(description ? { description } : {}),
    });
  }

  /** Joins what follows without a gap, and hands a piece on once it is long enough. */
  #collect(next: AudioChunk): void {
    const piece = this.#piece;
    const follows = piece && piece.sampleRate === next.sampleRate && Math.abs(endOf(piece) - next.at) < 2;
    if (piece && !follows) this.#finish();
    this.#piece = piece && follows ? join(piece, next) : next;
    if (endOf(this.#piece) - this.#piece.at >= PIECE_S * 1000) this.#finish();
  }

  #finish(): void {
    if (this.#piece) this.#options.onChunk(this.#piece);
    this.#piece = null;
  }

  #closeDecoder(): void {
    if (this.#decoder && this.#decoder.state !== 'closed') this.#decoder.close();
    this.#decoder = null;
    this.#setup = null;
  }
}

/** Capture instant of the end, ms. */
export function endOf({ at, sampleRate, channels }: AudioChunk): number {
  return at + ((channels[0]?.length ?? 0) * 1000) / sampleRate;
}

function join(first: AudioChunk, second: AudioChunk): AudioChunk {
  const channels = first.channels.map((samples, index) => {
    const more = second.channels[index] ?? new Float32Array(0);
    const joined = new Float32Array(samples.length + more.length);
    joined.set(samples);
    joined.set(more, samples.length);
    return joined;
  });
  return { ...first, channels };
}
