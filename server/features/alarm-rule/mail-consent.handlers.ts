// Handlers of the recipient's answer to a confirmation mail, without an account.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import type { MailConsents } from '../../alarm-rule/mail-consents.ts';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { requireFound } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';

export interface MailConsentHandlerDeps {
  readonly attempts: AttemptLimiter;
  readonly mailConsents: MailConsents;
}

/** Answers and page views of one address per hour. */
const ADDRESS_MAX = 120;

export function mailConsentHandlers({
  attempts,
  mailConsents,
}: MailConsentHandlerDeps): Handlers<'alarm/consent/open' | 'alarm/consent/answer'> {
  const takeFrom = (address: string) =>
    attempts.consume([{ key: `mail consent ${addressKey(address)}`, max: ADDRESS_MAX, windowMs: HOUR_MS }]);
  return {
    'alarm/consent/open': async ({ input, address }) => {
      await takeFrom(address);
      return requireFound(await mailConsents.open(input.token), 'notFound');
    },
    // Not in the sender's audit log: it would reveal the recipient's IP address.
    'alarm/consent/answer': async ({ input, address }) => {
      await takeFrom(address);
      return requireFound(await mailConsents.answer(input.token, input.answer), 'notFound');
    },
  };
}
