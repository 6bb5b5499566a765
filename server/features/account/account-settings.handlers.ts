// Handlers of the account settings, for the operator: read, change, and test with a message.
import {
  ACCOUNT_SECRETS,
  type AccountConfig,
  type accountSettingsCalls,
} from '@vedette/contract/calls/account-settings.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { revokeAppSessions } from '../../database/app/app-grant.queries.ts';
import { listApps } from '../../database/app/app.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { testMessage } from '../../mail/message-texts.ts';
import { reasonOf } from '../../mail/messenger.ts';
import { languageFor, needContact, type AccountAccessDeps } from './account-access.handlers.ts';

export function accountSettingsHandlers(deps: AccountAccessDeps): Handlers<keyof typeof accountSettingsCalls> {
  const { accountSettings, messenger } = deps;
  const answer = async () => {
    const { config, secrets, version } = await accountSettings.read();
    const secretList = ACCOUNT_SECRETS.filter((name) => secrets[name] !== undefined);
    return { config, version, secretList, lastFailure: messenger.lastFailure };
  };
  return {
    'system/account/get': answer,
    'system/account/set': async ({ input, now }) => {
      const { config, version, ...secrets } = input;
      refuseBadConfig(config);
      const { config: before } = await accountSettings.read();
      if (!(await accountSettings.replace(config, secrets, version))) throw new CallError('stale', await answer());
      if (before.allowsAllApps && !config.allowsAllApps) await endUnapprovedApps(deps.database, now);
      messenger.lastFailure = null;
      return await answer();
    },
    'system/account/test': async ({ input, principal }) => {
      const contact = needContact(input.target);
      if (!(await messenger.kinds()).includes(contact.kind)) throw new CallError('functionNotSupported');
      const sending = { kind: 'test', accountId: principal.userId, targets: [contact.value] } as const;
      const waitMs = await deps.messageBudget.spend([sending]);
      if (waitMs > 0) throw new CallError('tooManyRequests', { retryAfter: Math.ceil(waitMs / 1000) });
      const account = await findAccount(deps.database, principal.userId);
      try {
        await messenger.send(contact, testMessage(languageFor(undefined, account)));
        return { isSent: true, reason: '' };
      } catch (error) {
        return { isSent: false, reason: reasonOf(error) };
      }
    },
  };
}

/** What they show ends; what was allowed stands, for when they are approved. */
async function endUnapprovedApps(database: Database, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const app of await listApps(transaction, null)) {
      if (!app.is_approved) await revokeAppSessions(transaction, app, now);
    }
  });
}

/** Checks across fields, which the contract's schema cannot express. */
function refuseBadConfig(config: AccountConfig): void {
  const { captcha, maintenance } = config;
  const bad: Record<string, FieldProblem> = {};
  if (captcha.kind === 'outside') {
    for (const name of ['scriptUrl', 'appId', 'verifyUrl'] as const) {
      if (captcha[name] === '') bad[`config.captcha.${name}`] = 'required';
    }
  }
  if (maintenance !== null && maintenance.endTime <= maintenance.startTime) {
    bad['config.maintenance.endTime'] = 'tooSmall';
  }
  if (Object.keys(bad).length > 0) throw fieldError(bad);
}
