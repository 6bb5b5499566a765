// Calls of the installation: health, storage, network policy and certificates for the operator, reachable addresses for every account.
import { z } from 'zod';
import { RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { smallInt, timeMs } from '../entities.ts';
import { STORAGE_REASONS, USER_TYPE } from '../enumerations.ts';
import { ALARM_LIMITS, DISKS_MAX } from '../limits.ts';

export const SystemConfig = z.object({
  storage: z.object({
    /** Absolute folder of the recordings on the site. */
    folder: z.string().min(1).max(512),
    /** Most that recordings may take, in bytes. */
    budgetBytes: z.number().int().min(0),
    /** Free space to leave unused, in bytes. */
    reserveBytes: z.number().int().min(0),
    retentionDays: z.number().int().min(1).max(3650),
    /** The first disk takes nothing new, and what it has is moved to the others. Absent in a change: as before. */
    isEmptying: z.boolean().optional(),
    /** Disks beside that of `folder`. Absent in a change: as before. */
    moreDisks: z
      .array(
        z
          .object({
            folder: z.string().min(1).max(512),
            budgetBytes: z.number().int().min(0),
            isEmptying: z.boolean(),
          })
          .strict(),
      )
      .max(DISKS_MAX - 1)
      .optional(),
  }),
  network: z.object({
    /** CIDR blocks beside private and public networks where cameras may stand, for example `127.0.0.0/8`. */
    cameraNetworks: z.array(z.string().max(64)).max(64),
  }),
  alarms: z
    .object({
      retentionDays: z.number().int().min(1).max(ALARM_LIMITS.retentionDays),
      /** Alarm type of an event topic, overriding the built-in table; null: no alarm. */
      topicList: z
        .array(
          z.object({ topic: z.string().min(1).max(256), type: z.enum(RAISED_ALARM_TYPE_NAMES).nullable() }).strict(),
        )
        .max(ALARM_LIMITS.topics),
      /** CIDR blocks that alarm messages may go to, beside the public internet. */
      messageNetworks: z.array(z.string().max(64)).max(64).default([]),
    })
    .default({ retentionDays: ALARM_LIMITS.usualRetentionDays, topicList: [], messageNetworks: [] }),
  sharing: z
    .object({
      /** Accounts with the same creator share without acceptance. */
      autoAccept: z.boolean(),
    })
    .default({ autoAccept: true }),
});
export type SystemConfig = z.infer<typeof SystemConfig>;

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

export const StreamHealth = z.object({
  deviceSerial: z.string(),
  channelNo: z.number().int(),
  quality: z.number().int(),
  state: z.string(),
  reason: z.string().nullable(),
  lastFrameAt: timeMs.nullable(),
  counters: z.record(z.string(), z.number()),
});

export const systemCalls = {
  'system/address/list': call({
    summary: 'Addresses under which other machines reach the console, for links that are sent to people',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({
      /** Set by the operator as the address of the console; empty where none is set. */
      publicAddress: z.string(),
      /** Of this machine in its networks, IPv4 first. */
      addressList: z.array(z.string()),
    }),
  }),
  'system/health': call({
    summary: 'State of the site, its disk and its streams',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({
      siteOnline: z.boolean(),
      storage: z
        .object({
          folder: z.string(),
          usedBytes: z.number(),
          freeBytes: z.number(),
          budgetBytes: z.number(),
          state: z.enum(['normal', 'full', 'failing', 'missing']),
          /** Why `state` is not normal; null if it is. */
          reason: z.enum(STORAGE_REASONS).nullable(),
          oldestAt: timeMs.nullable(),
          /** Each disk; the figures above are of all that can be reached. */
          diskList: z.array(
            z.object({
              folder: z.string(),
              usedBytes: z.number(),
              freeBytes: z.number(),
              budgetBytes: z.number(),
              state: z.enum(['normal', 'full', 'failing', 'missing']),
              reason: z.enum(STORAGE_REASONS).nullable(),
              /** What it holds, or held when it was read last. */
              oldestAt: timeMs.nullable(),
              newestAt: timeMs.nullable(),
              /** Null: it is not emptied. `done`: it may be taken out. */
              emptying: z
                .object({
                  state: z.enum(['moving', 'waiting', 'done']),
                  filesLeft: z.number(),
                  bytesLeft: z.number(),
                })
                .nullable(),
            }),
          ),
        })
        .nullable(),
      streamList: z.array(StreamHealth),
    }),
  }),
  'system/storage/use': call({
    summary: 'What the recordings of each camera take on the disk, and how fast they grow',
    permission: operatorOnly,
    audit: 'read',
    errors: [1012],
    input: z.object({}).strict(),
    output: z.object({
      /** Of all cameras, measured over the last day; null while there is too little to measure. */
      bytesPerDay: z.number().nullable(),
      total: z.number().int(),
      /** The largest first. */
      channelList: z.array(
        z.object({
          deviceSerial: z.string(),
          deviceName: z.string(),
          channelNo: z.number().int(),
          channelName: z.string(),
          usedBytes: z.number(),
          bytesPerDay: z.number().nullable(),
          oldestAt: timeMs,
        }),
      ),
    }),
  }),
  'system/config/get': call({
    summary: 'Storage and network settings, addresses and certificates',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({
      config: SystemConfig,
      version: z.number().int(),
      /** HTTPS addresses of the console for other machines. */
      addressList: z.array(z.string()),
      certificate: z
        .object({ subject: z.string(), issuer: z.string(), validTo: timeMs, fingerprint: z.string() })
        .nullable(),
      /** Address of our own certificate authority's certificate, to install on viewers' machines. */
      authorityUrl: z.string(),
    }),
  }),
  'system/config/set': call({
    summary: 'Change storage and network settings',
    permission: operatorOnly,
    audit: 'write',
    errors: [1010],
    input: z.object({ config: SystemConfig, version: smallInt }).strict(),
    output: z.object({ config: SystemConfig, version: z.number().int() }),
  }),
} as const;
