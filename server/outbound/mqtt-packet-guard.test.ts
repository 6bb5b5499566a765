// The guard of what a broker sends: by headers alone, however the bytes are cut, at the limits and beyond.
import { expect, it } from 'vitest';
import { MqttBreach, MqttPacketGuard, NO_MESSAGES } from './mqtt-packet-guard.ts';

const LIMITS = { messageBytes: 1000, packetsPerS: 10, bytesPerS: 10_000 };

const packet = (first: number, length: number, sent = length): Buffer =>
  Buffer.concat([
    Buffer.from([first, (length & 127) | (length > 127 ? 128 : 0)]),
    length > 127 ? Buffer.from([length >> 7]) : Buffer.alloc(0),
    Buffer.alloc(sent, 0xff),
  ]);

function breachOf(bytes: Buffer, limits = LIMITS, cut = bytes.length): string | null {
  const guard = new MqttPacketGuard(limits, 0);
  try {
    for (let at = 0; at < bytes.length; at += cut) guard.take(bytes.subarray(at, at + cut), 0);
    return null;
  } catch (error) {
    if (!(error instanceof MqttBreach)) throw error;
    return error.message;
  }
}

it.each([1, 2, 3, 1000])('[SE-86] reads packets cut every %i bytes', (cut) => {
  const stream = Buffer.concat([
    packet(0x20, 2),
    packet(0x30, 1000),
    packet(0xd0, 0),
    packet(0x32, 5),
    packet(0x90, 3),
  ]);
  expect(breachOf(stream, LIMITS, cut)).toBeNull();
  expect(breachOf(Buffer.concat([stream, packet(0x30, 1001, 0)]), LIMITS, cut)).toBe('packet too large');
});

it.each([
  ['the largest packet there is', Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), 'packet too large'],
  ['a length of five bytes', Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]), 'not MQTT: a length of five bytes'],
  ['an answer without end', packet(0x40, 65, 0), 'packet too large'],
  ['QoS 2', packet(0x34, 9), 'a message of QoS 2, which was not asked for'],
  ['a packet of clients', packet(0x10, 9), 'not MQTT: a packet of type 1'],
  ['a type that is none', packet(0xf0, 0), 'not MQTT: a packet of type 15'],
])('[SE-86] refuses %s at its header', (_name, bytes, message) => {
  expect(breachOf(bytes)).toBe(message);
});

it('[SE-86] lets nobody publish to who publishes only', () => {
  expect(breachOf(packet(0x40, 2), NO_MESSAGES)).toBeNull();
  expect(breachOf(packet(0x30, 5, 0), NO_MESSAGES)).toBe('a message that was not asked for');
});

it('[SE-86] takes five seconds of its rates at once, and no more than its rates for long', () => {
  const pings = (count: number) => Buffer.concat(Array.from({ length: count }, () => packet(0xd0, 0)));
  expect(breachOf(pings(50))).toBeNull();
  expect(breachOf(pings(51))).toBe('too many packets in a second');
  const large = { ...LIMITS, messageBytes: 10_000 };
  expect(breachOf(Buffer.concat(Array.from({ length: 6 }, () => packet(0x30, 9000))), large)).toBe(
    'too many bytes in a second',
  );
  const guard = new MqttPacketGuard(LIMITS, 0);
  for (let second = 0; second < 100; second++) guard.take(pings(10), second * 1000);
  expect(() => guard.take(pings(51), 100_000)).toThrow(MqttBreach);
});
