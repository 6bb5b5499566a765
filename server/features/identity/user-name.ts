// User names of accounts that an identity provider brings: what it calls the user, in the form that user names have here.
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';

const LONGEST = 20;
/** The claims that may call the user something, best first. */
const SOURCES = ['preferred_username', 'email', 'name', 'upn'] as const;

/** What the provider calls the user, for people to read; empty: nothing. */
export function userLabel(claims: Readonly<Record<string, unknown>>): string {
  const label = SOURCES.map((name) => claims[name]).find((text) => typeof text === 'string' && text !== '');
  return typeof label === 'string' ? label.replaceAll(/[<>\p{C}]/gu, '').slice(0, 64) : '';
}

/** `attempt` 0: without a number behind it, which others have to differ by. */
export function proposedUserName(claims: Readonly<Record<string, unknown>>, attempt: number): string {
  const [local = ''] = userLabel(claims).split('@');
  const plain = local
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_.-]/g, '')
    .replaceAll(/[.-]/g, '_');
  const base = usernameProblem(plain.slice(0, LONGEST)) === null ? plain : `user_${plain}`;
  const suffix = attempt === 0 ? '' : `_${attempt + 1}`;
  return `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
}
