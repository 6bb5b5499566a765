// Handlers for callers without a session: captcha, codes, registration, password reset, documents.
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import type { accountAccessCalls, CodePurpose } from '@vedette/contract/calls/account-access.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { CODE_LIMITS } from '@vedette/contract/limits.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { contactOf, parseContact } from '../../auth/contact.ts';
import type { VerificationCodes } from '../../auth/verification-codes.ts';
import { CallError, fieldError, refuseBadFields, requireFound } from '../../core/call-error.ts';
import { DuplicateAccountKeyError } from '../../database/account/account-keys.ts';
import {
  type Contact,
  findAccountByContact,
  findAccountByLogin,
  insertAccount,
} from '../../database/account/account.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { findTwoFactor } from '../../database/account/two-factor.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import {
  alreadyRegisteredMessage,
  codeMessage,
  type MessageLanguage,
  passwordChangedMessage,
} from '../../mail/message-texts.ts';
import type { Message, Messenger } from '../../mail/messenger.ts';
import type { MessageBudget } from '../../mail/message-budget.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import { documentsNow } from './documents.ts';
import { replacePassword } from './own-password.ts';
import type { SignInDeps } from './sign-in.ts';

export interface AccountAccessDeps extends SignInDeps {
  readonly codes: VerificationCodes;
  readonly messenger: Messenger;
  readonly accountSettings: AccountSettings;
  readonly messageBudget: MessageBudget;
}

type AccountAccessPath = Exclude<keyof typeof accountAccessCalls, `account/password/reset/${string}`>;

export function accountAccessHandlers(deps: AccountAccessDeps): Handlers<AccountAccessPath> {
  return {
    'account/captcha/get': async () => ({ challenge: await deps.captcha.challenge() }),
    'account/verifyCode/send': async ({ input, token, address }) => {
      const caller = token === null ? null : (await deps.sessions.authenticate(token)).principal;
      if (caller === null && input.purpose === 'bind') throw new CallError('tokenInvalid');
      const order = await orderOf(deps, { ...input, callerId: caller?.userId ?? '', address });
      await refuseUnsent(deps, input.purpose, order);
      if (caller === null && input.clientType === 'web') await deps.captcha.verify(input.captcha);
      await sendCode(deps, order, address);
      return { resendAfter: CODE_LIMITS.everyS };
    },
    'account/register': async ({ input, now, audit }) => {
      const contact = needContact(input.target);
      refuseBadFields({ username: usernameProblem(input.username), password: passwordProblem(input.password) });
      if (!(await canRegister(deps))) throw new CallError('functionNotSupported');
      const userId = await register(deps, { ...input, contact }, now);
      audit.accountId = userId;
      return { userId };
    },
    'account/password/retrieve': async ({ input, now, audit, address }) => {
      const contact = needContact(input.target);
      refuseBadFields({ password: passwordProblem(input.password) });
      const accountId = await retrieve(deps, { ...input, contact }, now);
      audit.accountId = accountId;
      await deps.limit.forgive({ account: accountId, address, knownBrowserId: null });
      return {};
    },
    'server/documents': async () => documentsNow((await deps.accountSettings.read()).config),
  };
}

export async function canRegister(deps: Pick<AccountAccessDeps, 'messenger' | 'accountSettings'>): Promise<boolean> {
  const { config } = await deps.accountSettings.read();
  return config.canRegister && (await deps.messenger.kinds()).length > 0;
}

/** Target and text; `message` null: nothing is sent, and the caller does not learn that. */
interface CodeOrder {
  readonly question: { readonly purpose: CodePurpose; readonly target: string; readonly accountId: string };
  /** Null for an unknown name. */
  readonly contact: Contact | null;
  readonly message: ((code: string) => Message) | null;
}

interface CodeRequest {
  readonly target: string;
  readonly purpose: CodePurpose;
  readonly language?: number | undefined;
  readonly callerId: string;
  readonly address: string;
}

async function orderOf(deps: AccountAccessDeps, request: CodeRequest): Promise<CodeOrder> {
  const { purpose, callerId } = request;
  if (purpose === 'login') return await loginOrder(deps, request);
  const contact = needContact(request.target);
  const account = await findAccountByContact(deps.database, contact);
  const language = languageFor(request.language, account);
  const question = { purpose, target: contact.value, accountId: purpose === 'bind' ? callerId : '' };
  const say = (code: string) => codeMessage(language, purpose, code);
  if (purpose === 'register' && account !== undefined) {
    return { question, contact, message: () => alreadyRegisteredMessage(language) };
  }
  const isForNobody = purpose === 'retrieve' && account === undefined;
  return { question, contact, message: isForNobody ? null : say };
}

/** Second factor by message: requires the password, and names the account instead of the target. */
async function loginOrder(deps: AccountAccessDeps, request: CodeRequest): Promise<CodeOrder> {
  const account = await findAccountByLogin(deps.database, request.target.trim());
  const factor = account === undefined ? undefined : await findTwoFactor(deps.database, account.account_id);
  const isProved = account !== undefined && (await hasProvedPassword(deps, account, request));
  const contact = !isProved || factor?.method !== 'message' ? null : contactOf(account);
  const language = languageFor(request.language, account);
  const question = loginQuestion(request, contact, account);
  return { question, contact, message: contact === null ? null : (code) => codeMessage(language, 'login', code) };
}

function loginQuestion({ target, address }: CodeRequest, contact: Contact | null, account: AccountRow | undefined) {
  return {
    purpose: 'login' as const,
    // Without a proven password only the name's own budget is used.
    target: contact?.value ?? `${target.trim().toLowerCase()} ${addressKey(address)}`,
    accountId: contact === null ? '' : (account?.account_id ?? ''),
  };
}

async function hasProvedPassword(
  { factors }: AccountAccessDeps,
  { account_id: accountId }: AccountRow,
  { callerId, address }: CodeRequest,
): Promise<boolean> {
  return accountId === callerId || (await factors.wasChallenged(accountId, address));
}

/** Throws 1006 if such a code can't be sent at all; the same for everybody. */
async function refuseUnsent(deps: AccountAccessDeps, purpose: CodePurpose, order: CodeOrder): Promise<void> {
  const kinds = await deps.messenger.kinds();
  const isSendable =
    order.contact === null || purpose === 'login' ? kinds.length > 0 : kinds.includes(order.contact.kind);
  const isOffered = purpose !== 'register' || (await canRegister(deps));
  if (!isSendable || !isOffered) throw new CallError('functionNotSupported');
}

async function sendCode(deps: AccountAccessDeps, order: CodeOrder, address: string): Promise<void> {
  const code = await deps.codes.make(order.question, address);
  if (order.message !== null && order.contact !== null) deps.messenger.post(order.contact, order.message(code));
}

interface Registration {
  readonly username: string;
  readonly password: string;
  readonly verifyCode: string;
  readonly language?: number | undefined;
  readonly privacyTime?: number | undefined;
  readonly contact: Contact;
}

/** A taken name costs an attempt of the code: only the mailbox's owner can test names, five per code. */
async function register(deps: AccountAccessDeps, wish: Registration, now: number): Promise<string> {
  const { contact } = wish;
  const checked = await deps.codes.check({ purpose: 'register', target: contact.value }, wish.verifyCode);
  const passwordHash = await deps.hasher.hash(wish.password);
  const accountId = newId();
  try {
    await deps.database.transaction().execute(async (transaction) => {
      await deps.codes.spend(transaction, checked);
      await insertAccount(transaction, {
        accountId,
        userName: wish.username,
        passwordHash,
        userType: USER_TYPE.ordinary,
        ownerId: null,
        createdBy: null,
        createdAt: now,
        [contact.kind]: contact.value,
        language: wish.language ?? null,
        privacyTime: wish.privacyTime ?? 0,
      });
    });
  } catch (error) {
    if (!(error instanceof DuplicateAccountKeyError)) throw error;
    if (error.field !== 'userName') throw new CallError('verifyCodeWrong');
    throw new CallError('alreadyExists', { username: 'notAllowed' });
  }
  return accountId;
}

async function retrieve(
  deps: AccountAccessDeps,
  wish: { password: string; verifyCode: string; contact: Contact },
  now: number,
): Promise<string> {
  const { contact } = wish;
  const checked = await deps.codes.check({ purpose: 'retrieve', target: contact.value }, wish.verifyCode);
  const account = requireFound(await findAccountByContact(deps.database, contact), 'verifyCodeWrong');
  const passwordHash = await deps.hasher.hash(wish.password);
  await deps.database.transaction().execute(async (transaction) => {
    await deps.codes.spend(transaction, checked);
    await replacePassword(transaction, account.account_id, { passwordHash }, now);
  });
  deps.messenger.notify(contact, passwordChangedMessage(languageFor(undefined, account)));
  return account.account_id;
}

/** Throws 1003 where it is neither phone nor e-mail. */
export function needContact(typed: string): Contact {
  const contact = parseContact(typed);
  if (contact === null) throw fieldError({ target: 'format' });
  return contact;
}

export function languageFor(asked: number | undefined, account: AccountRow | undefined): MessageLanguage {
  return (asked ?? account?.language ?? 1) === 0 ? 0 : 1;
}
