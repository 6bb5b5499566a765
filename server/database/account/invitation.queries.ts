// Reads and writes invitations; only the SHA-256 of a token is stored.
import type { InvitationRow } from '../schema/account-schema.ts';
import type { Database } from '../connection.ts';

export async function insertInvitation(database: Database, invitation: InvitationRow): Promise<void> {
  await database.insertInto('invitation').values(invitation).execute();
}

export function listInvitations(database: Database, accountId: string, now: number): Promise<InvitationRow[]> {
  return database
    .selectFrom('invitation')
    .selectAll()
    .where('created_by', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function deleteInvitation(database: Database, accountId: string, invitationId: string): Promise<boolean> {
  const row = await database
    .deleteFrom('invitation')
    .where('created_by', '=', accountId)
    .where('invitation_id', '=', invitationId)
    .returning('invitation_id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface OpenInvitation extends InvitationRow {
  readonly inviter_name: string;
  readonly inviter_type: number;
}

/** Undefined if it is used, expired, withdrawn, or its inviter is disabled. */
export function findInvitation(
  database: Database,
  tokenHash: Buffer,
  now: number,
): Promise<OpenInvitation | undefined> {
  return database
    .selectFrom('invitation')
    .innerJoin('account', 'account.account_id', 'invitation.created_by')
    .selectAll('invitation')
    .select(['account.user_name as inviter_name', 'account.user_type as inviter_type'])
    .where('invitation.token_hash', '=', tokenHash)
    .where('invitation.expires_at', '>', now)
    .where('account.is_enabled', '=', true)
    .executeTakeFirst();
}

/** True for exactly one of concurrent callers. */
export async function useInvitation(database: Database, invitationId: string): Promise<boolean> {
  const row = await database
    .deleteFrom('invitation')
    .where('invitation_id', '=', invitationId)
    .returning('invitation_id')
    .executeTakeFirst();
  return row !== undefined;
}
