// Proves that pictures and audio survive packetising and depacketising, that gaps never yield a torn picture, and fuzzes payloads.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AacDepacketiser, PlainAudioDepacketiser } from './depacketise-audio.ts';
import { H264Depacketiser } from './depacketise-h264.ts';
import { H265Depacketiser } from './depacketise-h265.ts';
import { packetiseAac } from './packetise-audio.ts';
import { packetiseH264, packetiseH265 } from './packetise-video.ts';
import type { Depacketiser, DepacketiserSink } from './picture-assembler.ts';
import { payloadOf } from './rtp-payload.fixture.ts';
import { UnitArena } from './unit-arena.ts';

interface Seen {
  readonly units: { data: Buffer; timestamp: number; isKey: boolean }[];
  readonly sets: string[];
  readonly damage: string[];
}

function watch<T extends Depacketiser>(
  create: (arena: UnitArena, sink: DepacketiserSink) => T,
): { seen: Seen; subject: T } {
  const seen: Seen = { units: [], sets: [], damage: [] };
  const subject = create(new UnitArena(112, 4096), {
    accessUnit: (data, timestamp, isKey) => seen.units.push({ data, timestamp, isKey }),
    parameterSet: (nal) => seen.sets.push(Buffer.from(nal).toString('hex')),
    damaged: (reason) => seen.damage.push(reason),
  });
  return { seen, subject };
}

function unitOf(...nals: Buffer[]): Buffer {
  return Buffer.concat(
    nals.flatMap((nal) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(nal.length);
      return [length, nal];
    }),
  );
}

/** A slice whose second byte says "first of its picture". */
function slice(header: number[], size: number, first = true): Buffer {
  const body = Buffer.alloc(size, 0x55);
  body[0] = first ? 0x88 : 0x48;
  return Buffer.concat([Buffer.from(header), body]);
}

const IDR = [0x65];
const P = [0x41];
const sps = Buffer.from('6742c01ed903c568', 'hex');
const pps = Buffer.from('68cb8cb2', 'hex');

test('access units of any size survive a round trip at any packet size', () => {
  const h264 = watch((arena, sink) => new H264Depacketiser(arena, sink));
  const h265 = watch((arena, sink) => new H265Depacketiser(arena, sink));
  let time = 1;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 2, max: 9000 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 20, max: 1400 }),
      (sizes, limit) => {
        time += 3000;
        const four = unitOf(...sizes.map((size, i) => slice(IDR, size, i === 0)));
        for (const cut of packetiseH264(four, [sps, pps], limit)) {
          const bytes = Buffer.from(cut.payload);
          h264.subject.packet(bytes, payloadOf(bytes, time, cut.marker));
          bytes.fill(0);
        }
        const five = unitOf(...sizes.map((size, i) => slice([0x26, 1], size, i === 0)));
        for (const cut of packetiseH265(five, [], limit))
          h265.subject.packet(cut.payload, payloadOf(cut.payload, time, cut.marker));
        expect(h264.seen.units.at(-1)).toEqual({ data: four, timestamp: time, isKey: true });
        expect(h265.seen.units.at(-1)).toEqual({ data: five, timestamp: time, isKey: true });
      },
    ),
    { numRuns: 100 },
  );
  expect([...h264.seen.damage, ...h265.seen.damage]).toEqual([]);
  expect(new Set(h264.seen.sets)).toEqual(new Set([sps.toString('hex'), pps.toString('hex')]));
});

test('a lost packet drops its access unit and no other', () => {
  const packets = [IDR, P, P].flatMap((header, i) =>
    packetiseH264(unitOf(slice(header, 300), slice(header, 300, false)), [], 100).map((cut) => ({
      ...cut,
      time: i * 3000,
    })),
  );
  for (let lost = 0; lost < packets.length; lost++) {
    const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
    packets.forEach((packet, i) => {
      if (i === lost) return;
      if (i === lost + 1) subject.gap();
      subject.packet(packet.payload, payloadOf(packet.payload, packet.time, packet.marker));
    });
    const whole = [0, 3000, 6000].filter((time) => time !== packets[lost]?.time);
    // The very last packet lost leaves its picture open.
    expect(seen.units.map((unit) => unit.timestamp)).toEqual(whole);
  }
});

test('STAP-A filled up with zeros, a marker on the parameter sets, and a picture without marker', () => {
  const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
  const sized = (nal: Buffer) => Buffer.concat([Buffer.of(nal.length >> 8, nal.length & 0xff), nal]);
  const stap = Buffer.concat([Buffer.of(0x78), sized(sps), sized(pps), Buffer.alloc(4)]);
  subject.packet(stap, payloadOf(stap, 100));
  const key = slice(IDR, 10);
  subject.packet(key, payloadOf(key, 100, false));
  const next = slice(P, 10);
  subject.packet(next, payloadOf(next, 200));
  expect(seen.sets).toHaveLength(2);
  expect(seen.units.map((unit) => [unit.timestamp, unit.isKey])).toEqual([
    [100, true],
    [200, false],
  ]);
  expect(seen.damage).toEqual([]);
});

test('a device that sets the marker on every slice is detected after one access unit', () => {
  const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
  for (let picture = 0; picture < 4; picture++) {
    for (let part = 0; part < 3; part++) {
      const nal = slice(IDR, 50, part === 0);
      subject.packet(nal, payloadOf(nal, picture * 3000));
    }
  }
  expect(seen.units.slice(1).map((unit) => unit.data.length)).toEqual([165, 165]);
  expect(seen.damage).toEqual(['marker']);
});

test('a recovery point ahead of an I slice is a random access point, ahead of a P slice it is not', () => {
  const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
  const recovery = Buffer.from([0x06, 0x06, 0x01, 0xc4, 0x80]);
  // first_mb 0, then slice_type 7 (I) or 5 (P) as Exp-Golomb numbers.
  for (const [time, second] of [
    [1, 0x88],
    [2, 0x98],
  ] as const) {
    const nal = Buffer.from([0x41, second, 0x80, 1, 2, 3]);
    subject.packet(recovery, payloadOf(recovery, time, false));
    subject.packet(nal, payloadOf(nal, time));
  }
  expect(seen.units.map((unit) => unit.isKey)).toEqual([true, false]);
});

test('a recovery point is found behind other messages of the same unit', () => {
  const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
  const intra = Buffer.from([0x41, 0x88, 0x80, 1, 2, 3]);
  // Buffering period (0) of three bytes that were kept from looking like a start code, user data (5) of 256 bytes, recovery point (6).
  const kept = [0x00, 0x03, 0x00, 0x00, 0x03, 0x01];
  const userData = [0x05, 0xff, 0x01, ...Array.from({ length: 256 }, () => 6)];
  for (const [time, messages] of [
    [1, [...kept, 0x06, 0x01, 0xc4, 0x80]],
    [2, [...userData, 0x06, 0x01, 0xc4, 0x80]],
    [3, [...userData, 0x01, 0x01, 0x06, 0x80]],
  ] as const) {
    const sei = Buffer.from([0x06, ...messages]);
    subject.packet(sei, payloadOf(sei, time, false));
    subject.packet(intra, payloadOf(intra, time));
  }
  expect(seen.units.map((unit) => unit.isKey)).toEqual([true, true, false]);
});

test('a start code inside the payload is taken as one', () => {
  const { seen, subject } = watch((arena, sink) => new H264Depacketiser(arena, sink));
  const code = Buffer.of(0, 0, 0, 1);
  const bytes = Buffer.concat([code, sps, code, pps, code, slice(IDR, 20)]);
  subject.packet(bytes, payloadOf(bytes, 1));
  expect(seen.sets).toHaveLength(2);
  expect(seen.units[0]?.data).toEqual(unitOf(slice(IDR, 20)));
});

test('AAC frames: several in a packet, one over several packets; G.711 as it is', () => {
  const sizes = { sizeLength: 13, indexLength: 3, indexDeltaLength: 3 };
  const { seen, subject } = watch((arena, sink) => new AacDepacketiser(arena, sink, sizes, 1024));
  const two = Buffer.from([0, 32, 0, 3 << 3, 0, 2 << 3, 1, 2, 3, 4, 5]);
  subject.packet(two, payloadOf(two, 5000));
  const one = packetiseAac(Buffer.alloc(300, 7))[0]?.payload ?? Buffer.alloc(0);
  const first = Buffer.concat([one.subarray(0, 4), one.subarray(4, 204)]);
  const second = Buffer.concat([one.subarray(0, 4), one.subarray(204)]);
  subject.packet(first, payloadOf(first, 9000, false));
  subject.packet(second, payloadOf(second, 9000));
  expect(seen.units.map((unit) => [unit.timestamp, unit.data.length])).toEqual([
    [5000, 3],
    [6024, 2],
    [9000, 300],
  ]);
  const plain = watch((arena, sink) => new PlainAudioDepacketiser(arena, sink));
  plain.subject.packet(one, { payloadStart: 4, payloadEnd: 164, timestamp: 1, marker: true });
  expect(plain.seen.units[0]?.data).toEqual(Buffer.alloc(160, 7));
});

test('arbitrary payloads never throw nor give inconsistent lengths', () => {
  const payloads = fc.array(
    fc.tuple(
      fc.uint8Array({ minLength: 0, maxLength: 60 }),
      fc.nat(3),
      fc.boolean(),
      fc.constantFrom(0x41, 0x65, 0x7c, 0x78, 0x62, 0x60, 0x26),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(payloads, (list) => {
      const sizes = { sizeLength: 13, indexLength: 3, indexDeltaLength: 3 };
      const watched = [
        watch((arena, sink) => new H264Depacketiser(arena, sink)),
        watch((arena, sink) => new H265Depacketiser(arena, sink)),
        watch((arena, sink) => new AacDepacketiser(arena, sink, sizes, 1024)),
      ];
      for (const [bytes, time, marker, first] of list) {
        const payload = Buffer.from(bytes);
        if (payload.length > 0) payload[0] = first;
        for (const { subject } of watched) {
          if (time === 3) subject.gap();
          subject.packet(payload, payloadOf(payload, time, marker));
        }
      }
      for (const { seen } of watched.slice(0, 2)) {
        for (const { data } of seen.units) {
          let at = 0;
          while (at < data.length) at += 4 + data.readUInt32BE(at);
          expect(at).toBe(data.length);
        }
      }
    }),
    { numRuns: 500 },
  );
});
