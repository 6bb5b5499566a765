// Accounts: sign-in, sessions, two-factor authentication, messages to accounts, roles, quotas and the audit log.
import { hasAccounts } from '../database/account/account.queries.ts';
import { AttemptLimiter } from '../auth/attempt-limiter.ts';
import { CaptchaCheck } from '../auth/captcha-check.ts';
import { LoginLimit } from '../auth/login-limit.ts';
import { SignInKeys } from '../auth/sign-in-keys.ts';
import { PasswordHasher } from '../auth/password-hash.ts';
import { SetupSecret } from '../auth/setup-secret.ts';
import { TwoFactorAuth } from '../auth/two-factor-auth.ts';
import { VerificationCodes } from '../auth/verification-codes.ts';
import { derivedKey } from '../core/derived-key.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { Signal } from '../core/signal.ts';
import { accountAccessHandlers } from '../features/account/account-access.handlers.ts';
import { accountSecurityHandlers } from '../features/account/account-security.handlers.ts';
import { accountSettingsHandlers } from '../features/account/account-settings.handlers.ts';
import { accountHandlers } from '../features/account/account.handlers.ts';
import { signInKeyHandlers } from '../features/account/sign-in-key.handlers.ts';
import { invitationHandlers } from '../features/account/invitation.handlers.ts';
import { resetLinkHandlers } from '../features/account/reset-link.handlers.ts';
import { AuditChainer } from '../audit/audit-chainer.ts';
import { auditHandlers } from '../features/audit/audit.handlers.ts';
import { DirectoryRecheck } from '../features/identity/directory-recheck.ts';
import { DirectorySignIn } from '../features/identity/directory-sign-in.ts';
import { IdentityFlows } from '../features/identity/identity-flows.ts';
import { identityLinkHandlers } from '../features/identity/identity-link.handlers.ts';
import { identityProviderHandlers } from '../features/identity/identity-provider.handlers.ts';
import { identitySignInHandlers } from '../features/identity/identity-sign-in.handlers.ts';
import { quotaHandlers } from '../features/quota/quota.handlers.ts';
import { roleHandlers } from '../features/role/role.handlers.ts';
import { sessionHandlers } from '../features/session/session.handlers.ts';
import { resetHandlers } from '../features/user/reset.handlers.ts';
import { userHandlers } from '../features/user/user.handlers.ts';
import { MessageBudget } from '../mail/message-budget.ts';
import { Messenger } from '../mail/messenger.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { AccountSettings } from '../settings/account-settings.ts';
import type { AssignmentSync } from '../site-link/assignment-sync.ts';
import { begun } from '../work-lease/begun.ts';
import { hardenStored } from './stored-secrets.ts';
import type { Core } from './core.ts';

/** Gateways and checks are named by the operator: this machine may be one, our own ports never. */
const OPERATOR_NETWORKS = ['127.0.0.0/8', '::1/128'];

export type AccountServices = ReturnType<typeof createAccountServices>;

/** What other modules use of accounts. */
export function createAccountServices({ database, clock, log, box, masterKey, ownPorts }: Core) {
  const hasher = new PasswordHasher();
  const policy = { isOperator: true, openNetworks: OPERATOR_NETWORKS, ownPorts };
  const outbound = new OutboundClient({ policy: async () => policy });
  const accountSettings = new AccountSettings({ database, box });
  const attempts = new AttemptLimiter({ database, clock });
  const messageBudget = new MessageBudget({ database, clock });
  const messenger = new Messenger({ settings: accountSettings, clock, log, outbound, budget: messageBudget });
  const captchaKey = derivedKey(masterKey, 'robot check');
  const captcha = new CaptchaCheck({ database, clock, settings: accountSettings, outbound, key: captchaKey });
  return { hasher, accountSettings, attempts, messageBudget, messenger, captcha };
}

export async function accountModule(core: Core, services: AccountServices, assignmentSync: AssignmentSync) {
  const { database, clock, box, masterKey } = core;
  const { hasher, accountSettings, attempts, messenger } = services;
  const codes = new VerificationCodes({ database, clock, attempts, key: derivedKey(masterKey, 'verification codes') });
  const limit = new LoginLimit({ attempts });
  const factors = new TwoFactorAuth({ database, clock, box, attempts, codes, hasher });
  const signInKeys = new SignInKeys({ database, clock });
  const secret = (await hasAccounts(database)) ? null : newSecret();
  const setUp = new Signal<string>();
  const onSetup = (accountId: string) => setUp.emit(accountId);
  core.leases.keep('directories', ({ database: held, signal }) =>
    begun(new DirectoryRecheck({ ...core, database: held, signal })),
  );
  core.leases.keep('audit chain', ({ database: held }) => begun(new AuditChainer({ ...core, database: held })));
  const deps = {
    ...core,
    ...services,
    codes,
    limit,
    factors,
    signInKeys,
    assignmentSync,
    flows: new IdentityFlows({ ...core, attempts }),
    directories: new DirectorySignIn({ ...core, hasher }),
    setupSecret: new SetupSecret(secret),
  };
  return {
    calls: {
      ...accountHandlers({ ...deps, onSetup }),
      ...accountSettingsHandlers(deps),
      ...accountAccessHandlers(deps),
      ...accountSecurityHandlers(deps),
      ...invitationHandlers(deps),
      ...resetLinkHandlers(deps),
      ...sessionHandlers(deps),
      ...signInKeyHandlers(deps),
      ...identityProviderHandlers(deps),
      ...identitySignInHandlers(deps),
      ...identityLinkHandlers(deps),
      ...userHandlers(deps),
      ...resetHandlers(deps),
      ...roleHandlers(deps),
      ...quotaHandlers(deps),
      ...auditHandlers(deps),
    },
    /** The account of the operator was created. */
    setUp,
    /** Null once there is an account. */
    setupSecret: secret,
    start: async () => {
      await hardenStored({ database, box, hasher });
      await Promise.all([hasher.prepare(), accountSettings.read()]);
    },
    close: () => messenger.close(),
  };
}
