// Polls until a condition holds, or fails with the last seen value.

/**
 * @param probe answers the awaited value, or undefined/false while it is not there yet; its errors count as "not yet"
 * @throws Error naming `what` and the last seen value or error once `timeoutMs` is over
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}; last: ${String(last)}`);
    await pause(50);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
