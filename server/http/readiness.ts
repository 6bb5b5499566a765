// Readiness: the database within a second, and the local site.
import { sql } from 'kysely';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import type { Database } from '../database/connection.ts';

const DATABASE_WITHIN_MS = 1000;

export interface ReadinessDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: { isOnline: () => boolean };
}

/** Asks the database once at a time, however often it is asked itself. */
export function createReadiness({ database, clock, site }: ReadinessDeps): () => Promise<string[]> {
  let asking: Promise<unknown> | null = null;
  return async () => {
    asking ??= sql`select 1`.execute(database).finally(() => {
      asking = null;
    });
    const isAnswering = await finishesWithin(clock, DATABASE_WITHIN_MS, asking);
    return [...(isAnswering ? [] : ['database']), ...(site.isOnline() ? [] : ['site'])];
  };
}
