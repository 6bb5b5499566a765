// Proves the way of JPEG over RTP and back: tables by number and in band, restart intervals, loss, noise.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeJpegHeaders } from '../jpeg/headers.ts';
import { readJpeg } from '../jpeg/read-jpeg.ts';
import { naturalOrder, quantisationOf } from '../jpeg/tables.ts';
import { JpegDepacketiser } from './depacketise-jpeg.ts';
import { packetiseJpeg } from './packetise-jpeg.ts';
import { payloadOf } from './rtp-payload.fixture.ts';
import { UnitArena } from './unit-arena.ts';

interface Shape {
  readonly sampling: '4:2:2' | '4:2:0';
  readonly restartInterval: number;
  readonly quality: number;
  readonly scan: Uint8Array;
}

function picture({ sampling, restartInterval, quality, scan }: Shape): Buffer {
  const quantisation = quantisationOf(quality);
  const headers = writeJpegHeaders({ width: 320, height: 176, sampling, quantisation, restartInterval });
  return Buffer.concat([headers, scan, Buffer.of(0xff, 0xd9)]);
}

function receive(size: { width: number; height: number } | null = null) {
  const pictures: Buffer[] = [];
  const damages: string[] = [];
  const sink = {
    accessUnit: (data: Buffer) => pictures.push(data),
    parameterSet: () => undefined,
    damaged: (reason: string) => damages.push(reason),
  };
  return { pictures, damages, depacketiser: new JpegDepacketiser(new UnitArena(16), sink, size) };
}

const shapes = fc.record({
  sampling: fc.constantFrom('4:2:2' as const, '4:2:0' as const),
  restartInterval: fc.constantFrom(0, 0, 4, 300),
  quality: fc.integer({ min: 1, max: 99 }),
  // 0xff within the scan is always followed by a zero, so an end mark never stands in it.
  scan: fc.uint8Array({ minLength: 1, maxLength: 6000 }).map((bytes) => bytes.map((byte) => byte & 0x7f)),
});

test('frames survive a round trip byte by byte at any packet size', () => {
  fc.assert(
    fc.property(shapes, fc.integer({ min: 200, max: 1400 }), (shape, limit) => {
      const { pictures, damages, depacketiser } = receive();
      const whole = picture(shape);
      for (const { payload, marker } of packetiseJpeg(whole, limit) ?? []) {
        depacketiser.packet(payload, payloadOf(payload, 7, marker));
      }
      expect(damages).toEqual([]);
      expect(pictures).toHaveLength(1);
      expect(pictures[0]?.equals(whole)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a lost packet damages its frame alone, and is reported once', () => {
  const whole = picture({ sampling: '4:2:0', restartInterval: 0, quality: 50, scan: new Uint8Array(4000).fill(3) });
  const cuts = packetiseJpeg(whole, 600) ?? [];
  for (const [lost] of cuts.entries()) {
    const { pictures, damages, depacketiser } = receive();
    const rounds = [1, 2, 3].flatMap((round) => cuts.map((cut, index) => ({ ...cut, index, round })));
    for (const { payload, marker, index, round } of rounds) {
      if (round === 2 && index === lost) depacketiser.gap();
      else depacketiser.packet(payload, payloadOf(payload, round, marker));
    }
    expect(damages, `packet ${lost}`).toEqual(['lost-packets']);
    expect(pictures).toHaveLength(2);
  }
});

/** One packet that holds a whole picture: type, quality, tables and scan as told. */
function single(type: number, quality: number, tables: readonly number[] | null, side = 40): Buffer {
  const table = tables === null ? [] : [0, 0, tables.length >> 8, tables.length & 255, ...tables];
  const restart = type >= 64 ? [0, 9, 0xff, 0xff] : [];
  return Buffer.from([0, 0, 0, 0, type, quality, side, 22, ...restart, ...table, 1, 2, 3]);
}

test.each([
  ['Q 1', 1],
  ['Q 50', 50],
  ['Q 99', 99],
])('the tables of %s are those of the standard, scaled', (_, quality) => {
  const { pictures, depacketiser } = receive();
  const packet = single(1, quality, null);
  depacketiser.packet(packet, payloadOf(packet, 1));
  const facts = readJpeg(pictures[0] as Buffer);
  const expected = naturalOrder.map((position) => quantisationOf(quality).luma[position]);
  expect([...(facts?.quantisation[0] ?? [])]).toEqual(expected);
  expect(facts).toMatchObject({ width: 320, height: 176, sampling: '4:2:0', restartInterval: 0 });
});

test('tables in band: kept for their number, sent every time for 255, one table for both planes', () => {
  const tables = Array.from({ length: 128 }, (_, i) => (i % 100) + 1);
  const { pictures, damages, depacketiser } = receive();
  const send = (packet: Buffer, timestamp: number) => depacketiser.packet(packet, payloadOf(packet, timestamp));
  send(single(64, 200, tables), 1);
  send(single(64, 200, []), 2);
  expect(pictures[1]?.equals(pictures[0] as Buffer)).toBe(true);
  expect(readJpeg(pictures[0] as Buffer)).toMatchObject({ sampling: '4:2:2', restartInterval: 9 });
  send(single(0, 255, tables.slice(0, 64)), 3);
  const one = readJpeg(pictures[2] as Buffer)?.quantisation;
  expect([...(one?.[1] ?? [])]).toEqual(tables.slice(0, 64));
  send(single(0, 255, []), 4);
  send(single(0, 201, []), 5);
  send(single(0, 100, null), 6);
  send(single(2, 50, null), 7);
  send(single(0, 200, [1, 2, 3]), 8);
  expect(pictures).toHaveLength(3);
  expect(damages).toEqual(['bad-payload', 'bad-payload', 'bad-payload', 'bad-payload', 'bad-payload']);
});

test('tables of 16 bits are taken where their values fit in eight, each by its own bit', () => {
  const { pictures, damages, depacketiser } = receive();
  const values = Array.from({ length: 64 }, (_, i) => i + 1);
  const wide = values.flatMap((value) => [0, value]);
  const send = (precision: number, tables: readonly number[]) => {
    const packet = single(0, 255, tables);
    packet[9] = precision;
    depacketiser.packet(packet, payloadOf(packet, precision));
  };
  send(1, [...wide, ...values]);
  send(2, [...values, ...wide]);
  send(3, [...wide, ...wide]);
  for (const one of pictures)
    expect(
      readJpeg(one)
        ?.quantisation.slice(0, 2)
        .map((table) => [...(table ?? [])]),
    ).toEqual([values, values]);
  expect(pictures).toHaveLength(3);
  send(1, [1, 0, ...wide.slice(2), ...values]);
  expect(damages).toEqual(['bad-payload']);
});

test('segments in the header extension say what the packets cannot: a size above 2040 pixels, planes, tables', () => {
  const { pictures, damages, depacketiser } = receive();
  const quantisation = quantisationOf(40);
  const headers = writeJpegHeaders({ width: 2592, height: 1944, sampling: '4:2:2', quantisation });
  const scan = headers.indexOf(Buffer.of(0xff, 0xda));
  const extension = Buffer.concat([headers.subarray(2, scan), Buffer.alloc(3, 0xff)]);
  const packet = single(1, 0, null, 0);
  depacketiser.extension(0xffd8, extension);
  depacketiser.packet(packet, payloadOf(packet, 1));
  expect(readJpeg(pictures[0] as Buffer)).toMatchObject({ width: 2592, height: 1944, sampling: '4:2:2' });
  const expected = naturalOrder.map((position) => quantisation.luma[position]);
  expect([...(readJpeg(pictures[0] as Buffer)?.quantisation[0] ?? [])]).toEqual(expected);
  // Of that picture alone, and no other profile.
  depacketiser.extension(0xabac, extension);
  depacketiser.packet(packet, payloadOf(packet, 2));
  expect(damages).toEqual(['bad-payload']);
});

test('a frame too wide for its packets has the size of the description', () => {
  const packet = single(0, 50, null, 0);
  const without = receive();
  without.depacketiser.packet(packet, payloadOf(packet, 1));
  expect(without.damages).toEqual(['bad-payload']);
  const { pictures, depacketiser } = receive({ width: 2560, height: 1440 });
  depacketiser.packet(packet, payloadOf(packet, 1));
  expect(readJpeg(pictures[0] as Buffer)).toMatchObject({ width: 2560, height: 176 });
});

test('[SE-81] noise is refused or gives a readable frame, within bounds', () => {
  const { pictures, depacketiser } = receive();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (noise, marker) => {
      if (marker) depacketiser.extension(0xffd8, noise.subarray(0, 100));
      depacketiser.packet(Buffer.from(noise), payloadOf(noise, 1, marker));
    }),
    { numRuns: 2000 },
  );
  for (const one of pictures) expect(readJpeg(one)).not.toBeNull();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => void packetiseJpeg(Buffer.from([0xff, 0xd8, ...noise]))),
  );
});

test('a frame that RTP cannot express is refused', () => {
  const quantisation = quantisationOf(50);
  const odd = writeJpegHeaders({ width: 322, height: 176, sampling: '4:2:0', quantisation });
  expect(packetiseJpeg(odd)).toBeNull();
  expect(packetiseJpeg(Buffer.from('GIF89a'))).toBeNull();
});
