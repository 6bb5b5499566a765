// Reset of another account's password or 2FA: who may, which sessions end, notices, and how long video stays closed.
import { RESET_MS } from '@vedette/contract/limits.ts';
import { maskedContact } from '../../auth/contact.ts';
import { confirmedContact } from '../../mail/confirmed-contact.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError } from '../../core/call-error.ts';
import type { Contact } from '../../database/account/account.queries.ts';
import { dropResetLink, insertNotice, markReset } from '../../database/account/account-reset.queries.ts';
import type { Database } from '../../database/connection.ts';
import { distrustBrowsers } from '../../database/account/known-browser.queries.ts';
import { dropSignInKeys } from '../../database/account/sign-in-key.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { removeTwoFactor } from '../../database/account/two-factor.queries.ts';
import {
  factorResetMessage,
  type MessageLanguage,
  passwordResetMessage,
  resetLinkMessage,
} from '../../mail/message-texts.ts';
import type { Message, Messenger } from '../../mail/messenger.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { endEverything } from './user-change.ts';

export interface Reset {
  readonly principal: Principal;
  /** As it was before the reset. */
  readonly row: AccountRow;
  readonly now: number;
}

/** What the account is told once the reset is written. */
export interface ResetNotification {
  readonly row: AccountRow;
  readonly message: (language: MessageLanguage) => Message;
}

/** An owner answers for its sub-accounts; the operator does not become somebody else's account. */
function isOwnSubAccount({ principal, row }: Reset): boolean {
  return row.owner_id === principal.userId;
}

/** In whose audit log the line stands beside that of who acted. */
export function audiencesOf(row: AccountRow): string[] {
  return row.owner_id === null ? [row.account_id] : [row.account_id, row.owner_id];
}

/** Throws 1043 where a link can go to the account itself, 1042 with the second factor. */
export function refuseDirectReset(reset: Reset, kinds: readonly Contact['kind'][]): void {
  if (isOwnSubAccount(reset)) return;
  const contact = confirmedContact(reset.row, kinds);
  if (contact !== null) throw new CallError('resetByLink', { target: maskedContact(contact) });
  refusePasswordAfterTwoFactorReset(reset);
}

/** Throws 1042: who resets both has the account. */
export function refusePasswordAfterTwoFactorReset(reset: Reset): void {
  refuseBefore(reset, reset.row.factor_reset_at);
}

function refuseBefore(reset: Reset, otherAt: number): void {
  const until = otherAt + RESET_MS.apart;
  if (!isOwnSubAccount(reset) && until > reset.now) throw new CallError('resetTooSoon', { until });
}

/** The caller set a new password: whoever was signed in goes, and where it was the operator, video stays closed for a day. */
export async function passwordWasSet(database: Database, reset: Reset): Promise<ResetNotification> {
  const { principal, row, now } = reset;
  await dropResetLink(database, row.account_id);
  if (!isOwnSubAccount(reset)) {
    await markReset(database, row.account_id, {
      password_reset_at: now,
      video_closed_until: now + RESET_MS.videoClosed,
    });
  }
  await endAndNote(database, reset, 'passwordReset');
  return { row, message: (language) => passwordResetMessage(language, principal.userName) };
}

/** A link is on its way, to `contact` or in the caller's hands; video closes when the latter is used. */
export async function linkWasMade(database: Database, reset: Reset, url: string | null): Promise<ResetNotification> {
  const { principal, row, now } = reset;
  if (!isOwnSubAccount(reset)) await markReset(database, row.account_id, { password_reset_at: now });
  await endAndNote(database, reset, 'passwordReset');
  const by = principal.userName;
  return {
    row,
    message: (language) => (url === null ? passwordResetMessage(language, by) : resetLinkMessage(language, by, url)),
  };
}

/** Whether using the link closes video: it passed through the hands of who is not the owner. */
export function closesVideo(reset: Reset, contact: Contact | null): boolean {
  return contact === null && !isOwnSubAccount(reset);
}

/** Throws 1042 soon after a reset of the password. */
export async function resetTwoFactor(database: Database, reset: Reset): Promise<ResetNotification> {
  const { principal, row, now } = reset;
  refuseBefore(reset, row.password_reset_at);
  await removeTwoFactor(database, row.account_id);
  if (!isOwnSubAccount(reset)) await markReset(database, row.account_id, { factor_reset_at: now });
  await endAndNote(database, reset, 'factorReset');
  return { row, message: (language) => factorResetMessage(language, principal.userName) };
}

async function endAndNote(
  database: Database,
  { principal, row, now }: Reset,
  kind: 'passwordReset' | 'factorReset',
): Promise<void> {
  await distrustBrowsers(database, row.account_id);
  await dropSignInKeys(database, row.account_id);
  await endEverything(database, row.account_id, 1001, now);
  const notice = { notice_id: newId(), account_id: row.account_id, kind, by_name: principal.userName, at: now };
  await insertNotice(database, notice);
}

export function notifyReset(
  messenger: Messenger,
  kinds: readonly Contact['kind'][],
  notification: ResetNotification | null,
): void {
  if (notification === null) return;
  const contact = confirmedContact(notification.row, kinds);
  if (contact !== null) messenger.notify(contact, notification.message(notification.row.language === 0 ? 0 : 1));
}
