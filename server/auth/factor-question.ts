// Two-factor challenge of an account: the accepted methods and the masked target of codes.
import type { SecondFactor } from '@vedette/contract/calls/account.ts';
import { findAccount } from '../database/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { findFactor } from '../database/second-factor.queries.ts';
import { contactOf, maskedContact } from './contact.ts';

export interface FactorQuestion {
  /** None where the password will do. */
  readonly methods: readonly (SecondFactor | 'recovery')[];
  /** Where codes are sent, masked; empty for time codes. */
  readonly target: string;
}

export async function factorQuestion(database: Database, accountId: string): Promise<FactorQuestion> {
  const factor = await findFactor(database, accountId);
  if (factor?.is_enabled !== true) return { methods: [], target: '' };
  const account = factor.method === 'message' ? await findAccount(database, accountId) : undefined;
  const contact = account === undefined ? null : contactOf(account);
  return { methods: [factor.method, 'recovery'], target: contact === null ? '' : maskedContact(contact) };
}
