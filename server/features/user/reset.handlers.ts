// Handlers of resets for sub-accounts: a link for a new password, and lost 2FA.
import { createHash } from 'node:crypto';
import type { userCalls } from '@vedette/contract/calls/user.ts';
import { RESET_MS } from '@vedette/contract/limits.ts';
import { maskedContact } from '../../auth/contact.ts';
import { CallError } from '../../core/call-error.ts';
import { storeResetLink } from '../../database/account/account-reset.queries.ts';
import { findTwoFactor } from '../../database/account/two-factor.queries.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { httpUrl } from '../../http/public-origin.ts';
import { confirmedContact } from '../../mail/confirmed-contact.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import {
  audiencesOf,
  closesVideo,
  linkWasMade,
  refusePasswordAfterTwoFactorReset,
  resetTwoFactor,
  type ResetNotification,
  notifyReset,
} from './account-reset.ts';
import { changeUser } from './user-change.ts';
import type { UserDeps } from './user.handlers.ts';

type ResetPath = Extract<keyof typeof userCalls, `user/${string}/reset`>;

export function resetHandlers(deps: UserDeps): Handlers<ResetPath> {
  const { database, messenger } = deps;
  return {
    'user/password/reset': (request) => resetByLink(deps, request),
    'user/twofactor/reset': async ({ input, principal, now, audit }) => {
      let news: ResetNotification | null = null;
      await changeUser(database, principal, input.userId, async (transaction, row) => {
        audit.ownerIds.push(...audiencesOf(row));
        const factor = await findTwoFactor(transaction, row.account_id);
        if (factor?.is_enabled !== true) throw new CallError('notFound');
        news = await resetTwoFactor(transaction, { principal, row, now });
      });
      notifyReset(messenger, await messenger.kinds(), news);
      return {};
    },
  };
}

async function resetByLink(
  { database, messenger, accountSettings }: UserDeps,
  { input, principal, now, origin, audit }: CallRequest<'user/password/reset'>,
) {
  const kinds = await messenger.kinds();
  const { consoleUrl } = (await accountSettings.read()).config;
  const token = newSecret();
  const expiresAt = now + RESET_MS.link;
  let sentTo = '';
  let news: ResetNotification | null = null;
  await changeUser(database, principal, input.userId, async (transaction, row) => {
    audit.ownerIds.push(...audiencesOf(row));
    const reset = { principal, row, now };
    refusePasswordAfterTwoFactorReset(reset);
    const contact = confirmedContact(row, kinds);
    sentTo = contact === null ? '' : maskedContact(contact);
    const link = `/resetPwd#reset=${token}`;
    const url = contact === null ? null : consoleUrl === '' ? httpUrl(origin, link) : `${consoleUrl}${link}`;
    news = await linkWasMade(transaction, reset, url);
    await storeResetLink(transaction, {
      account_id: row.account_id,
      token_hash: createHash('sha256').update(token).digest(),
      closes_video: closesVideo(reset, contact),
      by_name: principal.userName,
      expires_at: expiresAt,
    });
  });
  notifyReset(messenger, kinds, news);
  return { sentTo, token: sentTo === '' ? token : '', expiresAt };
}
