// Contacts of accounts: normalizes typed addresses and phone numbers, and masks them for display.
import { phoneOrEmailProblem } from '@vedette/rules/validation/account-fields.ts';
import type { Contact } from '../database/account/account.queries.ts';

/** Null where it is neither a phone number nor an e-mail address. */
export function parseContact(typed: string): Contact | null {
  const text = typed.trim();
  if (phoneOrEmailProblem(text) !== null) return null;
  return text.includes('@') ? { kind: 'email', value: text.toLowerCase() } : { kind: 'phone', value: text };
}

/** Where codes of this account go: its e-mail address, else its phone. */
export function contactOf(account: { email: string | null; phone: string | null }): Contact | null {
  if (account.email !== null) return { kind: 'email', value: account.email };
  return account.phone === null ? null : { kind: 'phone', value: account.phone };
}

/** Shows enough for its owner to recognize it. */
export function maskedContact({ kind, value }: Contact): string {
  if (kind === 'phone') return `${'•'.repeat(Math.max(0, value.length - 3))}${value.slice(-3)}`;
  const [local = '', domain = ''] = value.split('@');
  return `${local.slice(0, 1)}•••@${domain}`;
}
