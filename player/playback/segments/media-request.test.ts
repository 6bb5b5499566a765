// Answers that do not begin, that do not end, and that nobody waits for any more.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BEGIN_MS, BODY_MS, type Fetcher, requestMedia } from './media-request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer that begins and ends when the test says so. Heeds the signal, as `fetch` does. */
function line() {
  const begin = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const fetcher: Fetcher = async (_address, { signal }) => {
    const given = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    given.catch(() => undefined);
    await Promise.race([begin.promise, given]);
    const start = async (body: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      body.enqueue(Uint8Array.of(1, 2));
      await Promise.race([end.promise, given]);
      body.enqueue(Uint8Array.of(3));
      body.close();
    };
    return new Response(new ReadableStream({ start }), { status: 404 });
  };
  return { fetcher, begin: begin.resolve, end: end.resolve };
}

test('an answer just in time is returned whole, whatever its status', async () => {
  const { fetcher, begin, end } = line();
  const asked = requestMedia(fetcher, '/a');
  await vi.advanceTimersByTimeAsync(BEGIN_MS - 1);
  begin();
  await vi.advanceTimersByTimeAsync(BODY_MS - 1);
  end();
  expect(await asked).toEqual({ ok: false, status: 404, bytes: Uint8Array.of(1, 2, 3) });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { title: 'an answer that does not begin', hasBegun: false, ms: BEGIN_MS },
  { title: 'one that does not end', hasBegun: true, ms: BODY_MS },
])('$title times out', async ({ hasBegun, ms }) => {
  const { fetcher, begin } = line();
  const asked = requestMedia(fetcher, '/a').catch((error: unknown) => error);
  if (hasBegun) begin();
  await vi.advanceTimersByTimeAsync(ms);
  expect(await asked).toMatchObject({ name: 'TimeoutError' });
  expect(vi.getTimerCount()).toBe(0);
});

test("the caller's signal aborts the request", async () => {
  const waiting = new AbortController();
  const asked = requestMedia(line().fetcher, '/a', waiting.signal);
  waiting.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
