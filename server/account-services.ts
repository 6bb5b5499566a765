// Composes the services of accounts: password hashing, attempt limits, codes, two-factor authentication, captcha, messages and their settings.
import { hkdfSync } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { AttemptLimiter } from './auth/attempt-limiter.ts';
import { LoginLimit } from './auth/login-limit.ts';
import { PasswordHasher } from './auth/password-hash.ts';
import { CaptchaCheck } from './auth/captcha-check.ts';
import { TwoFactorAuth } from './auth/two-factor-auth.ts';
import type { SecretBox } from './core/secret-box.ts';
import { VerificationCodes } from './auth/verification-codes.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DatabaseSchema } from './database/schema/schema.ts';
import { Messenger } from './mail/messenger.ts';
import { MessageBudget } from './mail/message-budget.ts';
import { OutboundClient } from './outbound/outbound-client.ts';
import { AccountSettings } from './settings/account-settings.ts';

export interface AccountServicesOptions {
  readonly database: Kysely<DatabaseSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly masterKey: Buffer;
  readonly ownPorts: ReadonlySet<number>;
}

/** Gateways and checks are named by the operator: this machine may be one, our own ports never. */
const OPERATOR_NETWORKS = ['127.0.0.0/8', '::1/128'];

export function createAccountServices(options: AccountServicesOptions) {
  const { database, clock, log, box, masterKey, ownPorts } = options;
  const hasher = new PasswordHasher();
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `vedette ${use}`, 32));
  const policy = { isOperator: true, openNetworks: OPERATOR_NETWORKS, ownPorts };
  const outbound = new OutboundClient({ policy: async () => policy });
  const accountSettings = new AccountSettings({ database, box });
  const attempts = new AttemptLimiter({ database, clock });
  const codes = new VerificationCodes({ database, clock, attempts, key: keyFor('verification codes') });
  const messageBudget = new MessageBudget({ database, clock });
  return {
    hasher,
    messageBudget,
    accountSettings,
    attempts,
    codes,
    limit: new LoginLimit({ attempts }),
    factors: new TwoFactorAuth({ database, clock, box, attempts, codes, hasher }),
    captcha: new CaptchaCheck({ database, clock, settings: accountSettings, outbound, key: keyFor('robot check') }),
    messenger: new Messenger({ settings: accountSettings, clock, log, outbound, budget: messageBudget }),
  };
}
