// Proves reading and writing past the stream: bytes stay in order whatever the system takes at once, and ends are the socket's to tell.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
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
