// A gateway that stands still: pictures are skipped to a keyframe and counted, memory is bounded, and held until it is read.
import { Duplex } from 'node:stream';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { expect, test } from 'vitest';
import { SharedStream } from '../stream/shared-stream.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { StreamConsumer } from '../stream/stream.ts';
import { FeedReader } from './feed-reader.ts';
import { FEED_QUEUE_LIMIT_BYTES, type FeedCounters, FeedStream } from './feed-stream.ts';

const UNIT_BYTES = 1024 * 1024;

/** Takes nothing until it is let go. */
class StandingSocket extends Duplex {
  readonly taken: Buffer[] = [];
  #waiting: (() => void)[] = [];
  #isOpen = false;

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(Buffer.from(bytes));
    if (this.#isOpen) done();
    else this.#waiting.push(done);
  }

  override _read(): void {}

  letGo(): void {
    this.#isOpen = true;
    for (const done of this.#waiting.splice(0)) done();
  }
}

function setUp() {
  const slabs = new SlabPool({ poison: true });
  const clock = new FakeClock();
  let source: StreamConsumer | null = null;
  const stream = new SharedStream({
    key: 'camera',
    clock,
    slabs,
    onConsumerFailure: (_, error) => expect(error).toBeNull(),
    open: (consumer) => {
      source = consumer;
      const close = async (): Promise<void> => undefined;
      return { counters: createSourceCounters(), server: null, retryNow: () => undefined, close };
    },
  });
  const socket = new StandingSocket();
  const counters: FeedCounters = { units: 0, bytes: 0, skippedUnits: 0, skips: 0 };
  const feed = new FeedStream({ no: 1, stream, socket, clock, counters });
  let dts = 0;
  /** Filled with its number, so that memory that was given back too soon shows. */
  const send = (isKey: boolean): void => {
    dts += 1;
    const slab = slabs.take(UNIT_BYTES);
    const data = slab.bytes.fill(dts).subarray(0, UNIT_BYTES);
    source?.accessUnit({ track: 'video', data, isKey, dts, ctsOffset: 0, wallMs: dts, slab });
    slab.release();
  };
  return { feed, socket, counters, send, clock };
}

function unitsOf(socket: StandingSocket): { dts: number; isWhole: boolean }[] {
  const units: { dts: number; isWhole: boolean }[] = [];
  const parts: Buffer[] = [];
  const reader = new FeedReader({
    message: () => undefined,
    unit: () => ({
      append: (bytes, from, to) => parts.push(Buffer.from(bytes.subarray(from, to))),
      finish: ({ dts }) => {
        const data = Buffer.concat(parts.splice(0));
        units.push({ dts, isWhole: data.equals(Buffer.alloc(UNIT_BYTES, dts)) });
      },
    }),
  });
  for (const bytes of socket.taken) reader.read(bytes);
  return units;
}

test('what a gateway does not read is bounded and intact; it goes on at a keyframe once it reads again', async () => {
  const { feed, socket, counters, send } = setUp();
  feed.start();
  send(true);
  for (let nth = 0; nth < 60; nth += 1) send(false);
  const sent = counters.units;
  expect(sent).toBeLessThanOrEqual(FEED_QUEUE_LIMIT_BYTES / UNIT_BYTES + 2);
  expect(counters).toMatchObject({ skips: 1, skippedUnits: 61 - sent });
  expect(socket.writableLength).toBeLessThan(FEED_QUEUE_LIMIT_BYTES + 2 * UNIT_BYTES);
  // A keyframe does not help as long as nothing is read.
  send(true);
  expect(counters.units).toBe(sent);
  socket.letGo();
  await new Promise(setImmediate);
  send(false);
  expect(counters.units).toBe(sent);
  send(true);
  send(false);
  expect(counters).toMatchObject({ units: sent + 2, skips: 1, skippedUnits: 63 - sent });
  await new Promise(setImmediate);
  const units = unitsOf(socket);
  expect(units.every(({ isWhole }) => isWhole)).toBe(true);
  expect(units.map(({ dts }) => dts)).toEqual([...Array.from({ length: sent }, (_, at) => at + 1), 64, 65]);
});

test('after its end nothing is sent', () => {
  const { feed, send, counters, clock } = setUp();
  feed.start();
  send(true);
  feed.close();
  send(true);
  clock.advance(5000);
  expect(counters.units).toBe(1);
});
