// Calls of onboarding: discovery, CSV import and export, and device transfer.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, id, smallInt, timeMs } from '../entities.ts';
import { IMPORT_LIMITS } from '../limits.ts';
import { siteId } from './device.ts';

const { csvLength } = IMPORT_LIMITS;

export const FoundDevice = z.object({
  driver: z.string(),
  /** Input of `device/probe` and `device/add`. */
  target: z.string(),
  /** Host, with the port if it is not the default. */
  address: z.string(),
  /** Endpoint reference of WS-Discovery; empty if found by address. */
  endpoint: z.string(),
  deviceName: z.string(),
  deviceModel: z.string(),
  /** The caller already sees a device at this address. */
  deviceSerial: z.string().nullable(),
});
export type FoundDevice = z.infer<typeof FoundDevice>;

/** `ready`: would be added. `waiting`: in the queue. */
export const IMPORT_ROW_STATES = ['invalid', 'ready', 'waiting', 'added', 'failed', 'cancelled'] as const;

export const ImportRow = z.object({
  /** Of the file; the header is line 1. */
  line: z.number().int(),
  deviceName: z.string(),
  /** Without user and password. */
  address: z.string(),
  state: z.enum(IMPORT_ROW_STATES),
  /** Column → problem (a field problem, or `duplicate`, `unknown`). */
  problems: z.record(z.string(), z.string()),
  /** Error code, if the row failed or would fail. */
  code: z.number().int().nullable(),
  reason: z.string().nullable(),
  deviceSerial: z.string().nullable(),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const IMPORT_STATES = ['running', 'finished', 'cancelled'] as const;

export const DeviceImport = z.object({
  /** Null for a dry run that contacts no device. */
  task: z.string().nullable(),
  mode: z.enum(['dryRun', 'check', 'apply']),
  state: z.enum(IMPORT_STATES),
  total: z.number().int(),
  done: z.number().int(),
  createdAt: timeMs,
  /** Dry run: devices cannot be probed now, since their site is disconnected. */
  isSiteAway: z.boolean().optional(),
  rowList: z.array(ImportRow),
});
export type DeviceImport = z.infer<typeof DeviceImport>;

const importTask = z.object({ task: id }).strict();

export const DeviceTransfer = z.object({
  transferId: id,
  deviceSerial,
  deviceName: z.string(),
  /** Of the list of device types. */
  deviceType: z.number().int(),
  channelTotal: z.number().int(),
  /** True: offered by the caller; false: to the caller. */
  isGiven: z.boolean(),
  /** Name of the account whose device it is. */
  owner: z.string(),
  /** Name of the account that may take it. */
  account: z.string(),
  createTime: timeMs,
  /** Last moment at which it can be accepted. */
  endTime: timeMs,
});
export type DeviceTransfer = z.infer<typeof DeviceTransfer>;

const oneTransfer = z.object({ transferId: id }).strict();

export const onboardingCalls = {
  'device/discover': call({
    summary: 'Search the network of the site for devices, and follow a search that is under way',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1003, 1007, 1012],
    input: z
      .object({
        /** An IPv4 network of at most 1024 addresses (`192.168.1.0/24`); absent: by WS-Discovery. */
        scope: z.string().min(1).max(18).optional(),
        /** For a network: the ports to probe; absent: where cameras usually listen. */
        ports: z.array(z.number().int().min(1).max(65_535)).min(1).max(8).optional(),
        siteId,
        /** Continues this search; absent: starts one and ends the caller's previous search. */
        scanId: id.optional(),
        /** Answers once the version is above this one; absent: once the search is over. */
        seen: smallInt.optional(),
        waitMs: z.number().int().min(0).max(5000).default(5000),
      })
      .strict(),
    output: z.object({
      scanId: z.string(),
      version: z.number().int(),
      isDone: z.boolean(),
      /** Addresses checked so far, and in total; both 0 without a network. */
      checked: z.number().int(),
      total: z.number().int(),
      candidateList: z.array(FoundDevice),
    }),
  }),
  'device/discover/cancel': call({
    summary: 'End a search',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'none',
    errors: [1007],
    input: z.object({ scanId: id }).strict(),
    output: z.object({}),
  }),
  'device/import': call({
    summary: 'Check or add the devices of a CSV file',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1003, 1007, 1011],
    input: z
      .object({
        /** Columns serial, name, type, address, port, user, password, path, organization, in any order. */
        csv: z.string().min(1).max(csvLength),
        /** `dryRun` only reads the file, `check` also probes each device, `apply` adds them. */
        mode: z.enum(['dryRun', 'check', 'apply']).default('dryRun'),
        /** With `apply`: probes each device before it is added; otherwise it is stored as the file says. */
        isProbed: z.boolean().default(true),
        /** Organisation of rows without one, and the parent of those that are named. */
        organizationId: id.default('0'),
        /** Site from whose network the addresses are reached. */
        siteId,
      })
      .strict(),
    output: z.object({ import: DeviceImport }),
  }),
  'device/import/status': call({
    summary: 'How far an import is; without a task the newest of the caller',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1007],
    input: z.object({ task: id.optional() }).strict(),
    output: z.object({ import: DeviceImport.nullable() }),
  }),
  'device/import/cancel': call({
    summary: 'End an import; what was added stays',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: importTask,
    output: z.object({ import: DeviceImport }),
  }),
  'device/export': call({
    summary: 'The devices of the caller as CSV, without passwords',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    input: z.object({ organizationId: id.optional() }).strict(),
    output: z.object({ name: z.string(), csv: z.string() }),
  }),
  'device/transfer': call({
    summary: 'Offer a device to another account, which has seven days to accept; the earlier offer of the device ends',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    opensVideo: true,
    errors: [1004, 1007, 1009, 1011, 1437],
    input: z.object({ deviceSerial, account: z.string().min(1).max(128) }).strict(),
    output: z.object({ transferId: id }),
  }),
  'device/transfer/list': call({
    summary: 'Devices that are offered to the caller, newest first, and then those that the caller offers',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ transferList: z.array(DeviceTransfer) }),
  }),
  'device/transfer/accept': call({
    summary: 'Take an offered device over, with its recordings; what its owner shared of it ends',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 1007, 1009, 1011],
    input: oneTransfer,
    output: z.object({ deviceSerial }),
  }),
  'device/transfer/refuse': call({
    summary: 'End an offer: of a device to the caller, or by the caller',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: oneTransfer,
    output: z.object({}),
  }),
  'device/code': call({
    summary:
      "A registration code for a device of one's own, by which another account may add it; the earlier code is void",
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    opensVideo: true,
    errors: [1004, 1009],
    input: z.object({ deviceSerial }).strict(),
    output: z.object({
      /** 25 letters and digits in groups of five; shown once. */
      registrationCode: z.string(),
      codeUntil: timeMs,
    }),
  }),
  'device/reboot': call({
    summary: 'Restart a device',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1006, 1009, 2316, 2317],
    input: z.object({ deviceSerial }).strict(),
    output: z.object({}),
  }),
} as const;
