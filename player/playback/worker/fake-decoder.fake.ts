// A fake VideoDecoder that counts, and emits frames when a test says so; and what else a worker needs.
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import { vi } from 'vitest';
import type { SegmentEntry } from '../segments/fragment-index.ts';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';

interface Chunk {
  readonly timestamp: number;
  readonly duration: number;
}

export class FakeDecoder extends EventTarget {
  static all: FakeDecoder[] = [];
  /** Pictures that it keeps back until more follows, as decoders of reordered streams do. */
  static keepsBack = 0;
  /** What it is fed of these instants (µs) it can't decode, or leaves out without a word. */
  static breaksFrom: readonly [from: number, to: number] | null = null;
  static swallows: (atUs: number) => boolean = () => false;
  state = 'unconfigured';
  decodeQueueSize = 0;
  /** How often it was set up. */
  setUps = 0;
  /** Time stamps of everything it was fed. */
  readonly fed: number[] = [];
  #held: Chunk[] = [];
  readonly #output: (picture: unknown) => void;
  readonly #error: (error: DOMException) => void;

  constructor({ output, error }: { output: (picture: unknown) => void; error: (error: DOMException) => void }) {
    super();
    this.#output = output;
    this.#error = error;
    FakeDecoder.all.push(this);
  }

  configure(): void {
    this.state = 'configured';
    this.setUps++;
  }

  reset(): void {
    this.#held = [];
  }

  decode(chunk: Chunk): void {
    this.fed.push(chunk.timestamp);
    const [from, to] = FakeDecoder.breaksFrom ?? [0, 0];
    if (chunk.timestamp < from || chunk.timestamp >= to) return void this.#held.push(chunk);
    this.close();
    queueMicrotask(() => this.#error(new DOMException('no picture', 'EncodingError')));
  }

  /** Hands out what it was fed, and what it is fed meanwhile. */
  async work(): Promise<void> {
    for (let before = -1; before !== this.fed.length; ) {
      before = this.fed.length;
      this.#give(FakeDecoder.keepsBack);
      this.dispatchEvent(new Event('dequeue'));
      await settlePromises();
    }
  }

  async flush(): Promise<void> {
    this.#give(0);
    await settlePromises();
  }

  close(): void {
    this.state = 'closed';
    this.#held = [];
  }

  #give(kept: number): void {
    while (this.#held.length > kept) {
      const { timestamp, duration } = this.#held.shift() as Chunk;
      if (FakeDecoder.swallows(timestamp)) continue;
      this.#output({ timestamp, duration, displayWidth: 64, displayHeight: 36, close: vi.fn<() => void>() });
    }
  }
}

/** Call in a test's set-up: the names stand in the global scope until `vi.unstubAllGlobals`. */
export function stubDecoders(): void {
  FakeDecoder.all = [];
  FakeDecoder.keepsBack = 0;
  FakeDecoder.breaksFrom = null;
  FakeDecoder.swallows = () => false;
  vi.stubGlobal('VideoDecoder', FakeDecoder);
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      constructor(chunk: Chunk) {
        Object.assign(this, chunk);
      }
    },
  );
}

export const SEGMENT_FRAMES = 20;
export const FRAME_MS = 50;

/** Segments of `PICTURES` pictures, one behind the other. */
export function segmentEntryAt(wallMs: number): SegmentEntry {
  const name = `${wallMs}-0-1`;
  return {
    name,
    id: String(wallMs),
    startMs: wallMs,
    endMs: wallMs + SEGMENT_FRAMES * FRAME_MS,
    init: '0',
    base: '/w/',
  };
}

/** Answers every segment that it is asked for, and counts. */
export function segmentServer(sound: keyof typeof AUDIO_SAMPLES | null = null) {
  const asked: string[] = [];
  const get = (address: string | URL | Request): Promise<Response> => {
    asked.push(String(address));
    const isInit = String(address).endsWith('.mp4');
    const wallMs = Number(/(\d+)-0-1/.exec(String(address))?.[1]);
    return Promise.resolve(new Response(isInit ? initSegment(sound) : segment(wallMs, sound)));
  };
  return { asked, get };
}

/** Tones of one second in packets of `ticks`. AAC of 16 kHz: ISO/IEC 14496-3 1.6.2.1. */
const AUDIO_SAMPLES = {
  pcma: { rate: 8000, ticks: 400, bytes: 400, config: new Uint8Array(0) },
  aac: { rate: 16_000, ticks: 1024, bytes: 30, config: Uint8Array.of(0x14, 0x08) },
} as const;

function initSegment(sound: keyof typeof AUDIO_SAMPLES | null): Uint8Array<ArrayBuffer> {
  const config = Uint8Array.of(1, 0x64, 0, 0x28, 0xff, 0xe0, 0);
  const video = { kind: 'video', id: 1, timescale: 90_000, codec: 'h264', width: 64, height: 36, config } as const;
  if (sound === null) return new Uint8Array(writeInitSegment([video]));
  const { rate, config: audioConfig } = AUDIO_SAMPLES[sound];
  const rates = { timescale: rate, sampleRate: rate, channels: 1, config: audioConfig };
  return new Uint8Array(writeInitSegment([video, { kind: 'audio', id: 2, codec: sound, ...rates }]));
}

function segment(wallMs: number, sound: keyof typeof AUDIO_SAMPLES | null): Uint8Array<ArrayBuffer> {
  const samples = Array.from({ length: SEGMENT_FRAMES }, (_, at) => {
    return { size: 4, duration: FRAME_MS * 90, isKey: at === 0, ctsOffset: 0 };
  });
  const header = writeFragmentHeader(1, [{ trackId: 1, baseDts: 0, samples }]);
  return Uint8Array.from([
    ...clockBox(wallMs),
    ...header,
    ...new Uint8Array(SEGMENT_FRAMES * 4),
    ...(sound ? audioOf(wallMs, sound) : []),
  ]);
}

/** Packets go on over the seams: the first of a segment is the first that begins in it. */
function audioOf(wallMs: number, sound: keyof typeof AUDIO_SAMPLES): readonly number[] {
  const { rate, ticks, bytes } = AUDIO_SAMPLES[sound];
  const packetMs = (ticks * 1000) / rate;
  const lead = (packetMs - (wallMs % packetMs)) % packetMs;
  const count = Math.ceil((SEGMENT_FRAMES * FRAME_MS - lead) / packetMs);
  const packets = Array.from({ length: count }, () => ({ size: bytes, duration: ticks, isKey: true, ctsOffset: 0 }));
  const header = writeFragmentHeader(2, [{ trackId: 2, baseDts: Math.round((lead * rate) / 1000), samples: packets }]);
  // 0xaa: a loud value in A-law (ITU-T G.711).
  return [...header, ...new Uint8Array(count * bytes).fill(0xaa)];
}

/** The clock box as the recorder writes it. */
function clockBox(wallMs: number): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 32);
  bytes.set(new TextEncoder().encode('prft'), 4);
  view.setUint8(8, 1);
  view.setUint32(16, Math.floor(wallMs / 1000) + 2_208_988_800);
  view.setUint32(20, Math.floor(((wallMs % 1000) / 1000) * 0x100000000));
  return bytes;
}
