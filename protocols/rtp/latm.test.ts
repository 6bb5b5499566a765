// Proves the reading of MP4A-LATM: frames over and within packets, loss, noise, and the configuration that cameras send.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitstreamError } from '../bits/bit-reader.ts';
import { parseAudioSpecificConfig } from '../aac/audio-specific-config.ts';
import { audioConfigOfMux } from '../aac/stream-mux-config.ts';
import { LatmDepacketiser } from './depacketise-latm.ts';
import { payloadOf } from './rtp-payload.fixture.ts';
import { UnitArena } from './unit-arena.ts';

function receive() {
  const frames: { data: Buffer; timestamp: number }[] = [];
  const damages: string[] = [];
  const sink = {
    accessUnit: (data: Buffer, timestamp: number) => frames.push({ data, timestamp }),
    parameterSet: () => undefined,
    damaged: (reason: string) => damages.push(reason),
  };
  return { frames, damages, depacketiser: new LatmDepacketiser(new UnitArena(16), sink, 1024) };
}

function element(frame: Uint8Array): Buffer {
  const full = Math.floor(frame.length / 255);
  return Buffer.from([...Array.from({ length: full }, () => 255), frame.length % 255, ...frame]);
}

test('frames come out as they went in, however many are in a packet and over however many they go', () => {
  const sound = fc.array(fc.uint8Array({ minLength: 1, maxLength: 800 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(sound, fc.integer({ min: 50, max: 1400 }), (units, limit) => {
      const { frames, damages, depacketiser } = receive();
      const whole = Buffer.concat(units.map(element));
      for (let at = 0; at < whole.length; at += limit) {
        const payloadEnd = Math.min(whole.length, at + limit);
        const marker = payloadEnd === whole.length;
        depacketiser.packet(whole, { payloadStart: at, payloadEnd, timestamp: 5, marker });
      }
      expect(damages).toEqual([]);
      expect(frames.map(({ timestamp }) => timestamp)).toEqual(units.map((_, index) => 5 + index * 1024));
      for (const [index, unit] of units.entries()) expect(frames[index]?.data.equals(unit)).toBe(true);
    }),
  );
});

test('a lost packet damages what it was part of, and the next is whole again', () => {
  const { frames, damages, depacketiser } = receive();
  const one = element(Buffer.alloc(300, 1));
  depacketiser.packet(one, { payloadStart: 0, payloadEnd: 100, timestamp: 1, marker: false });
  depacketiser.gap();
  depacketiser.packet(one, { payloadStart: 200, payloadEnd: one.length, timestamp: 1, marker: true });
  depacketiser.packet(one, payloadOf(one, 2));
  expect(damages).toEqual(['lost-packets']);
  expect(frames.map(({ timestamp }) => timestamp)).toEqual([2]);
});

test('[SE-81] noise is refused or read within its bounds', () => {
  const { depacketiser, frames } = receive();
  const noise = fc.record({ bytes: fc.uint8Array({ maxLength: 400 }), marker: fc.boolean(), time: fc.nat(3) });
  fc.assert(
    fc.property(noise, ({ bytes, marker, time }) => {
      depacketiser.packet(Buffer.from(bytes), payloadOf(bytes, time, marker));
    }),
    { numRuns: 2000 },
  );
  for (const { data } of frames) expect(data.length).toBeGreaterThan(0);
});

test('the configuration of an AAC-LC camera is read, other forms are refused', () => {
  // 0, 1, 6 × 0, 4 × 0, 3 × 0; AAC-LC, 16 kHz, mono; frame length type 0, buffer fullness 0xff, no other data, no check.
  const mux = Buffer.from('400028103fc0', 'hex');
  expect(parseAudioSpecificConfig(audioConfigOfMux(mux))).toEqual({
    objectType: 2,
    sampleRate: 16_000,
    channels: 1,
    frameLength: 1024,
  });
  const withHint = audioConfigOfMux(Buffer.from('40002310adca00', 'hex'));
  expect(parseAudioSpecificConfig(withHint)).toMatchObject({ sampleRate: 48_000, channels: 1 });
  for (const other of ['80002810000000', 'c0002810000000', '41002810000000', '40004810000000', '4000281040', '40']) {
    expect(() => audioConfigOfMux(Buffer.from(other, 'hex'))).toThrow(BitstreamError);
  }
});
