// Proves the pace of talk: frames leave every 20 ms however they came, times and numbers run on, what is too late is dropped.
import { TALK_FRAME_BYTES } from '@vedette/contract/talk-wire.ts';
import { createRtpHeader, readRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { expect, test } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { TalkPacer } from './talk-pacer.ts';

interface Sent {
  readonly atMs: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly first: number;
}

function setUp(seed = 1): { clock: FakeClock; pacer: TalkPacer; sent: Sent[] } {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const send = (packet: Buffer): void => {
    const header = createRtpHeader();
    if (!readRtpHeader(packet, 0, packet.length, header)) throw new Error('no RTP');
    const { sequence, timestamp, marker, payloadStart } = header;
    sent.push({ atMs: clock.monotonicMs(), sequence, timestamp, marker, first: packet[payloadStart] ?? -1 });
  };
  return { clock, pacer: new TalkPacer({ clock, payloadType: 8, seed, send }), sent };
}

/** In small steps, as timers see it. */
function pass(clock: FakeClock, ms: number): void {
  for (let at = 0; at < ms; at += 10) clock.advance(10);
}

/** Frame n is filled with n. */
function frames(from: number, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(TALK_FRAME_BYTES, from + n)));
}

test('a burst leaves one frame every 20 ms, in order, the first one marked', () => {
  const { clock, pacer, sent } = setUp();
  pacer.push(frames(0, 5));
  pass(clock, 200);
  expect(sent.map(({ atMs, first }) => [atMs, first])).toEqual([0, 1, 2, 3, 4].map((n) => [n * 20, n]));
  expect(sent.map(({ marker }) => marker)).toEqual([true, false, false, false, false]);
  const [{ timestamp, sequence }] = sent as [Sent];
  expect(sent.map((one) => one.timestamp - timestamp)).toEqual([0, 160, 320, 480, 640]);
  expect(sent.map((one) => one.sequence - sequence)).toEqual([0, 1, 2, 3, 4]);
});

test('small pieces of audio are joined into whole frames', () => {
  const { clock, pacer, sent } = setUp();
  const all = frames(0, 4);
  for (let at = 0; at < all.length; at += 77) pacer.push(all.subarray(at, at + 77));
  pass(clock, 200);
  expect(sent.map(({ first }) => first)).toEqual([0, 1, 2, 3]);
});

test('after silence a new spurt begins with its RTP time advanced by the silence', () => {
  const { clock, pacer, sent } = setUp(0xffff_ffff);
  pacer.push(frames(0, 3));
  pass(clock, 1060);
  pacer.push(frames(10, 3));
  pass(clock, 100);
  expect(sent.map(({ marker }) => marker)).toEqual([true, false, false, true, false, false]);
  const [first, , , fourth] = sent as [Sent, Sent, Sent, Sent];
  expect((fourth.timestamp - first.timestamp) >>> 0).toBe(1060 * 8);
  expect((fourth.sequence - first.sequence) & 0xffff).toBe(3);
  expect(pacer.counters).toEqual({ packets: 6, dropped: 0, pauses: 2 });
});

test('drops the oldest audio above 300 ms of queue', () => {
  const { clock, pacer, sent } = setUp();
  pacer.push(frames(0, 40));
  pass(clock, 1000);
  expect(pacer.counters.dropped).toBe(25);
  expect(sent.map(({ first }) => first)).toEqual(Array.from({ length: 15 }, (_, n) => 25 + n));
});

test('a single frame waits for a second one, and nothing is sent after the end', () => {
  const { clock, pacer, sent } = setUp();
  pacer.push(frames(0, 1));
  pass(clock, 100);
  expect(sent).toEqual([]);
  pacer.push(frames(1, 9));
  pass(clock, 20);
  pacer.close();
  pass(clock, 500);
  expect(sent).toHaveLength(2);
});
