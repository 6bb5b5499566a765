// What the parts of a running soak share: the product, its cameras, and where they note what they measure and what goes wrong.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { ApiClient } from '../harness/api-client.ts';
import type { Product } from '../harness/product.ts';
import type { SampleBook } from './measure/sample-book.ts';
import type { SoakOptions } from './options.ts';
import type { Outages } from './outages.ts';
import type { Troubles } from './troubles.ts';

export interface SoakCamera {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface SoakWorld {
  readonly options: SoakOptions;
  readonly product: Product;
  /** Of the public port, over TLS. */
  readonly url: string;
  readonly operator: ApiClient;
  readonly cameras: readonly SoakCamera[];
  /** Turns, and tells alarms of its own. */
  readonly roof: SoakCamera & { readonly controlUrl: string };
  readonly book: SampleBook;
  readonly outages: Outages;
  readonly troubles: Troubles;
  /** In [0, 1), the same for the same seed. */
  readonly random: () => number;
  /** Aborted when the time is over or somebody ends it. */
  readonly signal: AbortSignal;
}

/** Until the soak ends: `run`, then a pause; what fails is noted, with the time since when it was under way. */
export async function again(
  { signal, troubles }: Pick<SoakWorld, 'signal' | 'troubles'>,
  what: string,
  pauseMs: () => number,
  run: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const startedMs = Date.now();
    await run().catch((error: unknown) => troubles.note(what, startedMs, error));
    await wait(systemClock, pauseMs(), signal);
  }
}

/** A linear congruence (Park and Miller): who comes when need not be unguessable, and can be repeated. */
export function seededFractions(seed: number): () => number {
  let state = (seed % 0x7fff_fffe) + 1;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

export function oneOf<T>(all: readonly T[], random: () => number): T {
  const found = all[Math.floor(random() * all.length)];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}
