// One operation at a time, waiting bytes joined in order, the past trimmed in one go, a full buffer freed once.
import { expect, test } from 'vitest';
import { SourceBufferQueue } from './source-buffer-queue.ts';

/** A SourceBuffer that ends its operations when the test says so; `buffered` is one range that grows by a second with each byte. */
function fakeBuffer() {
  const listeners = new Map<string, () => void>();
  const done: string[] = [];
  let range = { start: 0, end: 0 };
  let looks = 0;
  let isFull = false;
  const buffer = {
    updating: false,
    get buffered() {
      looks += 1;
      return { length: range.end > range.start ? 1 : 0, start: () => range.start, end: () => range.end };
    },
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
    appendBuffer: (bytes: Uint8Array) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      done.push(`append ${[...bytes].join(' ')}`);
      range = { ...range, end: range.end + bytes.length };
      buffer.updating = true;
    },
    remove: (from: number, to: number) => {
      done.push(`remove ${from} to ${to}`);
      range = { ...range, start: to };
      isFull = false;
      buffer.updating = true;
    },
  };
  return {
    buffer: buffer as unknown as SourceBuffer,
    done,
    looks: () => looks,
    fill: () => {
      isFull = true;
    },
    end: () => {
      buffer.updating = false;
      listeners.get('updateend')?.();
    },
  };
}

function queueOf(fake: ReturnType<typeof fakeBuffer>, disposableBefore = () => 0) {
  const told: string[] = [];
  const queue = new SourceBufferQueue({
    buffer: fake.buffer,
    disposableBefore,
    onDrained: () => told.push('drained'),
    onFault: (message) => told.push(message),
  });
  return { queue, told };
}

test('data that arrives during an operation is joined in order and acknowledged once', () => {
  const fake = fakeBuffer();
  const { queue, told } = queueOf(fake);
  for (const byte of [1, 2, 3]) queue.push(Uint8Array.of(byte));
  expect(fake.done).toEqual(['append 1']);
  fake.end();
  expect(fake.done).toEqual(['append 1', 'append 2 3']);
  expect(told).toEqual([]);
  fake.end();
  expect(told).toEqual(['drained']);
});

test('the past is removed in one go, and the browser is not asked for its ranges before that', () => {
  const fake = fakeBuffer();
  let playedUntil = 0;
  const { queue, told } = queueOf(fake, () => playedUntil);
  for (let second = 1; second <= 30; second++) {
    queue.push(Uint8Array.of(second));
    playedUntil = second;
    fake.end();
    if (fake.done.at(-1)?.startsWith('remove')) fake.end();
  }
  expect(fake.done.filter((what) => what.startsWith('remove'))).toEqual(['remove 0 to 13', 'remove 13 to 26']);
  expect(fake.looks()).toBeLessThan(10);
  expect(told.filter((what) => what !== 'drained')).toEqual([]);
});

test('a full buffer is freed once and takes the same bytes then; one that stays full is a fault', () => {
  const fake = fakeBuffer();
  const { queue, told } = queueOf(fake, () => 2);
  queue.push(Uint8Array.of(1, 2, 3, 4));
  fake.end();
  fake.fill();
  queue.push(Uint8Array.of(5));
  expect(fake.done.at(-1)).toBe('remove 0 to 2');
  queue.push(Uint8Array.of(6));
  fake.end();
  expect(fake.done.at(-1)).toBe('append 5 6');
  fake.end();
  fake.fill();
  queue.push(Uint8Array.of(7));
  expect(told).toEqual(['drained', 'drained', 'full']);
});

test('appends and reports nothing once closed', () => {
  const fake = fakeBuffer();
  const { queue, told } = queueOf(fake);
  queue.push(Uint8Array.of(1));
  queue.push(Uint8Array.of(2));
  queue.close();
  fake.end();
  queue.push(Uint8Array.of(3));
  expect(fake.done).toEqual(['append 1']);
  expect(told).toEqual([]);
});
