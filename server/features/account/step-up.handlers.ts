// Handlers of step-up authentication, of opening video after a reset, and of account notices.
import type { accountSecurityCalls } from '@vedette/contract/calls/account-security.ts';
import { STEP_UP_MS } from '@vedette/contract/limits.ts';
import { twoFactorChallenge } from '../../auth/two-factor-challenge.ts';
import { CallError } from '../../core/call-error.ts';
import { confirmNotice, openNotices } from '../../database/account/account-reset.queries.ts';
import { noteProof } from '../../database/account/session.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { demandProof, ownAccount } from './own-password.ts';
import type { SignInDeps } from './sign-in.ts';

type StepUpPath = Extract<
  keyof typeof accountSecurityCalls,
  'account/stepUp' | 'account/video/open' | `account/notice/${string}`
>;

const SIX_DIGITS = /^\d{6}$/;

export function stepUpHandlers(deps: SignInDeps): Handlers<StepUpPath> {
  const { database, factors } = deps;
  return {
    'account/stepUp': async ({ input, principal, now }) => {
      const account = await demandProof(deps, principal, input.password);
      const factor = await factors.enabled(account.account_id);
      if (factor !== undefined) {
        if (input.code === undefined) {
          throw new CallError('twofactorAuth', await twoFactorChallenge(database, account.account_id));
        }
        await factors.check(account, factor, input.code, `session ${principal.sessionId}`);
      }
      await noteProof(database, principal.sessionId, now);
      return { until: now + STEP_UP_MS };
    },
    'account/video/open': async ({ input, principal }) => {
      const factor = await factors.enabled(principal.userId);
      if (factor === undefined) throw new CallError('notFound');
      // TOTP and message codes do not prove ownership before the reset.
      if (SIX_DIGITS.test(input.code)) throw new CallError('verifyCodeWrong');
      const account = await ownAccount(database, principal);
      await factors.check(account, factor, input.code, `session ${principal.sessionId}`);
      return {};
    },
    'account/notice/list': async ({ principal, videoClosedUntil, now }) => {
      const rows = await openNotices(database, principal.userId);
      const noticeList = rows.map((row) => ({
        noticeId: row.notice_id,
        kind: row.kind,
        byName: row.by_name,
        at: row.at,
      }));
      return { noticeList, videoClosedUntil: videoClosedUntil > now ? videoClosedUntil : 0 };
    },
    'account/notice/confirm': async ({ input, principal, videoClosedUntil, now }) => {
      // The account that reset the password could otherwise sign in and confirm the notice.
      if (videoClosedUntil > now) throw new CallError('videoClosed', { until: videoClosedUntil });
      if (!(await confirmNotice(database, principal.userId, input.noticeId, now))) throw new CallError('notFound');
      return {};
    },
  };
}
