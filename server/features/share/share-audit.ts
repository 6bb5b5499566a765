// Audit log entries of re-shares for the owner: what was shared, with whom, and by which share the giver holds it.
import type { ShareRow } from '../../database/schema/schema.ts';
import { itemsOfShare, nameOfAccount, type OwnedItem } from '../../database/account/audit-names.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findShareOf } from '../../database/access/share.queries.ts';
import { type AuditPart, partsByOwner } from '../../http/audit-trail.ts';

/** `itemsBefore`: what it opened until now. The giver and who was given it find the line too. */
export async function shareAuditParts(
  database: Database,
  share: Pick<ShareRow, 'share_id' | 'share_name' | 'owner_id' | 'grantee_id'>,
  itemsBefore: readonly OwnedItem[] = [],
): Promise<AuditPart[]> {
  const { share_id: shareId, share_name: shareName, owner_id: giverId, grantee_id: granteeId } = share;
  const items = [...itemsBefore, ...(await itemsOfShare(database, shareId))];
  const [giver, grantee] = [await nameOfAccount(database, giverId), await nameOfAccount(database, granteeId)];
  const detail = { way: 'share', share: { shareId, shareName, userName: giver }, toUserName: grantee } as const;
  return partsByOwner(items, detail, [giverId]);
}

export async function auditPartsOfShare(
  database: Database,
  shareId: string,
  giverId: string,
  itemsBefore: readonly OwnedItem[] = [],
): Promise<AuditPart[]> {
  const share = await findShareOf(database, shareId, { ownerId: giverId });
  return share === undefined ? [] : await shareAuditParts(database, share, itemsBefore);
}
