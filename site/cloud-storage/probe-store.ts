// Tries an object store with an object of its own: write, read, ranged read, list, delete, before anything depends on it.
import type { StoreReason, StoreStep } from '@vedette/contract/enumerations.ts';
import { randomBytes, randomHex } from '@vedette/foundation/random/random-numbers.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';

export interface ProbeResult {
  /** The first step that failed; null: none did. */
  readonly step: StoreStep | null;
  readonly reason: StoreReason | null;
}

const PROBE_BYTES = 4096;

/** Leaves nothing behind unless deleting is what fails. Rejects only with what is no fault of the store. */
export async function probeStore(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<ProbeResult> {
  const bytes = randomBytes(PROBE_BYTES);
  const folder = prefix === '' ? 'probe/' : `${prefix}/probe/`;
  const key = `${folder}${randomHex(8)}`;
  const steps: readonly (readonly [StoreStep, () => Promise<boolean>])[] = [
    ['write', () => store.put(key, bytes, signal).then(() => true)],
    ['read', async () => (await store.get(key, { from: 0, length: bytes.length }, signal)).equals(bytes)],
    ['range', async () => (await store.get(key, { from: 1000, length: 9 }, signal)).equals(bytes.subarray(1000, 1009))],
    ['list', async () => (await store.list(key, '', signal)).includes(key)],
    ['delete', () => store.delete(key, signal).then(async () => (await store.head(key, signal)) === null)],
  ];
  let isWritten = false;
  for (const [step, attempt] of steps) {
    const reason = await reasonOf(attempt);
    if (reason !== null) {
      if (isWritten && step !== 'delete') await reasonOf(() => store.delete(key, signal).then(() => true));
      return { step, reason };
    }
    isWritten = true;
  }
  return { step: null, reason: null };
}

/** Null where the attempt gave what it should. */
async function reasonOf(attempt: () => Promise<boolean>): Promise<StoreReason | null> {
  try {
    return (await attempt()) ? null : 'differs';
  } catch (error) {
    if (error instanceof StoreFault) return error.reason;
    throw error;
  }
}
