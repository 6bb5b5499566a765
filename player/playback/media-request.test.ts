// Answers that do not begin, that do not end, and that nobody waits for any more.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BEGIN_MS, BODY_MS, type Fetcher, requestMedia } from './media-request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Begins to answer after `beginMs` and ends after `bodyMs` more. Heeds the signal, as `fetch` does. */
function line(beginMs: number, bodyMs: number): Fetcher {
  return async (_address, { signal }) => {
    const after = (ms: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      });
    await after(beginMs);
    const start = async (body: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      body.enqueue(Uint8Array.of(1, 2));
      await after(bodyMs);
      body.enqueue(Uint8Array.of(3));
      body.close();
    };
    return new Response(new ReadableStream({ start }), { status: 404 });
  };
}

test('an answer that is just in time is handed on whole, whatever its status', async () => {
  const asked = requestMedia(line(BEGIN_MS - 1, BODY_MS - 1), '/a');
  await vi.advanceTimersByTimeAsync(BEGIN_MS + BODY_MS);
  expect(await asked).toEqual({ ok: false, status: 404, bytes: Uint8Array.of(1, 2, 3) });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { title: 'an answer that does not begin', fetcher: line(BEGIN_MS * 2, 0), ms: BEGIN_MS },
  { title: 'one that does not end', fetcher: line(10, BODY_MS * 2), ms: BODY_MS + 10 },
])('$title is given up', async ({ fetcher, ms }) => {
  const asked = requestMedia(fetcher, '/a').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(ms);
  expect(await asked).toMatchObject({ name: 'TimeoutError' });
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever waits no more ends it', async () => {
  const waiting = new AbortController();
  const asked = requestMedia(line(1000, 0), '/a', waiting.signal);
  waiting.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
});
