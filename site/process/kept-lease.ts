// The lease of a folder of recordings for a tool that runs beside no site: taken with patience, and renewed while it works.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { WriterLease } from '@vedette/media/recordings/writer-lease.ts';

/** Wait for a lease left by a crash; longer than its validity. */
const TRIES = 18;
const AGAIN_MS = 1000;
const RENEW_MS = 3000;

/** False: a site records there. */
export async function takeLease(lease: WriterLease, clock: Clock): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ((await lease.renew()) !== 'refused') return true;
    await wait(clock, AGAIN_MS, new AbortController().signal);
  }
  return false;
}

/** Until the returned function is called. */
export function keepLease(lease: WriterLease, clock: Clock): () => void {
  let cancel = (): void => undefined;
  const again = (): void => {
    cancel = clock.after(RENEW_MS, () => {
      void lease.renew().then(again, again);
    });
  };
  again();
  return () => cancel();
}
