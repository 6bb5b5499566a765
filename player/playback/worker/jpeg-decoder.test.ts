// JPEG pictures come out in their order with their instants, a reset drops what was begun, and a broken one shows the one before it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { JpegDecoder } from './jpeg-decoder.ts';

interface Begun {
  readonly finish: (error?: DOMException) => void;
}

let begun: Begun[];
const closed: number[] = [];

beforeEach(() => {
  begun = [];
  closed.length = 0;
  vi.stubGlobal('createImageBitmap', () => {
    const { promise, resolve, reject } = Promise.withResolvers();
    begun.push({ finish: (error) => (error ? reject(error) : resolve({ close: vi.fn<() => void>() })) });
    return promise;
  });
  vi.stubGlobal(
    'VideoFrame',
    class {
      readonly timestamp: number;
      constructor(_: unknown, { timestamp }: { timestamp: number }) {
        this.timestamp = timestamp;
      }
      close() {
        closed.push(this.timestamp);
      }
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

function stage() {
  const out: number[] = [];
  const errors: string[] = [];
  const decoder = new JpegDecoder({
    output: (picture) => out.push(picture.timestamp),
    error: (error) => errors.push(error.name),
  });
  decoder.configure();
  const feed = (timestamp: number) => decoder.decode({ timestamp, duration: 1, data: new Uint8Array(2) });
  return { decoder, out, errors, feed };
}

test('decodes in order; a flush resolves after the last frame', async () => {
  const { decoder, out, feed } = stage();
  feed(10);
  feed(20);
  let isFlushed = false;
  void decoder.flush().then(() => {
    isFlushed = true;
  });
  begun[0]?.finish();
  await settlePromises();
  expect({ out, isFlushed, queue: decoder.decodeQueueSize }).toEqual({ out: [10], isFlushed: false, queue: 0 });
  begun[1]?.finish();
  await settlePromises();
  expect({ out, isFlushed }).toEqual({ out: [10, 20], isFlushed: true });
});

test('a reset drops pending frames and accepts new ones', async () => {
  const { decoder, out, feed } = stage();
  feed(10);
  decoder.reset();
  decoder.configure();
  feed(30);
  begun[0]?.finish();
  begun[1]?.finish();
  await settlePromises();
  expect({ out, closed }).toEqual({ out: [30], closed: [10] });
});

test('a broken frame repeats the one before it', async () => {
  const { out, errors, feed } = stage();
  feed(10);
  feed(20);
  begun[0]?.finish();
  await settlePromises();
  begun[1]?.finish(new DOMException('broken', 'InvalidStateError'));
  await settlePromises();
  expect({ out, errors }).toEqual({ out: [10, 20], errors: [] });
});

test('fails with an error when the first frame is broken', async () => {
  const { decoder, errors, feed } = stage();
  feed(10);
  begun[0]?.finish(new DOMException('broken', 'InvalidStateError'));
  await settlePromises();
  expect({ errors, state: decoder.state }).toEqual({ errors: ['InvalidStateError'], state: 'closed' });
});
