// One HTTP request for media, with timeouts.

/** A line on which no answer begins for so long carries nothing any more. */
export const BEGIN_MS = 10_000;
/** A segment is a few seconds of recordings: a line that takes longer for its bytes can't play it. */
export const BODY_MS = 30_000;

export type Fetcher = (address: string, init: RequestInit) => Promise<Response>;

export interface MediaAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly bytes: Uint8Array;
}

/**
 * The whole answer, whatever its status. Rejects as `fetch` does, with what `signal` was aborted for, and with a DOMException
 * `TimeoutError` when it takes too long to begin or to end.
 */
export async function requestMedia(fetcher: Fetcher, address: string, signal?: AbortSignal): Promise<MediaAnswer> {
  const late = new AbortController();
  const giveUp = (): void => late.abort(new DOMException('the answer took too long', 'TimeoutError'));
  let timer = setTimeout(giveUp, BEGIN_MS);
  try {
    const answer = await fetcher(address, { signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal });
    clearTimeout(timer);
    timer = setTimeout(giveUp, BODY_MS);
    // Not by a reader: Chromium then tells whoever watches the network that the request was cut off.
    return { ok: answer.ok, status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  } finally {
    clearTimeout(timer);
  }
}
