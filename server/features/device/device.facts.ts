// What other features may ask about devices: contract objects for one caller, and ownership.
import type { Channel, Device, ShareInfo } from '@vedette/contract/entities.ts';
import { IS_SHARED } from '@vedette/contract/enumerations.ts';
import { PERMISSIONS } from '@vedette/contract/permissions.ts';
import { canOwn, decide, isLive, permissionsOn, standsWithin } from '@vedette/rules/decide/decide.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import { keySerial } from '@vedette/rules/key-serial.ts';
import type { Rights } from '../../auth/rights.ts';
import type { DeviceWithOrganization } from '../../database/device/device.queries.ts';
import type { GrantWithShare } from '../../database/access/grant.queries.ts';
import type { ChannelRow } from '../../database/schema/schema.ts';

export function objectOfDevice(row: DeviceWithOrganization): RightsObject & { kind: 'device' } {
  return {
    kind: 'device',
    ownerId: row.owner_id,
    organizationPath: row.organization_path ?? [],
    deviceId: row.device_id,
  };
}

/** `through`: the grant of this row in a share list; else the widest one is shown. */
export function toDevice(row: DeviceWithOrganization, rights: Rights, through?: GrantWithShare): Device {
  const object = objectOfDevice(row);
  const grant = through ?? widestShare(rights, object);
  const channelNo = grant?.scope.kind === 'channel' ? onlyChannel(rights, object, through) : null;
  const about: RightsObject = channelNo === null ? object : { ...object, kind: 'channel', channelNo };
  const permission = permissionsOn({ ...rights, object: about }, PERMISSIONS);
  const mayConfigure = permission.includes('Config') || permission.includes('DeviceManage');
  const { isShared, shareInfo, shareType } = shareFactsOf(grant);
  const place = visibleOrganization(row, rights);
  return {
    deviceSerial: row.device_serial,
    ...(row.reported_serial !== null && { reportedSerial: row.reported_serial }),
    deviceName: row.device_name,
    deviceType: row.device_type,
    deviceModel: row.device_model,
    deviceVersion: row.device_version,
    status: row.status,
    latestOnline: row.latest_online,
    ...place,
    supportMultiChannel: row.channel_total > 1,
    isShared,
    permission,
    shareInfo,
    keySerial: keySerial({ deviceSerial: row.device_serial, isShared, shareType, channelNo }),
    channelNo,
    deviceUserName: mayConfigure ? row.device_user_name : '',
    channelTotal: channelNo === null ? row.channel_total : 1,
    driver: row.driver,
    address: mayConfigure ? row.address : '',
    statusReason: row.status_reason,
    version: row.version,
  };
}

function shareFactsOf(grant: GrantWithShare | undefined) {
  if (grant === undefined) return { isShared: IS_SHARED.none, shareInfo: null, shareType: null };
  return { isShared: sharedFrom(grant), shareInfo: toShareInfo(grant), shareType: grant.share?.shareType ?? null };
}

export function toChannel(
  row: ChannelRow,
  deviceSerial: string,
  device: RightsObject & { kind: 'device' },
  rights: Rights,
): Channel {
  const object: RightsObject = { ...device, kind: 'channel', channelNo: row.channel_no };
  return {
    channelNo: row.channel_no,
    channelName: row.channel_name,
    channelType: row.channel_type,
    deviceSerial,
    status: row.status,
    streamNum: row.streams.length,
    permission: permissionsOn({ ...rights, object }, PERMISSIONS),
    isRecording: row.is_recording,
  };
}

export function toShareInfo(grant: GrantWithShare): ShareInfo | null {
  if (grant.share === null) return null;
  return {
    shareId: grant.shareId ?? '',
    shareType: grant.share.shareType,
    shareName: grant.share.shareName,
    owner: grant.share.ownerName,
    permission: [...grant.permissions],
    startTime: grant.startTime,
    endTime: grant.endTime,
    channelNo: grant.scope.kind === 'channel' ? grant.scope.channelNo : null,
    description: grant.share.description,
  };
}

/** The organisation is visible only to those who may see it; to others the device is in the root. */
function visibleOrganization(
  row: DeviceWithOrganization,
  rights: Rights,
): { organizationId: string; organizationName: string } {
  const hidden = { organizationId: '0', organizationName: '' };
  if (row.organization_id === null) return hidden;
  const object = {
    kind: 'organization',
    ownerId: row.owner_id,
    organizationPath: row.organization_path ?? [],
  } as const;
  if (!decide({ ...rights, action: null, object }).allowed) return hidden;
  return { organizationId: row.organization_id, organizationName: row.organization_name ?? '' };
}

const WIDTH = { organization: 0, device: 1, channel: 2 } as const;

/** Undefined for own devices, and for sub-accounts with a role. */
export function widestShare(rights: Rights, object: RightsObject): GrantWithShare | undefined {
  if (canOwn(rights.subject) && object.ownerId === rights.subject.userId) return undefined;
  const shares = rights.grants.filter(
    (grant) => grant.share !== null && isLive(grant, rights.now) && touches(grant, object),
  );
  return shares.sort((one, other) => WIDTH[one.scope.kind] - WIDTH[other.scope.kind])[0];
}

/** The grant covers the object, or a channel of the device. */
export function touches(grant: GrantWithShare, object: RightsObject): boolean {
  if (grant.ownerId !== object.ownerId || !standsWithin(grant, object)) return false;
  if (grant.scope.kind === 'organization') return object.organizationPath.includes(grant.scope.organizationId);
  return object.kind !== 'organization' && grant.scope.deviceId === object.deviceId;
}

export function sharedFrom(grant: GrantWithShare): number {
  const kinds = {
    organization: IS_SHARED.fromOrganization,
    device: IS_SHARED.fromDevice,
    channel: IS_SHARED.fromChannel,
  };
  return kinds[grant.scope.kind];
}

/** The single visible channel; null if there are several. */
function onlyChannel(rights: Rights, object: RightsObject, through: GrantWithShare | undefined): number | null {
  const grants = through === undefined ? rights.grants : [through];
  const numbers = new Set(
    grants
      .filter((grant) => isLive(grant, rights.now) && touches(grant, object))
      .flatMap((grant) => (grant.scope.kind === 'channel' ? [grant.scope.channelNo] : [])),
  );
  const [first] = numbers;
  return numbers.size === 1 && first !== undefined ? first : null;
}
