// Reads and writes device groups; the default group is the absence of a row.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { DeviceGroupRow } from '../schema/role-schema.ts';

export function groupNameKey(groupName: string): string {
  return groupName.trim().toLowerCase();
}

export function groupsOf(database: Database, ownerId: string) {
  return database.selectFrom('device_group').where('owner_id', '=', ownerId);
}

export async function insertGroup(
  database: Database,
  row: Omit<DeviceGroupRow, 'group_name_key' | 'version'>,
): Promise<void> {
  await database
    .insertInto('device_group')
    .values({ ...row, group_name_key: groupNameKey(row.group_name) })
    .execute();
}

/** Undefined where `version` is not the stored one any more. */
export function renameGroup(
  database: Database,
  which: { groupId: string; ownerId: string; version: number },
  groupName: string,
): Promise<DeviceGroupRow | undefined> {
  return database
    .updateTable('device_group')
    .set((expression) => ({
      group_name: groupName,
      group_name_key: groupNameKey(groupName),
      version: expression('version', '+', 1),
    }))
    .where('group_id', '=', which.groupId)
    .where('owner_id', '=', which.ownerId)
    .where('version', '=', which.version)
    .returningAll()
    .executeTakeFirst();
}

/** `groupId` null takes the devices out of whatever group they are in. */
export async function putIntoGroup(
  database: Database,
  order: { ownerId: string; groupId: string | null; deviceIds: readonly string[] },
): Promise<void> {
  const { ownerId, groupId, deviceIds } = order;
  if (groupId === null) {
    await database
      .deleteFrom('device_group_member')
      .where('owner_id', '=', ownerId)
      .where('device_id', 'in', [...deviceIds])
      .execute();
    return;
  }
  const rows = deviceIds.map((deviceId) => ({ owner_id: ownerId, device_id: deviceId, group_id: groupId }));
  await database
    .insertInto('device_group_member')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['owner_id', 'device_id']).doUpdateSet({ group_id: groupId }))
    .execute();
}

/** Condition on `device`: it stands in the group of the owner, null being the default one. */
export function inGroup(ownerId: string, groupId: string | null): RawBuilder<SqlBool> {
  const member = sql`select 1 from device_group_member as member where member.owner_id = ${ownerId} and member.device_id = device.device_id`;
  return groupId === null
    ? sql<SqlBool>`not exists (${member})`
    : sql<SqlBool>`exists (${member} and member.group_id = ${groupId})`;
}
