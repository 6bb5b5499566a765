// Changes, accepts and ends shares; affected accounts are notified in the same transaction.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { SHARE_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { insertGrants } from '../../database/access/grant.queries.ts';
import { recordEndedShare } from '../../database/access/ended-share.queries.ts';
import type { GrantRow, ShareRow } from '../../database/schema/schema.ts';
import {
  acceptShare,
  changeShareRow,
  deleteShare,
  findShareOf,
  type ShareChange,
} from '../../database/access/share.queries.ts';
import { type OpenedItem, openItems } from './share-items.ts';
import { grantsFor } from './share-maker.ts';
import { notifyReceivers } from './share-notifications.ts';
import { refuseBadTimes, storedHours, storedRights } from './share-terms.ts';

type Change = CallParsed<'share/update'>;
type Terms = Pick<ShareRow, 'start_time' | 'end_time' | 'role_id'> & { readonly permissions: Permission[] };

export interface ShareChangerDeps {
  readonly database: Database;
  readonly timeZone: string;
}

/** Throws 1007 for a share that is not the giver's, 1010 where it is another version by now. */
export async function changeShare(
  { database, timeZone }: ShareChangerDeps,
  rights: Rights,
  change: Change,
  now: number,
): Promise<number> {
  const share = await findShareOf(database, change.shareId, { ownerId: rights.subject.userId });
  if (share === undefined) throw new CallError('notFound');
  const held = await grantsOfShare(database, share.share_id);
  const terms = await newTerms(database, share, held, change);
  if (change.startTime !== undefined || change.endTime !== undefined) {
    refuseBadTimes(terms.start_time, terms.end_time, now);
  }
  const items =
    change.items === undefined
      ? held
      : await openItems(database, rights, { items: change.items, permissions: [], granteeId: share.grantee_id });
  if (change.items !== undefined || change.permission !== undefined) {
    await refuseMore(database, rights, share, { items: change.items, permissions: terms.permissions });
  }
  return await database.transaction().execute(async (transaction) => {
    // What is named anew takes the right to share on, however old the share is.
    const isAnew = change.items !== undefined && { needs_reshare: true };
    const row = { ...rowChange(share, change, timeZone), ...termColumns(terms), ...isAnew };
    const version = await changeShareRow(transaction, share.share_id, row, change.version);
    if (version === undefined) throw new CallError('stale', null);
    await replaceGrants(transaction, { ...share, ...terms }, { held, items }, now);
    await notifyReceivers(transaction, [share.grantee_id], now);
    return version;
  });
}

/** Throws 1007 for a share that was not offered to the account, 1017 for one that is over. */
export async function acceptShareOffer(
  database: Database,
  accountId: string,
  shareId: string,
  now: number,
): Promise<void> {
  const share = await findShareOf(database, shareId, { granteeId: accountId });
  if (share === undefined) throw new CallError('notFound');
  if (share.end_time !== null && share.end_time <= now) throw new CallError('shareEnded');
  await database.transaction().execute(async (transaction) => {
    if (await acceptShare(transaction, shareId, now)) {
      await notifyReceivers(transaction, [accountId], now, [share.owner_id]);
    }
  });
}

/** Throws 1007 where another call was faster. */
export async function endShare(database: Database, share: ShareRow, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const receivers = [share.grantee_id];
    // Before the row goes: it leads to those it was passed on to.
    await notifyReceivers(transaction, receivers, now, [share.owner_id]);
    await recordEndedShare(transaction, { shareId: share.share_id }, now);
    requireFound(await deleteShare(transaction, share.share_id), 'notFound');
  });
}

function grantsOfShare(database: Database, shareId: string): Promise<GrantRow[]> {
  return database.selectFrom('grant_row').selectAll().where('share_id', '=', shareId).execute();
}

async function newTerms(
  database: Database,
  share: ShareRow,
  held: readonly GrantRow[],
  change: Change,
): Promise<Terms> {
  const { permission, roleId } = change;
  const isChanged = permission !== undefined || roleId !== undefined;
  const given = isChanged
    ? await storedRights(database, share.owner_id, { shareType: share.share_type, permission, roleId })
    : { permissions: (held[0]?.permissions ?? []) as Permission[], roleId: share.role_id };
  return {
    start_time: change.startTime === undefined ? share.start_time : change.startTime,
    end_time: change.endTime === undefined ? share.end_time : change.endTime,
    role_id: given.roleId,
    permissions: given.permissions,
  };
}

function termColumns({ start_time, end_time, role_id }: Terms): ShareChange {
  return { start_time, end_time, role_id };
}

function rowChange(share: ShareRow, change: Change, timeZone: string): ShareChange {
  const hours = changedHours(share.weekly_hours, change, timeZone);
  return {
    ...(change.shareName !== undefined && { share_name: change.shareName ?? '' }),
    ...(change.description !== undefined && { description: change.description ?? '' }),
    weekly_hours: hours === null ? null : JSON.stringify(hours),
  };
}

/** A plan or zone that is not named stays as it is. */
function changedHours(held: ShareRow['weekly_hours'], change: Change, timeZone: string) {
  const zone = change.timeZone ?? held?.timeZone ?? timeZone;
  const plan = change.plan === undefined ? (held?.plan ?? null) : change.plan;
  return plan === null ? null : storedHours(plan, zone);
}

/** Only what is named anew is asked for: a giver may take rights back without having them itself. */
async function refuseMore(
  database: Database,
  rights: Rights,
  share: ShareRow,
  { items, permissions }: { readonly items: Change['items']; readonly permissions: readonly Permission[] },
): Promise<void> {
  if (share.share_type === SHARE_TYPE.fromRole || items === undefined) return;
  await openItems(database, rights, { items, permissions, granteeId: share.grantee_id });
}

async function replaceGrants(
  database: Database,
  share: Pick<ShareRow, 'share_id' | 'grantee_id'> & Terms,
  { held, items }: { readonly held: readonly GrantRow[]; readonly items: readonly OpenedItem[] },
  now: number,
): Promise<void> {
  const key = (one: OpenedItem) => [one.organization_id, one.device_id, one.channel_no].join(' ');
  const wanted = new Set(items.map(key));
  const lost = held.filter((grant) => !wanted.has(key(grant))).map((grant) => grant.grant_id);
  if (lost.length > 0) await recordEndedShare(database, { shareId: share.share_id, grantIds: lost }, now);
  await database.deleteFrom('grant_row').where('share_id', '=', share.share_id).execute();
  const bare = items.map(({ owner_id, object_kind, organization_id, device_id, channel_no }) => ({
    owner_id,
    object_kind,
    organization_id,
    device_id,
    channel_no,
  }));
  await insertGrants(database, grantsFor(share, bare, share.permissions));
}
