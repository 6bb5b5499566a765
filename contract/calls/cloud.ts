// Calls of cloud storage: object stores of the installation, and plans that copy recordings of channels and pictures of their alarms into them.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import { CLOUD_COMBO, STORE_REASONS, STORE_STEPS, USER_TYPE } from '../enumerations.ts';
import { CLOUD_LIMITS } from '../limits.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;
const dev = { deviceSerial, channelNo };
const days = z.number().int().min(1).max(CLOUD_LIMITS.days);
const comboType = z.union([
  z.literal(CLOUD_COMBO.picture),
  z.literal(CLOUD_COMBO.eventVideo),
  z.literal(CLOUD_COMBO.continuousVideo),
]);

/** Names of buckets and parts of keys: nothing that a service or a path would read otherwise. */
const bucket = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/);
const prefix = z
  .string()
  .max(CLOUD_LIMITS.prefixLength)
  .regex(/^(?:[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*)?$/);
export const storeKey = z
  .string()
  .max(CLOUD_LIMITS.keyLength)
  // Neither spaces nor angle brackets.
  .regex(/^[!-;=?-~]*$/);

/** Where a bucket is, and who may use it, but for its secret key. */
export const bucketPlace = {
  /** http or https, name and port alone. */
  endpoint: z.url({ protocol: /^https?$/ }).max(CLOUD_LIMITS.endpointLength),
  region: z.string().regex(/^[a-z0-9-]{1,63}$/),
  bucket,
  /** The bucket is a part of the path, not of the name: Ceph, SeaweedFS and most that run in a house. */
  isPathStyle: z.boolean(),
  accessKey: storeKey.min(1),
  /** First part of every key; may be empty. */
  prefix,
};
const access = {
  ...bucketPlace,
  /** Absent: that of `storeId` stays. */
  secretKey: storeKey.min(1).optional(),
};

export const ObjectStoreInfo = z.object({
  storeId: z.string(),
  storeName: z.string(),
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  isPathStyle: z.boolean(),
  accessKey: z.string(),
  prefix: z.string(),
  /** Taken by plans that name none. */
  isDefault: z.boolean(),
  /** Channels whose plan names it. */
  planTotal: z.number().int(),
  version: z.number().int(),
  createTime: timeMs,
});
export type ObjectStoreInfo = z.infer<typeof ObjectStoreInfo>;

export const CloudPlan = z.object({
  deviceSerial: z.string(),
  deviceName: z.string(),
  channelNo: z.number().int(),
  channelName: z.string(),
  comboType,
  days: z.number().int(),
  storeId: z.string(),
  storeName: z.string(),
  createTime: timeMs,
  /** Whether its site answered: the figures below are 0 otherwise. Of pictures the server knows them itself. Files are pictures there. */
  isKnown: z.boolean(),
  waitingFiles: z.number().int(),
  waitingBytes: z.number(),
  waitingSince: timeMs.nullable(),
  storedFiles: z.number().int(),
  storedBytes: z.number(),
  /** Recordings that the store confirmed once and has no more, while the disk has no copy: found by reading one in a hundred back each day. */
  lostFiles: z.number().int(),
  /** Why recordings wait; null: they do not, or only for their turn. */
  reason: z.enum(STORE_REASONS).nullable(),
});
export type CloudPlan = z.infer<typeof CloudPlan>;

export const cloudCalls = {
  'cloud/store/list': call({
    summary: 'Object stores of the installation, without their secrets',
    permission: operatorOnly,
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), storeList: z.array(ObjectStoreInfo) }),
  }),
  'cloud/store/probe': call({
    summary: 'Whether a bucket can be written, read, read in ranges, listed and deleted from; nothing is saved',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1012],
    input: z.object({ storeId: id.optional(), ...access }).strict(),
    output: z.object({
      /** The first step that failed; null: none did. */
      step: z.enum(STORE_STEPS).nullable(),
      reason: z.enum(STORE_REASONS).nullable(),
    }),
  }),
  'cloud/store/save': call({
    summary: 'Add an object store, or change the one that `storeId` and `version` name; it must pass the probe',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1010, 1011, 1012],
    input: z
      .object({
        storeId: id.optional(),
        version: smallInt.optional(),
        storeName: nameText,
        ...access,
        isDefault: z.boolean().default(false),
      })
      .strict(),
    output: z.object({ storeInfo: ObjectStoreInfo }),
  }),
  'cloud/store/delete': call({
    summary: 'Forget an object store that no plan names; its objects stay',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1016],
    input: z.object({ storeId: id }).strict(),
    output: z.object({}),
  }),
  'cloud/combo/list': call({
    summary: 'What can be copied into an object store (EN-22), and into which',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({
      comboList: z.array(z.object({ comboType, mostDays: z.number().int() })),
      storeList: z.array(z.object({ storeId: z.string(), storeName: z.string(), isDefault: z.boolean() })),
    }),
  }),
  'cloud/plan/list': call({
    summary: 'Cloud plans of the channels that the caller may play, with what is stored and what waits',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), planList: z.array(CloudPlan) }),
  }),
  'cloud/plan/estimate': call({
    summary: 'What a plan would hold after its days, by how the channel was recorded in the last day',
    permission: { kind: 'device', action: 'RecordConfig' },
    audit: 'none',
    errors: [1009, 1012],
    input: z.object({ ...dev, comboType, days }).strict(),
    output: z.object({
      /** Null: there are too few recordings to tell. */
      bytesPerDay: z.number().nullable(),
      bytes: z.number().nullable(),
    }),
  }),
  'cloud/plan/open': call({
    summary:
      'Copy the recordings of a channel, or the pictures of its alarms, into an object store and keep them there for so many days',
    permission: { kind: 'device', action: 'RecordConfig' },
    audit: 'write',
    errors: [1007, 1009],
    input: z
      .object({
        ...dev,
        comboType,
        days,
        /** Absent: the default one. */
        storeId: id.optional(),
      })
      .strict(),
    output: z.object({}),
  }),
  'cloud/plan/close': call({
    summary: 'Copy no further recordings of a channel; what is stored stays for its days',
    permission: { kind: 'device', action: 'RecordConfig' },
    audit: 'write',
    errors: [1007, 1009],
    input: z.object(dev).strict(),
    output: z.object({}),
  }),
} as const;
