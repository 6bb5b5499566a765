// Hourly maintenance jobs: delete old sessions, revocations and other expired rows.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from './connection.ts';
import { dropOldMailboxes } from './mail-consent.queries.ts';
import { dropOldTransfers } from './device-transfer.queries.ts';
import { dropOldLost } from './lost-share.queries.ts';
import { dropOldRevocations } from './revocation.queries.ts';
import { dropFullBudgets } from './send-budget.queries.ts';
import { dropOldSessions } from './session.queries.ts';
import { dropOldAttempts } from './attempt.queries.ts';
import { dropOldCodes } from './verify-code.queries.ts';

const EVERY_MS = HOUR_MS;
/** Sessions that ended keep their exact code this long; followers catch up on revocations within it. */
const KEPT_MS = 24 * 3_600_000;
/** How long an account is told that it had something by a share. */
const LOST_KEPT_MS = 30 * 24 * 3_600_000;

export class Housekeeping {
  readonly #parts: { database: Database; clock: Clock; log: Logger };
  #cancel: (() => void) | null = null;

  constructor(parts: { database: Database; clock: Clock; log: Logger }) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel = this.#parts.clock.after(EVERY_MS, () => {
      this.#round().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'old rows could not be removed'));
      this.start();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  async #round(): Promise<void> {
    const before = this.#parts.clock.wallMs() - KEPT_MS;
    await dropOldSessions(this.#parts.database, before);
    await dropOldRevocations(this.#parts.database, before);
    // Budgets look back a day at most.
    await dropOldAttempts(this.#parts.database, before - HOUR_MS);
    await dropFullBudgets(this.#parts.database, this.#parts.clock.wallMs());
    await dropOldCodes(this.#parts.database, this.#parts.clock.wallMs());
    await dropOldMailboxes(this.#parts.database, this.#parts.clock.wallMs());
    await dropOldTransfers(this.#parts.database, this.#parts.clock.wallMs());
    await dropOldLost(this.#parts.database, this.#parts.clock.wallMs() - LOST_KEPT_MS);
  }
}
