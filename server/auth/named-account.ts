// Finds the account that a caller names as the other party; limits wrong names against enumeration (SE-03).
import { findAccountByLogin } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';

/** Unknown names that one account may try. */
const WRONG_NAMES = { max: 30, windowMs: 3_600_000 } as const;

export interface NamedAccountDeps {
  readonly database: Database;
  readonly attempts: AttemptLimiter;
}

/** Throws 1005 after too many unknown names, also for a name that exists. */
export async function findNamedAccount(
  { database, attempts }: NamedAccountDeps,
  askerId: string,
  login: string,
): Promise<AccountRow | undefined> {
  const attemptId = await attempts.consume([{ key: `names ${askerId}`, ...WRONG_NAMES }]);
  const account = await findAccountByLogin(database, login);
  if (account !== undefined) await attempts.refund(attemptId);
  return account;
}
