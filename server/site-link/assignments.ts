// Builds what the site must know of each device from the database, credentials opened.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site.ts';
import type { SecretBox } from '../auth/secret-box.ts';
import type { Database } from '../database/connection.ts';
import type { ChannelRow, DeviceRow } from '../database/schema.ts';

/** What stands sealed in a device's row. */
export interface DeviceSecrets {
  /** As the user gave it, without user and password. */
  readonly target: string;
  readonly user: string;
  readonly password: string;
}

export function sealSecrets(box: SecretBox, deviceId: string, secrets: DeviceSecrets): Buffer {
  return box.seal(JSON.stringify(secrets), deviceId);
}

export function openSecrets(box: SecretBox, device: Pick<DeviceRow, 'device_id' | 'credentials'>): DeviceSecrets {
  return JSON.parse(box.open(device.credentials, device.device_id)) as DeviceSecrets;
}

export interface AssignmentParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly retentionDays: () => Promise<number>;
}

export async function allAssignments(parts: AssignmentParts): Promise<DeviceAssignment[]> {
  const devices = await parts.database.selectFrom('device').selectAll().orderBy('device_id').execute();
  const channels = await parts.database.selectFrom('channel').selectAll().orderBy('channel_no').execute();
  const byDevice = Map.groupBy(channels, (channel) => channel.device_id);
  const retentionDays = await parts.retentionDays();
  return devices.map((device) => toAssignment(parts.box, device, byDevice.get(device.device_id) ?? [], retentionDays));
}

/** null where the device is gone. */
export async function oneAssignment(parts: AssignmentParts, deviceId: string): Promise<DeviceAssignment | null> {
  const { database } = parts;
  const device = await database.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
  if (device === undefined) return null;
  const channels = await database
    .selectFrom('channel')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('channel_no')
    .execute();
  return toAssignment(parts.box, device, channels, await parts.retentionDays());
}

function toAssignment(
  box: SecretBox,
  device: DeviceRow,
  channels: readonly ChannelRow[],
  retentionDays: number,
): DeviceAssignment {
  const { user, password } = openSecrets(box, device);
  return {
    deviceSerial: device.device_serial,
    driver: device.driver,
    native: device.native,
    user,
    password,
    isOperatorAddress: device.is_operator_address,
    channels: channels.map((channel) => channelAssignment(channel, retentionDays)),
  };
}

function channelAssignment(channel: ChannelRow, retentionDays: number): ChannelAssignment {
  const quality = channel.record_quality;
  return {
    channelNo: channel.channel_no,
    channelId: channel.channel_id,
    record: quality === 0 || quality === 1 || quality === 2 ? { quality, retentionDays } : null,
    backfillFrom: channel.backfill_from,
  };
}
