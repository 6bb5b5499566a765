// Entities of the specification (section 3) in wire form; field names are fixed, more may follow.
import { z } from 'zod';
import { boundedText } from './text-length.ts';

/** Milliseconds since 1970 UTC, up to the last instant a Date can hold. */
export const timeMs = z.number().int().min(0).max(8.64e15);
/** A number that is kept in a column of four bytes: versions, numbers of enumerations. */
export const smallInt = z
  .number()
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
export const deviceSerial = z.string().regex(/^[A-Za-z0-9]{1,20}$/);
export const channelNo = z.number().int().min(1).max(65535);
export const quality = z.union([z.literal(0), z.literal(1), z.literal(2)]);
export const id = z.string().min(1).max(64);
/** 1 to 64 characters, no angle brackets, not blank (VA-04). */
export const nameText = boundedText(64)
  .regex(/^[^<>]*$/)
  .refine((text) => text.trim() !== '')
  .meta({ maxLength: 64 });
/** 1 to 256 characters, no angle brackets (VA-04). */
export const descriptionText = boundedText(256)
  .regex(/^[^<>]*$/)
  .meta({ maxLength: 256 });

export const ShareInfo = z.object({
  shareId: z.string(),
  shareType: z.number().int(),
  shareName: z.string(),
  owner: z.string(),
  permission: z.array(z.string()),
  startTime: timeMs.nullable(),
  endTime: timeMs.nullable(),
  channelNo: z.number().int().nullable(),
  description: z.string(),
});
export type ShareInfo = z.infer<typeof ShareInfo>;

export const Device = z.object({
  deviceSerial: z.string(),
  /** What the device says itself, where another device had that serial already. */
  reportedSerial: z.string().optional(),
  deviceName: z.string(),
  deviceType: z.number().int(),
  deviceModel: z.string(),
  deviceVersion: z.string(),
  status: z.number().int(),
  latestOnline: timeMs.nullable(),
  organizationId: z.string(),
  organizationName: z.string(),
  supportMultiChannel: z.boolean(),
  isShared: z.number().int(),
  /** Stored permission strings that the caller has on this device. */
  permission: z.array(z.string()),
  shareInfo: ShareInfo.nullable(),
  keySerial: z.string(),
  /** Set where one channel alone was shared; else null. */
  channelNo: z.number().int().nullable(),
  /** Account name on the device itself; never its password. */
  deviceUserName: z.string(),
  channelTotal: z.number().int(),
  driver: z.string(),
  /** Host and port, for who may configure the device; else empty. */
  address: z.string(),
  /** Why the device is not online: a DEVICE_REASONS word, or null. */
  statusReason: z.string().nullable(),
  version: z.number().int(),
});
export type Device = z.infer<typeof Device>;

export const Channel = z.object({
  channelNo: z.number().int(),
  channelName: z.string(),
  channelType: z.number().int(),
  deviceSerial: z.string(),
  status: z.number().int(),
  streamNum: z.number().int(),
  permission: z.array(z.string()),
  isRecording: z.boolean(),
});
export type Channel = z.infer<typeof Channel>;

export const Organization = z.object({
  organizationId: z.string(),
  organizationName: z.string(),
  /** '0' is the root. */
  parentOrgId: z.string(),
  isShared: z.number().int(),
  owner: z.string(),
  shareInfo: ShareInfo.nullable(),
  /** Place among its siblings, from 1; null follows by name. */
  position: z.number().int().nullable(),
  /** Stored permission strings that the caller has on it and all below. */
  permission: z.array(z.string()),
  version: z.number().int(),
});
export type Organization = z.infer<typeof Organization>;

export const Group = z.object({ groupId: z.string(), groupName: z.string(), isDefault: z.boolean() });
export const Role = z.object({ roleId: z.string(), roleName: z.string() });
export const Preset = z.object({ presetIndex: z.number().int(), name: z.string(), image: z.string() });
export const RecordItem = z.object({
  startTime: timeMs,
  endTime: timeMs,
  /** 1 ours, 2 on the device's own storage. */
  srcType: z.number().int(),
  recordType: z.number().int(),
  /** Ours, fetched from the device's own storage after an outage. */
  isFilled: z.boolean().optional(),
});
export type RecordItem = z.infer<typeof RecordItem>;
export const CdnLive = z.object({
  liveId: z.string(),
  quality,
  channelNo: z.number().int(),
  rtmpUrl: z.string(),
});
export const VersionInfo = z.object({
  versionName: z.string(),
  mustUpgradeVersion: z.string(),
  contentEn: z.string(),
  contentZh: z.string(),
  externalVersion: z.string(),
  redirectUrl: z.string(),
  path: z.string(),
});
export const Auth = z.object({ accessToken: z.string(), expireTime: timeMs, serverAddress: z.string() });
export type Auth = z.infer<typeof Auth>;
export const ServerConfig = z.object({
  isOverseasFlag: z.boolean(),
  isNoBrandFlag: z.boolean(),
  isCaptcha: z.boolean(),
  captchaAppId: z.string(),
  captchaPath: z.string(),
  apiURL: z.string(),
  oldWebsite: z.string(),
  centerServer: z.string(),
});
export type ServerConfig = z.infer<typeof ServerConfig>;
export const TimePlanEntry = z.object({ StartTime: z.string(), EndTime: z.string(), Type: z.number().int() });
export const CardMenuItem = z.object({
  linkId: z.string(),
  name: z.string(),
  tip: z.string(),
  imgUrl: z.string(),
  visible: z.boolean(),
  MenuList: z.array(z.object({ name: z.string(), visible: z.boolean() })),
});
export type CardMenuItem = z.infer<typeof CardMenuItem>;
export const UploadFileEntry = z.object({
  uid: z.string(),
  name: z.string(),
  size: z.number(),
  status: z.enum(['ready', 'uploading', 'success', 'fail']),
  percentage: z.number(),
  /** The chosen file itself, in the browser. */
  raw: z.unknown(),
  url: z.string(),
  response: z.unknown(),
});

/** A row of the organisation/device tree: an organisation, a device or a channel. */
export const Resource = z.discriminatedUnion('resourceType', [
  z.object({ resourceType: z.literal('organization'), organization: Organization }),
  z.object({ resourceType: z.literal('device'), device: Device, channelList: z.array(Channel) }),
]);
export type Resource = z.infer<typeof Resource>;
