// Calls of device firmware: uploaded packages, available upgrades, and progress.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, id, timeMs } from '../entities.ts';
import { DEVICE_BATCH_CHUNK } from '../limits.ts';

/** `taking`: the file is sent to the site; `installing`: the device has the file and restarts. */
export const UPGRADE_STATES = ['none', 'taking', 'sending', 'installing', 'finished', 'failed'] as const;

/**
 * `refused`: the device rejects the file. `broken`: the upload failed. `notBack`: the device did not come back.
 * `sameVersion`: it came back with the old version. `interrupted`: the site restarted meanwhile. `altered`: the stored
 * file no longer matches the upload, and was not sent.
 */
export const UPGRADE_REASONS = [
  'refused',
  'broken',
  'notBack',
  'sameVersion',
  'interrupted',
  'altered',
  'offline',
] as const;
export type UpgradeReason = (typeof UPGRADE_REASONS)[number];

export const FirmwarePackage = z.object({
  packageId: z.string(),
  deviceModel: z.string(),
  version: z.string(),
  fileName: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  createTime: timeMs,
});
export type FirmwarePackage = z.infer<typeof FirmwarePackage>;

export const DeviceUpgrade = z.object({
  deviceSerial: z.string(),
  deviceName: z.string(),
  deviceModel: z.string(),
  /** As the device reports it. */
  version: z.string(),
  /** Newest package for its model; null if none, or already installed. */
  newVersion: z.string().nullable(),
  packageId: z.string().nullable(),
  /** Online, supports upgrades, and none is running. */
  canUpgrade: z.boolean(),
  state: z.enum(UPGRADE_STATES),
  /** Percent of the step in `state`. */
  progress: z.number().int(),
  reason: z.enum(UPGRADE_REASONS).nullable(),
  startTime: timeMs.nullable(),
  endTime: timeMs.nullable(),
});
export type DeviceUpgrade = z.infer<typeof DeviceUpgrade>;

/** One device or up to 100; without both, every visible device that can be upgraded or was upgraded recently. */
const which = z
  .object({
    deviceSerial: deviceSerial.optional(),
    deviceSerialList: z.array(deviceSerial).min(1).max(DEVICE_BATCH_CHUNK).optional(),
  })
  .strict();

const state = z.object({
  /** Of the device that was asked for by `deviceSerial`; null for a list. */
  version: z.string().nullable(),
  progress: z.number().int().nullable(),
  upgradeList: z.array(DeviceUpgrade),
});

export const firmwareCalls = {
  'device/upgrade/check': call({
    summary: 'Which devices can be upgraded, and to what',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'read',
    errors: [1009],
    input: which,
    output: state,
  }),
  'device/upgrade/status': call({
    summary: 'How far upgrades are, without asking the devices',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'none',
    errors: [1009],
    input: which,
    output: state,
  }),
  'device/upgrade/start': call({
    summary: 'Upgrade a device with a package of its model; 1012 while one of it is under way',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1006, 1007, 1009, 1012, 2316, 2317],
    input: z.object({ deviceSerial, /** The newest of its model by default. */ packageId: id.optional() }).strict(),
    output: z.object({ upgrade: DeviceUpgrade }),
  }),
  'device/upgrade/package/list': call({
    summary: 'Firmware packages that were uploaded (POST /upload/firmware), newest first',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), packageList: z.array(FirmwarePackage) }),
  }),
  'device/upgrade/package/delete': call({
    summary: 'Remove a firmware package',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007, 1012],
    input: z.object({ packageId: id }).strict(),
    output: z.object({}),
  }),
} as const;
