// Proves the reorder buffer: order restored, loss given up in time, bounds kept, whatever a line does.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeRtpHeader } from './packet.ts';
import { ReorderBuffer } from './reorder-buffer.ts';

function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(12);
  writeRtpHeader(bytes, 0, { payloadType: 96, marker: false, sequence, timestamp: 0, ssrc: 1 });
  return bytes;
}

function receive(): { buffer: ReorderBuffer; out: number[] } {
  const out: number[] = [];
  const buffer = new ReorderBuffer((bytes) => out.push(bytes.readUInt16BE(2)));
  return { buffer, out };
}

test('packets in order pass at once, over the wrap of the count', () => {
  const { buffer, out } = receive();
  for (const sequence of [65534, 65535, 0, 1]) buffer.push(packet(sequence), 0);
  expect(out).toEqual([65534, 65535, 0, 1]);
  expect(buffer.release(0)).toBeNull();
});

test('a packet that comes late is waited for, a lost one is given up', () => {
  const { buffer, out } = receive();
  for (const sequence of [1, 3, 4, 2]) buffer.push(packet(sequence), 0);
  expect(out).toEqual([1, 2, 3, 4]);
  buffer.push(packet(6), 10);
  expect(buffer.release(10)).toBe(60);
  expect(out).toHaveLength(4);
  expect(buffer.release(70)).toBeNull();
  expect(out).toEqual([1, 2, 3, 4, 6]);
});

test('the wait adapts to the network: late packets make it longer, loss alone shorter, within bounds', () => {
  const { buffer, out } = receive();
  const waitFor = (sequence: number, now: number): number => {
    buffer.push(packet(sequence), now);
    return buffer.release(now) ?? 0;
  };
  buffer.push(packet(0), 0);
  expect(waitFor(2, 0)).toBe(60);
  buffer.release(100);
  buffer.push(packet(1), 120);
  expect(out).toEqual([0, 2, 1]);
  expect(waitFor(4, 200)).toBe(180);
  for (let loss = 0; loss < 100; loss++)
    buffer.release(1000 + loss * 1000 + (waitFor(6 + loss * 2, loss * 1000 + 1000) && 999));
  expect(waitFor(300, 200_000)).toBe(20);
});

test('the sequence restarts after a far jump ahead, and after many old packets', () => {
  const { buffer, out } = receive();
  buffer.push(packet(10), 0);
  buffer.push(packet(12), 0);
  buffer.push(packet(20_000), 0);
  expect(out).toEqual([10, 12, 20_000]);
  for (let i = 0; i < 40; i++) buffer.push(packet(500 + i), 0);
  buffer.push(packet(541), 0);
  buffer.push(packet(540), 0);
  expect(out.slice(-2)).toEqual([540, 541]);
});

test('[SE-81] what is held is bounded, and nothing is delivered twice unless it came twice', () => {
  const { buffer, out } = receive();
  buffer.push(packet(0), 0);
  for (let sequence = 2; sequence < 4000; sequence++) buffer.push(packet(sequence), 0);
  expect(buffer.heldPackets).toBeLessThanOrEqual(1024);
  expect(new Set(out).size).toBe(out.length);
});

test('every shuffle within the wait comes out in order; with loss, what came comes out once and in order', () => {
  const line = fc.array(fc.record({ delay: fc.integer({ min: 0, max: 55 }), isLost: fc.boolean() }), {
    minLength: 2,
    maxLength: 200,
  });
  fc.assert(
    fc.property(line, fc.integer({ min: 0, max: 65_535 }), fc.boolean(), (steps, first, mayLose) => {
      const { buffer, out } = receive();
      const sent = steps.map((step, i) => ({
        index: i,
        at: i * 5 + (i === 0 ? 0 : step.delay),
        isLost: mayLose && i > 0 && step.isLost,
      }));
      const arriving = sent.filter((one) => !one.isLost).toSorted((a, b) => a.at - b.at || a.index - b.index);
      const begin = arriving[0]?.index ?? 0;
      for (const { index, at } of arriving) {
        buffer.release(at);
        buffer.push(packet((first + index) & 0xffff), at);
      }
      buffer.release(1e9);
      const indices = out.map((sequence) => (sequence - first) & 0xffff);
      expect(indices.toSorted((a, b) => a - b)).toEqual(arriving.map((one) => one.index).toSorted((a, b) => a - b));
      const inTime = indices.filter((index) => index >= begin);
      expect(inTime).toEqual(inTime.toSorted((a, b) => a - b));
    }),
  );
});
