// What the worker decodes and draws of the wire, with a decoder that a test plays by hand.
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DecoderReport } from './decoder-messages.ts';
import { FrameDecoder } from './frame-decoder.ts';

interface Chunk {
  readonly type: 'key' | 'delta';
  readonly timestamp: number;
  readonly data: Uint8Array;
}

class HandDecoder {
  static last: HandDecoder;
  state = 'unconfigured';
  decodeQueueSize = 0;
  readonly chunks: Chunk[] = [];
  config: { codec: string; description: Uint8Array } | null = null;
  readonly output: (frame: unknown) => void;

  constructor(init: { output: (frame: unknown) => void }) {
    this.output = init.output;
    HandDecoder.last = this;
  }

  configure(config: { codec: string; description: Uint8Array }): void {
    this.state = 'configured';
    this.config = config;
  }

  decode(chunk: Chunk): void {
    this.chunks.push(chunk);
  }

  close(): void {
    this.state = 'closed';
  }

  /** The decoder is done with a chunk. */
  give(chunk: Chunk | undefined): { close: ReturnType<typeof vi.fn> } {
    const frame = { timestamp: chunk?.timestamp, displayWidth: 640, displayHeight: 360, close: vi.fn<() => void>() };
    this.output(frame);
    return frame;
  }
}

const config = Uint8Array.of(1, 0x42, 0xc0, 0x1e, 0xff);
const init = writeInitSegment([
  { kind: 'video', id: 1, timescale: 90_000, codec: 'h264', width: 640, height: 360, config },
]);
const writer = new SampleFragmentWriter(1);

function fragment(picture: number, isKey: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SAMPLE_HEADER_BYTES + 4).fill(picture);
  writer.write(bytes, 0, { data: { length: 4 }, dts: picture * 4500, isKey, ctsOffset: 0 }, 4500);
  return bytes;
}

function setUp(mayShowPast = false) {
  let now = 1000;
  const reports: DecoderReport[] = [];
  const drawImage = vi.fn<() => void>();
  const canvas = { width: 0, height: 0, getContext: () => ({ drawImage }) } as unknown as OffscreenCanvas;
  const decoder = new FrameDecoder({
    slot: 3,
    codec: 'avc1.42c01e',
    canvas,
    mayShowPast,
    now: () => now,
    report: (report) => reports.push(report),
  });
  decoder.takeInit(init);
  const send = (picture: number, isKey = false): void => {
    now += 50;
    const bytes = fragment(picture, isKey);
    decoder.takeFragment({ type: 'fragment', slot: 3, bytes, isKey, wallMs: 5000 + picture });
  };
  return { decoder, reports, drawImage, canvas, send, hand: HandDecoder.last };
}

beforeEach(() => {
  vi.stubGlobal('VideoDecoder', HandDecoder);
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      constructor(chunk: Chunk) {
        Object.assign(this, chunk);
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

describe('the decoder of a tile', () => {
  test('[LV-01] is configured by the init segment, starts at a keyframe, and draws each frame with its capture time', () => {
    const { send, hand, reports, drawImage, canvas } = setUp();
    expect(hand.config).toMatchObject({ codec: 'avc1.42c01e', description: config });
    send(1);
    expect(hand.chunks).toHaveLength(0);
    send(2, true);
    send(3);
    expect(hand.chunks.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ['key', 100_000],
      ['delta', 150_000],
    ]);
    expect([...(hand.chunks[0]?.data ?? [])]).toEqual([2, 2, 2, 2]);
    const frame = hand.give(hand.chunks[0]);
    expect(drawImage).toHaveBeenCalledOnce();
    expect(frame.close).toHaveBeenCalled();
    expect([canvas.width, canvas.height]).toEqual([640, 360]);
    expect(reports).toMatchObject([{ type: 'shown', slot: 3, width: 640, height: 360, wallMs: 5002 }]);
  });

  test('draws only the newest frame of the initial burst', () => {
    const { send, hand, drawImage, reports } = setUp();
    send(1, true);
    hand.decodeQueueSize = 6;
    for (let picture = 2; picture < 8; picture++) send(picture);
    for (const chunk of hand.chunks.slice(0, -1)) hand.give(chunk);
    expect(drawImage).not.toHaveBeenCalled();
    hand.decodeQueueSize = 0;
    hand.give(hand.chunks.at(-1));
    expect(reports).toMatchObject([{ type: 'shown', wallMs: 5007 }]);
  });

  test('shows the keyframe until the burst is decoded when the tile was blank', () => {
    const { send, hand, reports } = setUp(true);
    send(1, true);
    hand.decodeQueueSize = 6;
    for (let picture = 2; picture < 8; picture++) send(picture);
    for (const chunk of hand.chunks.slice(0, -1)) hand.give(chunk);
    hand.decodeQueueSize = 0;
    hand.give(hand.chunks.at(-1));
    expect(reports).toMatchObject([
      { type: 'shown', wallMs: 5001, isPast: true },
      { type: 'shown', wallMs: 5007, isPast: false },
    ]);
  });

  test('reports a lasting queue as lag', () => {
    const { send, hand, reports } = setUp();
    send(1, true);
    hand.decodeQueueSize = 9;
    for (let picture = 2; picture < 80; picture++) send(picture);
    expect(reports.filter(({ type }) => type === 'lag').length).toBeGreaterThan(0);
  });

  test('after a gap it waits for a keyframe and drops pending frames', () => {
    const { decoder, send, hand, drawImage } = setUp();
    send(1, true);
    decoder.expectGap();
    hand.give(hand.chunks[0]);
    expect(drawImage).not.toHaveBeenCalled();
    send(2);
    expect(hand.chunks).toHaveLength(1);
    send(3, true);
    expect(hand.chunks).toHaveLength(2);
  });

  test('measures latency, and counts frames the decoder swallowed', () => {
    const { send, hand, reports } = setUp();
    send(1, true);
    for (let picture = 2; picture < 90; picture++) {
      send(picture);
      if (picture % 2 === 0) hand.give(hand.chunks.at(-1));
    }
    const measured = reports.filter((report) => report.type === 'measured').at(-1);
    expect(measured?.dropped).toBeGreaterThan(10);
    expect(measured?.decodeMs).toBe(0);
  });

  test('invalid bytes are a fault, and a closed decoder accepts nothing', () => {
    const { decoder, send, hand, reports } = setUp();
    const wrong = writeInitSegment([
      { kind: 'audio', id: 1, timescale: 8000, codec: 'aac', sampleRate: 8000, channels: 1, config },
    ]);
    decoder.takeInit(wrong);
    expect(reports).toMatchObject([{ type: 'fault', slot: 3 }]);
    decoder.close();
    send(1, true);
    expect(hand.state).toBe('closed');
    expect(hand.chunks).toHaveLength(0);
  });
});
