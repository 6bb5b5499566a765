// Double opt-in for alarm mail: sends one confirmation per address, stores the answer, and tells which addresses agreed.
import { createHash, createHmac } from 'node:crypto';
import type { MailConsentState } from '@vedette/contract/alarm-channels.ts';
import type { MailConsent } from '@vedette/contract/calls/alarm-rule.ts';
import type { MAIL_ANSWERS, MailConsentQuestion } from '@vedette/contract/calls/mail-consent.ts';
import { MAIL_CONSENT, SEND_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MailAddressRow, MailConsentRow } from '../database/schema/alarm-schema.ts';
import type { Database } from '../database/connection.ts';
import {
  claimQuestion,
  confirmConsent,
  consentsOf,
  dropQuestion,
  dropUnnamed,
  findByToken,
  findMailboxes,
  refuseMailbox,
  releaseQuestion,
  storeQuestion,
} from '../database/account/mail-consent.queries.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import { mailConsentMessage } from '../mail/message-texts.ts';
import type { Messenger } from '../mail/messenger.ts';
import type { MessageBudget } from '../mail/message-budget.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';

export interface MailConsentDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly messenger: Messenger;
  readonly budget: MessageBudget;
  /** Language of the terms in the mail. */
  readonly key: Buffer;
  /** Where the console opens, without a path; null: unknown. */
  readonly consoleUrl: () => Promise<string | null>;
  readonly onFailure: (error: unknown) => void;
}

type Asker = Pick<AccountRow, 'account_id' | 'user_name' | 'email' | 'language'>;
type Found = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/** Sent, or why not; `waitMs`: not before then. */
export type AskEnd = 'sent' | 'noMail' | { readonly waitMs: number };

export class MailConsents {
  readonly #deps: MailConsentDeps;

  constructor(deps: MailConsentDeps) {
    this.#deps = deps;
  }

  /** Consent of each of these addresses, in their order. */
  async statesOf(account: Asker, addresses: readonly string[]): Promise<MailConsent[]> {
    if (addresses.length === 0) return [];
    const { database, clock } = this.#deps;
    const rows = new Map((await consentsOf(database, account.account_id)).map((row) => [row.address, row]));
    const mailboxes = await findMailboxes(database, addresses.map(mailboxHash));
    const now = clock.wallMs();
    return addresses.map((address) => {
      const hash = mailboxHash(address);
      const mailbox = mailboxes.find((one) => one.address_hash.equals(hash));
      const row = rows.get(address);
      const state = address === account.email ? 'own' : stateOf(row, mailbox, now);
      const isOpen = state === 'waiting' || state === 'ended' || state === 'unasked';
      const nextAt = isOpen && mailbox !== undefined ? mayAskAt(mailbox) : 0;
      return { address, state, askedTime: row?.asked_at ?? null, askAgainTime: nextAt > now ? nextAt : null };
    });
  }

  /** Those of the addresses that may receive alarms. */
  async agreed(account: Asker, addresses: readonly string[]): Promise<string[]> {
    const states = await this.statesOf(account, addresses);
    return states.filter(({ state }) => state === 'own' || state === 'confirmed').map(({ address }) => address);
  }

  /** After channels changed: deletes consents that no channel uses, and asks new addresses, within the limits. */
  async follow(account: Asker, named: readonly string[]): Promise<void> {
    await dropUnnamed(this.#deps.database, account.account_id, named);
    for (const { address, state } of await this.statesOf(account, named)) {
      if (state === 'unasked') await this.ask(account, address);
    }
  }

  /** For an address that neither agreed nor refused. */
  async ask(account: Asker, address: string): Promise<AskEnd> {
    const { database, clock, messenger, budget, consoleUrl } = this.#deps;
    const baseUrl = await consoleUrl();
    if (baseUrl === null || !(await messenger.kinds()).includes('email')) return 'noMail';
    const at = clock.wallMs();
    const hash = mailboxHash(address);
    const [before] = await findMailboxes(database, [hash]);
    // Checked first, so that a futile request uses no shared budget.
    if (!(await claimQuestion(database, hash, at))) {
      return { waitMs: Math.max(1000, before === undefined ? 0 : mayAskAt(before) - at) };
    }
    const waitMs = await budget.spend([{ kind: 'consent', accountId: account.account_id, targets: [address] }]);
    if (waitMs > 0) {
      await releaseQuestion(database, hash, { at, before });
      return { waitMs };
    }
    const token = newSecret();
    const question = { account_id: account.account_id, address, token_hash: sha256(token) };
    await storeQuestion(database, { ...question, asked_at: at, expires_at: at + MAIL_CONSENT.lifeMs });
    const message = mailConsentMessage(account.language === 0 ? 0 : 1, {
      byName: account.user_name,
      url: linkWith(baseUrl, token),
    });
    messenger.post({ kind: 'email', value: address }, message, () => {
      const undone = Promise.all([
        releaseQuestion(database, hash, { at, before }),
        dropQuestion(database, question.token_hash),
      ]);
      undone.catch(this.#deps.onFailure);
    });
    return 'sent';
  }

  /** Undefined for an unknown, expired or deleted token alike. */
  async open(token: string): Promise<MailConsentQuestion | undefined> {
    const { database, clock } = this.#deps;
    const hash = sha256(token);
    const found = await findByToken(database, hash, { now: clock.wallMs() });
    return found && (await this.#question(database, found, hash));
  }

  /** Undefined as above, and if a link that can only refuse is used to consent. */
  async answer(token: string, answer: (typeof MAIL_ANSWERS)[number]): Promise<MailConsentQuestion | undefined> {
    const { database, clock } = this.#deps;
    const at = clock.wallMs();
    const hash = sha256(token);
    return await database.transaction().execute(async (transaction) => {
      const found = await findByToken(transaction, hash, { now: at, locks: true });
      if (found === undefined || (answer === 'confirm' && !canConfirm(found, hash, at))) return undefined;
      const addressHash = mailboxHash(found.address);
      if (answer === 'confirm') {
        const stopHash = sha256(this.#unsubscribeToken(found.account_id, found.address));
        await confirmConsent(transaction, found, { at, stopHash, addressHash });
      } else {
        await refuseMailbox(transaction, found, { at, addressHash });
      }
      const now = await findByToken(transaction, hash, { now: at });
      return now && (await this.#question(transaction, now, hash));
    });
  }

  /** Opt-out link of a consenting address; null without a console address or without consent. */
  async unsubscribeLink(account: Asker, address: string): Promise<string | null> {
    const baseUrl = await this.#deps.consoleUrl();
    if (baseUrl === null || address === account.email) return null;
    return linkWith(baseUrl, this.#unsubscribeToken(account.account_id, address));
  }

  async #question(database: Database, found: Found, hash: Buffer): Promise<MailConsentQuestion> {
    const [mailbox] = await findMailboxes(database, [mailboxHash(found.address)]);
    const now = this.#deps.clock.wallMs();
    const isRefused = (mailbox?.refused_at ?? null) !== null;
    return {
      byName: found.user_name,
      address: found.address,
      state: isRefused ? 'refused' : found.confirmed_at === null ? 'waiting' : 'confirmed',
      confirmUntil: canConfirm(found, hash, now) ? found.expires_at : null,
      mostPerHour: SEND_LIMITS.mail.target,
    };
  }

  /** Derived, the same in every mail, and not stored. */
  #unsubscribeToken(accountId: string, address: string): string {
    return createHmac('sha256', this.#deps.key)
      .update(JSON.stringify([accountId, address]))
      .digest('base64url');
  }
}

function linkWith(baseUrl: string, token: string): string {
  return `${baseUrl}/alarmMail#mail=${token}`;
}

function canConfirm(found: Found, hash: Buffer, now: number): boolean {
  return found.token_hash.equals(hash) && found.expires_at > now;
}

function stateOf(
  row: MailConsentRow | undefined,
  mailbox: MailAddressRow | undefined,
  now: number,
): Exclude<MailConsentState, 'own'> {
  if ((mailbox?.refused_at ?? null) !== null) return 'refused';
  if (row === undefined) return 'unasked';
  if (row.confirmed_at !== null) return 'confirmed';
  return row.expires_at > now ? 'waiting' : 'ended';
}

function mayAskAt({ asked_count: count, asked_at: askedAt }: MailAddressRow): number {
  const waits = MAIL_CONSENT.againMs;
  return askedAt + (waits[Math.min(count, waits.length) - 1] ?? 0);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Plus addressing (`name+tag@`) reaches the same mailbox nearly everywhere, so it does not count as a new one. */
function mailboxHash(address: string): Buffer {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).split('+', 1);
  return sha256(`${local === '' ? address.slice(0, at) : local}${address.slice(at)}`);
}
