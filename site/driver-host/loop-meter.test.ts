// The account of each context: CPU time goes to whose code runs, also after awaits and timers, bytes to who opened the connection.
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BYTES_PER_MINUTE, CPU_MS_PER_MINUTE, LoopMeter } from './loop-meter.ts';
import { type BudgetOverrun, SLOT } from './wire.ts';

let cpuMs: number;
let slots: Int32Array;
let over: { context: number; over: BudgetOverrun }[];
let meter: LoopMeter;
const open = new Set<{ destroy?: () => void; close?: () => void }>();

beforeEach(() => {
  cpuMs = 0;
  over = [];
  slots = new Int32Array(new SharedArrayBuffer(SLOT.count * Int32Array.BYTES_PER_ELEMENT));
  meter = new LoopMeter({ slots, cpuMs: () => cpuMs, onOver: (context, what) => over.push({ context, over: what }) });
});

afterEach(() => {
  for (const one of open) {
    one.destroy?.();
    one.close?.();
  }
  open.clear();
});

const spend = (ms: number): void => {
  cpuMs += ms;
};

/** Only the bytes that it has read are asked of it. */
const socketOf = (bytes: number): Socket => {
  const listeners: (() => void)[] = [];
  const socket = { bytesRead: bytes, once: (_name: string, run: () => void) => listeners.push(run) };
  return Object.assign(socket, { end: () => listeners.forEach((run) => run()) }) as unknown as Socket;
};

test('[SE-82] 12 s of CPU time within a minute are allowed, more is over', () => {
  meter.open(7);
  meter.run(7, () => spend(CPU_MS_PER_MINUTE));
  meter.tick();
  expect(over).toEqual([]);
  meter.run(7, () => spend(1));
  meter.tick();
  expect(over).toEqual([{ context: 7, over: { what: 'cpu', spent: CPU_MS_PER_MINUTE + 1 } }]);
});

test('[SE-82] 512 MB within a minute are allowed, more is over; each byte counts once', () => {
  meter.open(7);
  const socket = socketOf(BYTES_PER_MINUTE);
  meter.watch(7, socket);
  for (let second = 0; second < 5; second += 1) meter.tick();
  expect(over).toEqual([]);
  Object.assign(socket, { bytesRead: BYTES_PER_MINUTE + 1 });
  meter.tick();
  expect(over).toEqual([{ context: 7, over: { what: 'bytes', spent: BYTES_PER_MINUTE + 1 } }]);
});

test('what was spent a minute ago is forgiven second by second', () => {
  meter.open(7);
  for (let second = 0; second < 180; second += 1) {
    meter.run(7, () => spend(CPU_MS_PER_MINUTE / 60));
    meter.tick();
  }
  expect(over).toEqual([]);
  meter.run(7, () => spend(1000));
  meter.tick();
  expect(over).toHaveLength(1);
  over = [];
  for (let second = 0; second < 60; second += 1) meter.tick();
  over = [];
  meter.run(7, () => spend(CPU_MS_PER_MINUTE));
  meter.tick();
  expect(over, 'the whole budget is there again').toEqual([]);
});

test('the code of one context inside another’s goes to its own account, the rest to nobody', () => {
  meter.open(1);
  meter.open(2);
  meter.run(1, () => {
    spend(CPU_MS_PER_MINUTE);
    meter.run(2, () => {
      expect(Atomics.load(slots, SLOT.owner)).toBe(2);
      spend(CPU_MS_PER_MINUTE + 5);
    });
    expect(Atomics.load(slots, SLOT.owner)).toBe(1);
  });
  expect(Atomics.load(slots, SLOT.owner)).toBe(0);
  spend(1_000_000);
  meter.tick();
  expect(over).toEqual([{ context: 2, over: { what: 'cpu', spent: CPU_MS_PER_MINUTE + 5 } }]);
});

test('[SE-82] what a context begins is its own after awaits, timers and events of its sockets', async () => {
  meter.open(9);
  const server = createServer((socket) => socket.end('answer'));
  open.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await meter.run(9, async () => {
    await Promise.resolve();
    spend(5000);
    await new Promise((resolve) => setImmediate(resolve));
    spend(5000);
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    await once(socket, 'data');
    spend(5000);
  });
  meter.tick();
  expect(over).toEqual([{ context: 9, over: { what: 'cpu', spent: 15_000 } }]);
});

test('bytes of a connection that closed between two ticks count; a context that was closed is not judged', () => {
  meter.open(3);
  meter.open(4);
  const [kept, left] = [socketOf(0), socketOf(0)];
  meter.watch(3, kept);
  meter.watch(4, left);
  for (const socket of [kept, left]) {
    Object.assign(socket, { bytesRead: BYTES_PER_MINUTE + 10 });
    socket.end();
  }
  meter.close(4);
  meter.tick();
  expect(over).toEqual([{ context: 3, over: { what: 'bytes', spent: BYTES_PER_MINUTE + 10 } }]);
});

test('a context without an account runs and is never over', () => {
  expect(meter.run(5, () => spend(1_000_000) ?? 'done')).toBe('done');
  meter.watch(5, socketOf(BYTES_PER_MINUTE * 2));
  meter.tick();
  expect(over).toEqual([]);
});
