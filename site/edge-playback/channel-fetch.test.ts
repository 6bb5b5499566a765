// When a channel's edge recording is fetched: from where the reader is, again after a seek, never after the reader left, within the device's limits.
import type { ReplayEnd } from '@vedette/media/source/replay-source.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { describe, expect, test } from 'vitest';
import { ChannelFetch, type RunningFetch } from './channel-fetch.ts';

const HELD = [{ startMs: 0, endMs: 600_000 }];

interface Begun extends TimeRange {
  readonly signal: AbortSignal;
  storedMs: number | null;
  readonly end: (error?: Error | 'broken') => void;
}

function channel() {
  const begun: Begun[] = [];
  const there: TimeRange[] = [];
  const now = { ms: 0 };
  const fetch = new ChannelFetch({
    monotonicMs: () => now.ms,
    there: () => there,
    begin: (range, signal): Promise<RunningFetch> => {
      const over = Promise.withResolvers<ReplayEnd>();
      const running = {
        ...range,
        signal,
        storedMs: null,
        end: (error?: Error | 'broken') =>
          error instanceof Error ? over.reject(error) : over.resolve(error ?? 'over'),
        run: () => over.promise,
      };
      signal.addEventListener('abort', () => over.resolve('over'));
      begun.push(running);
      return Promise.resolve(running);
    },
  });
  const reader = (sessionId: string, ended = new AbortController()) => ({ sessionId, ended: ended.signal });
  return { fetch, begun, there, now, reader };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a reader', () => {
  test('fetches one minute from its position, once', async () => {
    const { fetch, begun, reader } = channel();
    expect(await fetch.want(HELD, 100_000, reader('a'))).toEqual(HELD);
    await fetch.want(HELD, 100_000, reader('a'));
    await fetch.want(HELD, 112_000, reader('a'));
    expect(begun).toMatchObject([{ startMs: 100_000, endMs: 160_000 }]);
  });

  test('that seeks slightly ahead also gets the part in between', async () => {
    const { fetch, begun, there, reader } = channel();
    there.push({ startMs: 0, endMs: 60_000 });
    await fetch.want(HELD, 20_000, reader('a'));
    expect(begun).toEqual([]);
    await fetch.want(HELD, 70_000, reader('a'));
    expect(begun).toMatchObject([{ startMs: 60_000, endMs: 120_000 }]);
  });

  test('that seeks ends its replay, and its previous range stays pending', async () => {
    const { fetch, begun, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    (begun[0] as Begun).storedMs = 20_000;
    await fetch.want(HELD, 400_000, reader('a'));
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(begun[1]).toMatchObject({ startMs: 400_000, endMs: 460_000 });
    await settled();
    expect((await fetch.want(HELD, 400_000, reader('a')))[0]).toEqual({ startMs: 0, endMs: 600_000 });
  });

  test('whose ticket ends also ends its replay', async () => {
    const { fetch, begun, reader } = channel();
    const ended = new AbortController();
    await fetch.want(HELD, 0, reader('a', ended));
    ended.abort();
    await settled();
    expect([begun[0]?.signal.aborted, fetch.isIdle]).toEqual([true, true]);
  });

  test("shares another reader's replay at the same position, and has its own elsewhere", async () => {
    const { fetch, begun, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    await fetch.want(HELD, 30_000, reader('b'));
    await fetch.want(HELD, 300_000, reader('c'));
    await fetch.want(HELD, 500_000, reader('d'));
    await fetch.want(HELD, 200_000, reader('e'));
    // Three at a time; the fourth asks again.
    expect(begun.map(({ startMs }) => startMs)).toEqual([0, 300_000, 500_000]);
    begun[0]?.end();
    await settled();
    await fetch.want(HELD, 200_000, reader('e'));
    expect(begun).toHaveLength(4);
  });
});

describe('a device', () => {
  test('that delivers less than announced is not asked again for a while', async () => {
    const { fetch, begun, now, there, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    there.push({ startMs: 0, endMs: 50_000 });
    begun[0]?.end();
    await settled();
    expect((await fetch.want(HELD, 0, reader('a')))[0]).toEqual({ startMs: 60_000, endMs: 600_000 });
    now.ms += 61_000;
    expect((await fetch.want(HELD, 0, reader('a')))[0]).toEqual({ startMs: 50_000, endMs: 600_000 });
  });

  test('that skipped a range has nothing there', async () => {
    const { fetch, begun, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    (begun[0] as Begun).storedMs = 40_000;
    expect(await fetch.want(HELD, 0, reader('a'))).toEqual([{ startMs: 40_000, endMs: 600_000 }]);
  });

  test('whose connection breaks is asked once to continue, and then counts as empty', async () => {
    const { fetch, begun, there, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    (begun[0] as Begun).storedMs = 20_000;
    there.push({ startMs: 0, endMs: 20_000 });
    begun[0]?.end('broken');
    await settled();
    expect((await fetch.want(HELD, 5000, reader('a')))[0]).toEqual({ startMs: 20_000, endMs: 600_000 });
    expect(begun[1]).toMatchObject({ startMs: 20_000, endMs: 80_000 });
    begun[1]?.end('broken');
    await settled();
    expect((await fetch.want(HELD, 5000, reader('a')))[0]).toEqual({ startMs: 80_000, endMs: 600_000 });
  });

  test('that is silent at first is asked once more', async () => {
    const { fetch, begun, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    begun[0]?.end('broken');
    await settled();
    expect(await fetch.want(HELD, 0, reader('a'))).toEqual(HELD);
    begun[1]?.end(new Error('closed'));
    await settled();
    expect((await fetch.want(HELD, 0, reader('a')))[0]).toEqual({ startMs: 60_000, endMs: 600_000 });
  });

  test('that refuses is reported, and not asked for ten seconds', async () => {
    const { fetch, begun, now, reader } = channel();
    await fetch.want(HELD, 0, reader('a'));
    begun[0]?.end(new Error('no replay'));
    await settled();
    await expect(fetch.want(HELD, 0, reader('a'))).rejects.toThrow('no replay');
    now.ms += 11_000;
    await fetch.want(HELD, 0, reader('a'));
    expect(begun).toHaveLength(2);
  });
});

test('closing ends running fetches', async () => {
  const { fetch, begun, reader } = channel();
  await fetch.want(HELD, 0, reader('a'));
  await fetch.close();
  expect(begun[0]?.signal.aborted).toBe(true);
});
