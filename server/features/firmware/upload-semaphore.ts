// Semaphore for uploads per account: others wait unread, so that parallel uploads cannot fill the disk before a quota refuses them.
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { CallError } from '../../core/call-error.ts';

/** Per account; each holds a socket, which the gateway closes after a minute without progress. */
const WAITING_MAX = 50;

interface Places {
  taken: number;
  readonly waiting: (() => void)[];
}

export class UploadSemaphore {
  readonly #byOwner = new Map<string, Places>();

  /** Throws 1012 if too many wait. */
  async run<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
    const places = this.#byOwner.get(ownerId) ?? { taken: 0, waiting: [] };
    this.#byOwner.set(ownerId, places);
    if (places.taken < UPLOAD_LIMITS.batch) places.taken += 1;
    else if (places.waiting.length >= WAITING_MAX) throw new CallError('serviceBusy');
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      places.waiting.push(resolve);
      await promise;
    }
    try {
      return await work();
    } finally {
      const next = places.waiting.shift();
      // Handed directly to the next waiter.
      if (next) next();
      else places.taken -= 1;
      if (places.taken === 0) this.#byOwner.delete(ownerId);
    }
  }
}
