// Finds the account that a caller names as the other party; limits wrong names against enumeration (SE-03).
import { findAccountByLogin } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';

/** Names that nobody has, per account that asks. */
const WRONG_NAMES = { max: 30, windowMs: 3_600_000 } as const;

export interface NamedAccountDeps {
  readonly database: Database;
  readonly attempts: AttemptLimiter;
}

/** Throws 1005 once too many names were nobody's, whoever is named then. */
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
