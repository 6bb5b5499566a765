// Handlers of account security: two-factor authentication, trusted browsers, contacts, and deleting the account.
import type { accountSecurityCalls } from '@vedette/contract/calls/account-security.ts';
import type { VerificationCodes } from '../../auth/verification-codes.ts';
import { CallError } from '../../core/call-error.ts';
import { DuplicateAccountKeyError } from '../../database/account/account-keys.ts';
import { type Contact, setContact } from '../../database/account/account.queries.ts';
import { distrustBrowsers, listTrustedBrowsers } from '../../database/account/known-browser.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { findSession } from '../../database/account/session.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { contactChangedMessage } from '../../mail/message-texts.ts';
import type { Messenger } from '../../mail/messenger.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import { eraseAccount } from './erase-account.ts';
import { demandPassword, ownAccount } from './own-password.ts';
import { profileOf } from './profile.ts';
import { stepUpHandlers } from './step-up.handlers.ts';
import { languageFor, needContact } from './account-access.handlers.ts';
import type { SignInDeps } from './sign-in.ts';

export interface AccountSecurityDeps extends SignInDeps {
  readonly codes: VerificationCodes;
  readonly messenger: Messenger;
  readonly assignmentSync: AssignmentSync;
}

export function accountSecurityHandlers(deps: AccountSecurityDeps): Handlers<keyof typeof accountSecurityCalls> {
  return { ...twoFactorHandlers(deps), ...contactHandlers(deps), ...stepUpHandlers(deps) };
}

type FactorPath = Extract<keyof typeof accountSecurityCalls, `account/twofactor/${string}` | `trustDevice/${string}`>;

type ContactPath = Extract<keyof typeof accountSecurityCalls, `account/contact/${string}` | 'account/erase'>;

function twoFactorHandlers(deps: AccountSecurityDeps): Handlers<FactorPath> {
  const { database, factors } = deps;
  return {
    'account/twofactor/begin': async ({ input, principal }) =>
      await factors.begin(await ownAccount(database, principal), input.method),
    'account/twofactor/enable': async ({ input, principal }) => {
      const account = await ownAccount(database, principal);
      return { recoveryCodes: await factors.enable(account, input.code, `session ${principal.sessionId}`) };
    },
    'account/twofactor/disable': async ({ input, principal }) => {
      const account = await ownAccount(database, principal);
      await factors.disable(account, input.code ?? null, `session ${principal.sessionId}`);
      return {};
    },
    'account/twofactor/recovery': async ({ principal }) => ({
      recoveryCodes: await factors.renewRecovery(principal.userId),
    }),
    'trustDevice/list': async ({ principal }) => {
      const [rows, own] = await Promise.all([
        listTrustedBrowsers(database, principal.userId),
        findSession(database, principal.sessionId),
      ]);
      const trustDeviceList = rows.map((row) => ({
        browserId: row.browser_id,
        agent: row.agent,
        trustedAt: row.trusted_at ?? 0,
        lastUsedAt: row.last_used_at,
        isCurrent: row.browser_id === own?.session.browser_id,
      }));
      return { total: trustDeviceList.length, trustDeviceList };
    },
    'trustDevice/delete': async ({ input, principal }) => {
      if ((await distrustBrowsers(database, principal.userId, input.browserId)) === 0) throw new CallError('notFound');
      return {};
    },
  };
}

function contactHandlers(deps: AccountSecurityDeps): Handlers<ContactPath> {
  const { database } = deps;
  return {
    'account/contact/bind': async ({ input, principal }) => {
      const contact = needContact(input.target);
      const account = await demandPassword(deps, principal, input.password);
      const changed = await bind(deps, account, contact, input.verifyCode);
      const before = account[contact.kind];
      if (before !== null && before !== contact.value) {
        deps.messenger.notify(
          { kind: contact.kind, value: before },
          contactChangedMessage(languageFor(undefined, account)),
        );
      }
      return await profileOf(database, changed);
    },
    'account/contact/unbind': async ({ input, principal }) => {
      const account = await demandPassword(deps, principal, input.password);
      if (account[input.kind] === null) return await profileOf(database, account);
      const other = input.kind === 'email' ? account.phone : account.email;
      const factor = await deps.factors.enabled(account.account_id);
      // Two-factor codes would have no target.
      if (factor?.method === 'message' && other === null) throw new CallError('permissionDenied');
      const changed = await setContact(database, account.account_id, input.kind, null);
      return await profileOf(database, changed ?? account);
    },
    'account/erase': async ({ input, principal, now }) => {
      await demandPassword(deps, principal, input.password);
      await eraseAccount(database, principal.userId, now);
      await deps.assignmentSync.everythingChanged();
      return {};
    },
  };
}

/** Throws 1015; 1016 only to the owner of a mailbox that another account uses. */
async function bind(
  deps: AccountSecurityDeps,
  account: AccountRow,
  contact: Contact,
  code: string,
): Promise<AccountRow> {
  const { account_id: accountId } = account;
  const checked = await deps.codes.check({ purpose: 'bind', target: contact.value, accountId }, code);
  try {
    return await deps.database.transaction().execute(async (transaction) => {
      await deps.codes.spend(transaction, checked);
      return (await setContact(transaction, accountId, contact.kind, contact.value)) ?? account;
    });
  } catch (error) {
    if (error instanceof DuplicateAccountKeyError) throw new CallError('alreadyExists', { target: 'notAllowed' });
    throw error;
  }
}
