// Reads the names that an audit log entry shows: channels, devices, organisations, shares and their givers.
import type { AuditDetail, AuditItem } from '@vedette/contract/audit-detail.ts';
import type { Database } from '../connection.ts';

export type NamedShare = NonNullable<AuditDetail['share']>;

export interface OwnedItem {
  readonly ownerId: string;
  readonly item: AuditItem;
}

/** Undefined if deleted. */
export async function findNamedShare(database: Database, shareId: string): Promise<NamedShare | undefined> {
  const row = await database
    .selectFrom('share')
    .innerJoin('account', 'account.account_id', 'share.owner_id')
    .select(['share.share_name', 'account.user_name'])
    .where('share.share_id', '=', shareId)
    .executeTakeFirst();
  return row && { shareId, shareName: row.share_name, userName: row.user_name };
}

/** Empty if deleted. */
export async function nameOfChannel(database: Database, deviceId: string, channelNo: number): Promise<string> {
  const row = await database
    .selectFrom('channel')
    .select('channel_name')
    .where('device_id', '=', deviceId)
    .where('channel_no', '=', channelNo)
    .executeTakeFirst();
  return row?.channel_name ?? '';
}

export async function nameOfAccount(database: Database, accountId: string): Promise<string> {
  const row = await database
    .selectFrom('account')
    .select('user_name')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.user_name ?? '';
}

/** Items of a share, each with its owner. */
export async function itemsOfShare(database: Database, shareId: string): Promise<OwnedItem[]> {
  const rows = await database
    .selectFrom('grant_row')
    .leftJoin('device', 'device.device_id', 'grant_row.device_id')
    .leftJoin('organization', 'organization.organization_id', 'grant_row.organization_id')
    .leftJoin('channel', (join) =>
      join
        .onRef('channel.device_id', '=', 'grant_row.device_id')
        .onRef('channel.channel_no', '=', 'grant_row.channel_no'),
    )
    .select(['grant_row.owner_id', 'grant_row.organization_id', 'grant_row.channel_no', 'device.device_serial'])
    .select(['device.device_name', 'channel.channel_name', 'organization.organization_name'])
    .where('grant_row.share_id', '=', shareId)
    .orderBy('grant_row.grant_id')
    .execute();
  return rows.map((row) => ({
    ownerId: row.owner_id,
    item: {
      ...(row.device_serial !== null && { deviceSerial: row.device_serial }),
      ...(row.organization_id !== null && { organizationId: row.organization_id }),
      ...(row.channel_no !== null && { channelNo: row.channel_no }),
      name: row.channel_name ?? row.device_name ?? row.organization_name ?? '',
    },
  }));
}
