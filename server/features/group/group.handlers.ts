// Handlers of group/*: device groups of an owner, for the owner and its sub-accounts.
import { DEFAULT_GROUP_ID, type groupCalls, type ListedGroup } from '@vedette/contract/calls/group.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { sql } from 'kysely';
import { authorizeDevice } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { listedDevices } from '../../database/device/device.queries.ts';
import { groupsOf, inGroup, insertGroup, putIntoGroup, renameGroup } from '../../database/device/group.queries.ts';
import { likePattern } from '../../database/search-text.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { groupOwner } from './group.facts.ts';

export interface GroupDeps {
  readonly database: Database;
  readonly hub: RealtimeHub;
}

interface Viewer {
  readonly rights: Rights;
  readonly isWeb: boolean;
}

export function groupHandlers(deps: GroupDeps): Handlers<keyof typeof groupCalls> {
  const { database, hub } = deps;
  const tell = (principal: Principal) =>
    hub.pushTo({ kind: 'resourcesChanged' }, new Set([principal.userId, groupOwner(principal)]));
  return {
    'group/list': async ({ input, principal, rights, isWeb }) =>
      await groupPage(database, groupOwner(principal), { rights: await rights(), isWeb }, input),
    'group/add': async ({ input, principal, now }) => {
      const ownerId = groupOwner(principal);
      const groupId = newId();
      const row = { group_id: groupId, owner_id: ownerId, group_name: input.groupName, created_at: now };
      const use = { accountId: ownerId, now, take: { groups: 1 } };
      await refusingTakenName(() => withinQuota(database, use, (transaction) => insertGroup(transaction, row)));
      tell(principal);
      return { groupId };
    },
    'group/update': async ({ input, principal, rights, isWeb }) => {
      refuseDefault(input.groupId);
      const ownerId = groupOwner(principal);
      const which = { groupId: input.groupId, ownerId, version: input.version };
      const row = await refusingTakenName(() => renameGroup(database, which, input.groupName));
      const group = await oneGroup(database, ownerId, { rights: await rights(), isWeb }, input.groupId);
      if (row === undefined) throw new CallError('stale', group);
      tell(principal);
      return { group };
    },
    'group/delete': async ({ input, principal }) => {
      refuseDefault(input.groupId);
      const deleted = await database
        .deleteFrom('device_group')
        .where('group_id', '=', input.groupId)
        .where('owner_id', '=', groupOwner(principal))
        .returning('group_id')
        .executeTakeFirst();
      if (deleted === undefined) throw new CallError('notFound');
      tell(principal);
      return {};
    },
    'group/device/set': async ({ input, principal, rights }) => {
      const ownerId = groupOwner(principal);
      const isDefault = input.groupId === DEFAULT_GROUP_ID;
      const held = await rights();
      if (!isDefault) await requireGroup(database, ownerId, input.groupId);
      const deviceIds = new Set<string>();
      for (const deviceSerial of input.deviceSerialList) {
        const action = canOwn(principal) ? null : 'DeviceManage';
        deviceIds.add((await authorizeDevice(database, held, action, { deviceSerial })).deviceId);
      }
      await putIntoGroup(database, { ownerId, groupId: isDefault ? null : input.groupId, deviceIds: [...deviceIds] });
      tell(principal);
      return {};
    },
  };
}

function refuseDefault(groupId: string): void {
  if (groupId === DEFAULT_GROUP_ID) throw new CallError('permissionDenied');
}

async function requireGroup(database: Database, ownerId: string, groupId: string): Promise<void> {
  const row = await groupsOf(database, ownerId).select('group_id').where('group_id', '=', groupId).executeTakeFirst();
  if (row === undefined) throw new CallError('notFound');
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { groupName: 'notAllowed' });
    throw error;
  }
}

/** The default group stands first, unless a name is searched: it has none. */
async function groupPage(
  database: Database,
  ownerId: string,
  viewer: Viewer,
  input: { pageStart: number; pageSize: number; groupName?: string | undefined },
): Promise<{ total: number; groupList: ListedGroup[] }> {
  const isSearched = input.groupName !== undefined && input.groupName !== '';
  let query = groupsOf(database, ownerId);
  if (isSearched) query = query.where(sql<boolean>`group_name_key like ${likePattern(input.groupName ?? '')}`);
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { offset, limit } = pageRange(input);
  const before = isSearched ? 0 : 1;
  const hasDefault = before === 1 && offset === 0;
  const rows = await query
    .selectAll()
    .orderBy('group_name_key')
    .offset(Math.max(0, offset - before))
    .limit(hasDefault ? limit - 1 : limit)
    .execute();
  const groupList: ListedGroup[] = hasDefault ? [await defaultGroup(database, ownerId, viewer)] : [];
  for (const row of rows) groupList.push(await toGroup(database, ownerId, viewer, row));
  return { total: total + before, groupList };
}

async function defaultGroup(database: Database, ownerId: string, viewer: Viewer): Promise<ListedGroup> {
  const deviceTotal = await countDevices(database, ownerId, viewer, null);
  return { groupId: DEFAULT_GROUP_ID, groupName: '', isDefault: true, deviceTotal, version: 1 };
}

async function oneGroup(database: Database, ownerId: string, viewer: Viewer, groupId: string): Promise<ListedGroup> {
  const row = await groupsOf(database, ownerId).selectAll().where('group_id', '=', groupId).executeTakeFirst();
  if (row === undefined) throw new CallError('notFound');
  return await toGroup(database, ownerId, viewer, row);
}

async function toGroup(
  database: Database,
  ownerId: string,
  viewer: Viewer,
  row: { group_id: string; group_name: string; version: number },
): Promise<ListedGroup> {
  const deviceTotal = await countDevices(database, ownerId, viewer, row.group_id);
  return { groupId: row.group_id, groupName: row.group_name, isDefault: false, deviceTotal, version: row.version };
}

async function countDevices(
  database: Database,
  ownerId: string,
  { rights, isWeb }: Viewer,
  groupId: string | null,
): Promise<number> {
  const { total } = await listedDevices(database, visibleDevices(rights, null), isWeb)
    .where(inGroup(ownerId, groupId))
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
