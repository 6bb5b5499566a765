// Where an account can be told something: its own address, or else its phone.
import type { Contact } from '../database/account/account.queries.ts';
import type { AccountRow } from '../database/schema/schema.ts';

/** Where the account is reached now: its contacts are bound with a code that went there. */
export function confirmedContact(row: AccountRow, kinds: readonly Contact['kind'][]): Contact | null {
  const kind = (['email', 'phone'] as const).find((one) => row[one] !== null && kinds.includes(one));
  const value = kind === undefined ? null : row[kind];
  return kind === undefined || value === null ? null : { kind, value };
}
