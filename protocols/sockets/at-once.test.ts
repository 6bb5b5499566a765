// Proves reading and writing past the stream: bytes stay in order whatever the system takes at once, and ends are the socket's to tell.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readAtOnce, writeAtOnce } from './at-once.ts';

const stops: (() => unknown)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function pair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  if (near.connecting) await once(near, 'connect');
  stops.push(
    () => server.close(),
    () => near.destroy(),
    () => far.destroy(),
  );
  return { near, far };
}

test('bytes that the kernel does not accept go through the stream, in order, before later writes', async () => {
  const { near, far } = await pair();
  const size = 8 * 1024 * 1024;
  const [first, second, third] = [1, 2, 3].map((fill) => Buffer.alloc(size, fill)) as [Buffer, Buffer, Buffer];
  writeAtOnce(near, [first, second]);
  // More than loopback holds while nobody reads.
  expect(near.writableLength).toBeGreaterThan(0);
  expect(near.writableLength).toBeLessThan(2 * size);
  writeAtOnce(near, [third]);
  const parts: Buffer[] = [];
  far.on('data', (part: Buffer) => parts.push(part));
  far.resume();
  await vi.waitFor(() => expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(3 * size), 10_000);
  expect(Buffer.concat(parts).equals(Buffer.concat([first, second, third]))).toBe(true);
});

test('memory is held only while the stream still reads it, also by one that breaks', async () => {
  const { near, far } = await pair();
  let holds = 0;
  const memory = { hold: () => void (holds += 1), release: () => void (holds -= 1) };
  writeAtOnce(near, [Buffer.from('small')], memory);
  expect(holds).toBe(0);
  const big = Buffer.alloc(8 * 1024 * 1024);
  writeAtOnce(near, [Buffer.from('head'), big], memory);
  writeAtOnce(near, [big], memory);
  expect(holds).toBe(2);
  far.resume();
  await vi.waitFor(() => expect(holds).toBe(0), 10_000);
  far.pause();
  writeAtOnce(near, [big], memory);
  writeAtOnce(near, [big], memory);
  expect(holds).toBe(2);
  near.destroy();
  await vi.waitFor(() => expect(holds).toBe(0));
  writeAtOnce(near, [big], memory);
  await vi.waitFor(() => expect(holds).toBe(0));
});

test('small writes are sent synchronously; ended sockets and other streams use the stream', async () => {
  const { near, far } = await pair();
  writeAtOnce(near, [Buffer.from('one '), Buffer.from('two')]);
  expect([near.writableLength, near.bytesWritten]).toEqual([0, 0]);
  const into = Buffer.alloc(64);
  await vi.waitFor(() => expect(readAtOnce(far, into)).toBe(7));
  expect(into.toString('latin1', 0, 7)).toBe('one two');
  expect(readAtOnce(far, into)).toBe(0);
  near.destroy();
  expect(readAtOnce(near, into)).toBe(0);
  expect(readAtOnce(null, into)).toBe(0);
  const through = new PassThrough();
  writeAtOnce(through, [Buffer.from('three')]);
  expect(String(through.read())).toBe('three');
  expect(readAtOnce(through, into)).toBe(0);
});

/** As a Node would give it that has no such private part: the rest of the socket works as ever. */
function hiding(socket: Socket, handle: unknown): Socket {
  return new Proxy(socket, {
    get(target, key) {
      if (key === '_handle') return handle;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('this Node lends the descriptor of a plain socket', async () => {
  const { near } = await pair();
  const { _handle: handle } = near as Socket & { _handle?: { fd?: unknown } };
  expect(handle?.fd).toBeGreaterThan(2);
});

describe.each([
  ['a Node that lends the descriptor', (socket: Socket) => socket, true],
  ['a Node without a handle', (socket: Socket) => hiding(socket, undefined), false],
  ['a Node whose handle has no descriptor', (socket: Socket) => hiding(socket, {}), false],
  ['a Node whose descriptor is no number', (socket: Socket) => hiding(socket, { fd: 'four' }), false],
])('%s', (_, of, isLent) => {
  test('the other side gets all bytes in order', async () => {
    const { near, far } = await pair();
    const stream = of(near);
    const pieces = Array.from({ length: 200 }, (_piece, at) => Buffer.alloc(at * 37, at % 251));
    const parts: Buffer[] = [];
    far.on('data', (part: Buffer) => parts.push(part));
    far.resume();
    for (let at = 0; at < pieces.length; at += 2) writeAtOnce(stream, pieces.slice(at, at + 2));
    const all = Buffer.concat(pieces);
    await vi.waitFor(() => expect(Buffer.concat(parts).length).toBe(all.length), 10_000);
    expect(Buffer.concat(parts).equals(all)).toBe(true);
    // What was written past the stream, the stream does not count.
    expect(near.bytesWritten > 0).toBe(!isLent);
  });

  test('bytes arrive at the reader, by the descriptor or by the events of the socket', async () => {
    const { near, far } = await pair();
    const stream = of(far);
    near.write('seven by');
    const into = Buffer.alloc(64);
    const parts: Buffer[] = [];
    if (isLent) {
      await vi.waitFor(() => expect(readAtOnce(stream, into)).toBe(8));
      parts.push(into.subarray(0, 8));
    } else {
      // As its users do: nothing came at once, so the socket reads by itself.
      expect(readAtOnce(stream, into)).toBe(0);
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.resume();
      await vi.waitFor(() => expect(Buffer.concat(parts).length).toBe(8));
    }
    expect(Buffer.concat(parts).toString('latin1')).toBe('seven by');
    expect(readAtOnce(stream, into)).toBe(0);
  });
});
