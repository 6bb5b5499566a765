// Two-factor challenge of an account: the accepted methods and the masked target of codes.
import type { TwoFactorMethod } from '@vedette/contract/calls/account.ts';
import { findAccount } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { findTwoFactor } from '../database/account/two-factor.queries.ts';
import { contactOf, maskedContact } from './contact.ts';

export interface TwoFactorChallenge {
  /** Empty if the password is enough. */
  readonly methods: readonly (TwoFactorMethod | 'recovery')[];
  /** Masked target of codes; empty for TOTP. */
  readonly target: string;
}

export async function twoFactorChallenge(database: Database, accountId: string): Promise<TwoFactorChallenge> {
  const factor = await findTwoFactor(database, accountId);
  if (factor?.is_enabled !== true) return { methods: [], target: '' };
  const account = factor.method === 'message' ? await findAccount(database, accountId) : undefined;
  const contact = account === undefined ? null : contactOf(account);
  return { methods: [factor.method, 'recovery'], target: contact === null ? '' : maskedContact(contact) };
}
