// Hourly maintenance jobs: delete old sessions, revocations and other expired rows.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { dropEndedAppGrants } from '../database/app/app-grant.queries.ts';
import { dropOldOidcRecords } from '../database/app/oidc-record.queries.ts';
import { dropOldMailboxes } from '../database/account/mail-consent.queries.ts';
import { dropOldTransfers } from '../database/device/device-transfer.queries.ts';
import { deleteOldEndedShares } from '../database/access/ended-share.queries.ts';
import { dropOldRevocations } from '../database/access/revocation.queries.ts';
import { dropFullBudgets } from '../database/account/send-budget.queries.ts';
import { dropOldSessions } from '../database/account/session.queries.ts';
import { dropOldFlows } from '../database/account/identity-flow.queries.ts';
import { dropOldSignInKeys } from '../database/account/sign-in-key.queries.ts';
import { dropOldAttempts } from '../database/account/attempt.queries.ts';
import { dropOldCodes } from '../database/account/verification-code.queries.ts';

const EVERY_MS = HOUR_MS;
/** How long ended sessions keep their exact code, and how long followers may take to read revocations. */
const KEPT_MS = 24 * 3_600_000;
/** How long an account is told that its share ended. */
const ENDED_SHARES_KEPT_MS = 30 * 24 * 3_600_000;

export class MaintenanceJobs {
  readonly #deps: { database: Database; clock: Clock; log: Logger };
  #cancel: (() => void) | null = null;

  constructor(deps: { database: Database; clock: Clock; log: Logger }) {
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.clock.after(EVERY_MS, () => {
      this.#runJobs().catch((error: unknown) => this.#deps.log.warn({ err: error }, 'old rows could not be removed'));
      this.start();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  async #runJobs(): Promise<void> {
    const before = this.#deps.clock.wallMs() - KEPT_MS;
    await dropOldSessions(this.#deps.database, before);
    await dropOldFlows(this.#deps.database, this.#deps.clock.wallMs());
    await dropOldSignInKeys(this.#deps.database, this.#deps.clock.wallMs());
    await dropOldRevocations(this.#deps.database, before);
    await dropEndedAppGrants(this.#deps.database, before);
    await dropOldOidcRecords(this.#deps.database, before);
    // Limits look back a day at most.
    await dropOldAttempts(this.#deps.database, before - HOUR_MS);
    await dropFullBudgets(this.#deps.database, this.#deps.clock.wallMs());
    await dropOldCodes(this.#deps.database, this.#deps.clock.wallMs());
    await dropOldMailboxes(this.#deps.database, this.#deps.clock.wallMs());
    await dropOldTransfers(this.#deps.database, this.#deps.clock.wallMs());
    await deleteOldEndedShares(this.#deps.database, this.#deps.clock.wallMs() - ENDED_SHARES_KEPT_MS);
  }
}
