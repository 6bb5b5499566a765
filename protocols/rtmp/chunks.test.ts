// Tests of RTMP chunks: examples of the specification, every message back in whatever pieces, and broken chunks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkReader, type ReadMessage } from './chunk-reader.ts';
import { type RtmpMessage, writeChunks } from './chunk-writer.ts';
import { RTMP_MESSAGE } from './message-types.ts';
import { RtmpError } from './rtmp-error.ts';

const anyMessage: fc.Arbitrary<RtmpMessage> = fc.record({
  chunkStream: fc.integer({ min: 2, max: 63 }),
  type: fc.constantFrom(RTMP_MESSAGE.audio, RTMP_MESSAGE.video, RTMP_MESSAGE.command),
  stream: fc.nat(),
  timestampMs: fc.oneof(
    fc.nat(),
    fc.integer({ min: 0xfffff0, max: 0x100000f }),
    fc.integer({ min: 0, max: 0xffffffff }),
  ),
  payload: fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 3 }),
});

const read = (message: RtmpMessage): ReadMessage => ({
  type: message.type,
  stream: message.stream,
  timestampMs: message.timestampMs,
  payload: Buffer.concat(message.payload),
});

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('RTMP chunks', () => {
  it('writes the message of 307 bytes of section 5.3.2.2 as three chunks', () => {
    const payload = [Buffer.alloc(307, 7)];
    const bytes = writeChunks({ chunkStream: 4, type: 9, stream: 12346, timestampMs: 1000, payload }, 128);
    expect(bytes.length).toBe(140 + 129 + 52);
    expect(bytes.subarray(0, 12)).toEqual(hex('04 0003e8 000133 09 3a300000'));
    expect([bytes[140], bytes[140 + 129]]).toEqual([0xc4, 0xc4]);
  });

  it('reads the audio of section 5.3.2.1, whose headers shrink', () => {
    const piece = 'aa'.repeat(32);
    const bytes = hex(`03 0003e8 000020 08 39300000 ${piece} 83 000014 ${piece} c3 ${piece} c3 ${piece}`);
    const messages = new ChunkReader().push(bytes);
    expect(messages.map(({ timestampMs }) => timestampMs)).toEqual([1000, 1020, 1040, 1060]);
    expect(messages.every(({ stream, type, payload }) => stream === 12345 && type === 8 && payload.length === 32)).toBe(
      true,
    );
  });

  it('reads back what it wrote, however it is cut', () => {
    const cases = fc.record({
      messages: fc.array(anyMessage, { minLength: 1, maxLength: 5 }),
      chunkBytes: fc.integer({ min: 1, max: 5000 }),
      cut: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(cases, ({ messages, chunkBytes, cut }) => {
        const size = Buffer.alloc(4);
        size.writeUInt32BE(chunkBytes);
        const setSize = { chunkStream: 2, type: RTMP_MESSAGE.setChunkSize, stream: 0, timestampMs: 0, payload: [size] };
        const bytes = Buffer.concat([
          writeChunks(setSize, 128),
          ...messages.map((one) => writeChunks(one, chunkBytes)),
        ]);
        const reader = new ChunkReader();
        const found: ReadMessage[] = [];
        for (let at = 0; at < bytes.length; at += cut) found.push(...reader.push(bytes.subarray(at, at + cut)));
        expect(found.slice(1)).toEqual(messages.map(read));
      }),
    );
  });

  it('reads chunk streams of two and three bytes, and forgets an aborted message', () => {
    const reader = new ChunkReader();
    const [two, three] = [hex('00 06 000001 000001 08 00000000 11'), hex('01 0601 000001 000001 08 00000000 22')];
    expect(reader.push(Buffer.concat([two, three])).map(({ payload }) => payload.toString('hex'))).toEqual([
      '11',
      '22',
    ]);
    const begun = Buffer.concat([hex('05 000000 000100 09 00000000'), Buffer.alloc(128)]);
    const abort = hex('02 000000 000004 02 00000000 00000005');
    const whole = hex('05 000000 000002 09 00000000 3344');
    const found = reader.push(Buffer.concat([begun, abort, whole])).map(({ payload }) => payload.toString('hex'));
    expect(found).toEqual(['00000005', '3344']);
  });

  it('refuses a message within another, one that is too long, chunks of no bytes, and endless chunk streams', () => {
    const begun = Buffer.concat([hex('05 000000 000100 09 00000000'), Buffer.alloc(128)]);
    const many = Array.from({ length: 80 }, (_, at) => Buffer.of(0, at, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0));
    const broken = [
      Buffer.concat([begun, hex('05 000000 000002 09 00000000 3344')]),
      hex('05 000000 ffffff 09 00000000'),
      hex('02 000000 000004 01 00000000 00000000'),
      Buffer.concat(many),
    ];
    for (const bytes of broken) expect(() => new ChunkReader().push(bytes)).toThrow(RtmpError);
  });

  it('throws nothing but RtmpError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          new ChunkReader().push(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(RtmpError);
        }
      }),
    );
  });
});
