// Frames of the feed: cut anywhere, in any order, and refused where they are none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCESS_UNIT_LIMIT } from '@vedette/protocols/rtp/unit-arena.ts';
import type { AccessUnit, MediaFormat } from '../stream/stream.ts';
import { FeedError, FeedReader } from './feed-reader.ts';
import { encodeMessage, encodeUnitHead, fromWireFormat, toWireFormat, type UnitHead } from './feed-wire.ts';

interface Seen {
  readonly head: UnitHead;
  readonly data: Buffer;
}

/** Streams with odd numbers are wanted. */
function reading() {
  const seen: unknown[] = [];
  const reader = new FeedReader({
    message: (message) => seen.push(message),
    unit: ({ stream }) => {
      if (stream % 2 === 0) return null;
      const parts: Buffer[] = [];
      return {
        append: (bytes, from, to) => parts.push(Buffer.from(bytes.subarray(from, to))),
        finish: (head) => seen.push({ head, data: Buffer.concat(parts) }),
      };
    },
  });
  return { reader, seen };
}

function unit(fields: Partial<AccessUnit>): AccessUnit {
  const times = { dts: 2 ** 40 + 1, ctsOffset: -3600, wallMs: 1_800_000_000_000.25 };
  return { track: 'video', data: Buffer.of(1, 2, 3), isKey: false, ...times, ...fields };
}

const frameOf = (stream: number, one: AccessUnit): Buffer => Buffer.concat([encodeUnitHead(stream, one), one.data]);

const arbitraryFrame = fc.oneof(
  fc.record({ id: fc.nat(), ticket: fc.string({ unit: 'grapheme' }) }).map(({ id, ticket }) => {
    const message = { type: 'authorise', id, ticket } as const;
    return { bytes: encodeMessage(message), expected: message as unknown };
  }),
  fc
    .record({
      stream: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      isKey: fc.boolean(),
      track: fc.constantFrom('video' as const, 'audio' as const),
      dts: fc.maxSafeInteger(),
      ctsOffset: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      wallMs: fc.double({ noNaN: true }),
      data: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    })
    .map(({ stream, data, ...head }) => ({
      bytes: frameOf(stream, { ...head, data }),
      expected: stream % 2 === 0 ? null : { head: { stream, ...head }, data },
    })),
);

describe('the reader', () => {
  it('gives every frame back, however the bytes are cut, from memory that is used again', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFrame, { maxLength: 12 }), fc.integer({ min: 1, max: 90 }), (frames, step) => {
        const { reader, seen } = reading();
        const all = Buffer.concat(frames.map(({ bytes }) => bytes));
        for (let at = 0; at < all.length; at += step) {
          const piece = Buffer.from(all.subarray(at, at + step));
          reader.read(piece);
          piece.fill(0xdb);
        }
        expect(seen).toEqual(frames.map(({ expected }) => expected).filter((one) => one !== null));
      }),
    );
  });

  it('refuses what is no frame: a kind, a length or a message that does not exist', () => {
    const prefix = (length: number, kind: number): Buffer => {
      const bytes = Buffer.alloc(5);
      bytes.writeUInt32BE(length, 0);
      bytes[4] = kind;
      return bytes;
    };
    const bad = [
      prefix(10, 2),
      prefix(0, 0),
      prefix(1, 0),
      prefix(2 ** 32 - 1, 0),
      prefix(26, 1),
      prefix(27 + ACCESS_UNIT_LIMIT, 1),
      Buffer.concat([prefix(3, 0), Buffer.from('{[')]),
    ];
    for (const bytes of bad) expect(() => reading().reader.read(bytes), bytes.toString('hex')).toThrow(FeedError);
  });

  it('reads a unit of the largest size', () => {
    const { reader, seen } = reading();
    const one = unit({ data: Buffer.alloc(ACCESS_UNIT_LIMIT, 7) });
    reader.read(frameOf(1, one));
    expect((seen[0] as Seen).data.equals(one.data)).toBe(true);
  });
});

it('a format keeps its codec configurations', () => {
  const format: MediaFormat = {
    video: { codec: 'h265', codecString: 'hvc1.1', width: 64, height: 48, config: Buffer.of(0, 255, 128) },
    audio: { codec: 'aac', codecString: 'mp4a.40.2', sampleRate: 16_000, channels: 1, config: Buffer.of(0x14, 8) },
  };
  for (const one of [format, { video: null, audio: null }])
    expect(fromWireFormat(JSON.parse(JSON.stringify(toWireFormat(one))))).toEqual(one);
});
