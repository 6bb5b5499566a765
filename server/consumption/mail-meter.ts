// Meters mails that alarm rules sent.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';
import { addEntries } from '../database/consumption/ledger.queries.ts';
import type { AccountRow } from '../database/schema/schema.ts';

export interface MailMeterOptions {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly log: Logger;
}

/** Charged to the owner of a sub-account. A mail that cannot be counted is logged, since it must not be sent again. */
export function mailMeter({ database, clock, log }: MailMeterOptions) {
  return async function onMailSent({ account_id, owner_id }: AccountRow): Promise<void> {
    const at = clock.wallMs();
    const mail = { source: 'mail', sequence: newTimedId(at), meter: 'mails', at, amount: 1 } as const;
    const accountId = owner_id ?? account_id;
    await addEntries(database, [{ ...mail, accountId, organizationId: null }]).catch((error: unknown) =>
      log.warn({ err: error }, 'a sent mail could not be metered'),
    );
  };
}
