// Handlers of the password reset link: whose password it sets, and setting it, once.
import { createHash } from 'node:crypto';
import type { accountAccessCalls } from '@vedette/contract/calls/account-access.ts';
import { RESET_MS } from '@vedette/contract/limits.ts';
import { passwordProblem } from '@vedette/rules/validation/account-fields.ts';
import { refuseBadFields, requireFound } from '../../core/call-error.ts';
import { findResetLink, markReset, useResetLink } from '../../database/account/account-reset.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { replacePassword } from './own-password.ts';
import type { SignInDeps } from './sign-in.ts';

type ResetLinkPath = Extract<keyof typeof accountAccessCalls, `account/password/reset/${string}`>;

export function resetLinkHandlers({ database, hasher, limit }: SignInDeps): Handlers<ResetLinkPath> {
  return {
    'account/password/reset/open': async ({ input, now }) => {
      const link = requireFound(await findResetLink(database, tokenHash(input.token), now), 'notFound');
      return { userName: link.user_name, expiresAt: link.expires_at };
    },
    'account/password/reset/use': async ({ input, now, audit, address }) => {
      refuseBadFields({ password: passwordProblem(input.password) });
      const link = requireFound(await findResetLink(database, tokenHash(input.token), now), 'notFound');
      audit.accountId = link.account_id;
      const passwordHash = await hasher.hash(input.password);
      await database.transaction().execute(async (transaction) => {
        requireFound(await useResetLink(transaction, link.token_hash), 'notFound');
        await replacePassword(transaction, link.account_id, { passwordHash }, now);
        if (!link.closes_video) return;
        await markReset(transaction, link.account_id, {
          password_reset_at: now,
          video_closed_until: now + RESET_MS.videoClosed,
        });
      });
      await limit.forgive({ account: link.account_id, address, knownBrowserId: null });
      return {};
    },
  };
}

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
