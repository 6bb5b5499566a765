// Objects that the server keeps in the stores of this site: pictures of alarms, which it seals itself.
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import { type CloudCalls, OBJECT_BYTES, type StoredObjectName } from '@vedette/contract/site/site-cloud.ts';
import type { OpenStore } from './copy-queue.ts';
import { putVerified } from './copy-file.ts';
import { isObjectKey } from './object-key.ts';
import { StoreFault } from './object-store.ts';

const WITHIN_MS = 20_000;

/** `storeOf`: null where the store is not assigned here. */
export function serverObjectCalls(storeOf: (storeId: string) => OpenStore | null) {
  const open = ({ storeId, ownerId, name }: StoredObjectName) => {
    const opened = storeOf(storeId);
    if (opened === null) throw new StoreFault('gone', 'the store is not assigned here');
    const key = `${opened.rootOf(ownerId)}/${name}`;
    if (!isObjectKey(key)) throw new StoreFault('answer', 'no name of an object');
    return { store: opened.store, key, signal: AbortSignal.timeout(WITHIN_MS) };
  };
  return {
    objectPut: async ({ data, ...object }: CloudCalls['objectPut']['input']) => {
      const { reason } = await attempt(async () => {
        const { key, ...opened } = open(object);
        await putVerified(opened, key, Buffer.from(data, 'base64'));
      });
      return { reason };
    },
    objectGet: async (object: StoredObjectName): Promise<CloudCalls['objectGet']['output']> => {
      const { reason, value = null } = await attempt(async () => {
        const { store, key, signal } = open(object);
        const stored = await store.head(key, signal);
        if (stored === null || stored.bytes > OBJECT_BYTES) return null;
        return await store.get(key, { from: 0, length: stored.bytes }, signal);
      });
      return { data: value?.toString('base64') ?? null, reason };
    },
    objectDelete: async (object: StoredObjectName) => {
      const { reason } = await attempt(async () => {
        const { store, key, signal } = open(object);
        await store.delete(key, signal);
      });
      return { reason };
    },
  };
}

/** What the store refused becomes a reason, a store that is too slow too. */
async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly reason: StoreReason | null; readonly value?: T }> {
  try {
    return { reason: null, value: await work() };
  } catch (error) {
    if (error instanceof StoreFault) return { reason: error.reason };
    if (error instanceof DOMException && error.name === 'TimeoutError') return { reason: 'timeout' };
    throw error;
  }
}
