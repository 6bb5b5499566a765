// Calls of the operator about the running installation: how each part does, with measures of an hour, and the versions in use.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

/** `off`: not in use, or not to be measured here. */
export const HEALTH_STATES = ['good', 'warning', 'bad', 'off'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const HEALTH_PARTS = [
  'server',
  /** Another one of the same database, or this one among them. */
  'otherServer',
  'gateway',
  'database',
  'site',
  'storage',
  'machine',
  'dataDisk',
  'deviceClocks',
  'certificate',
  'backup',
  'mail',
  'messages',
  'auditLog',
] as const;
export type HealthPart = (typeof HEALTH_PARTS)[number];

/** Why a part is not good; each has a sentence that says what to do. */
export const HEALTH_REASONS = [
  'loopLate',
  'loopBlocked',
  'cpuHigh',
  'processMissing',
  'databaseSlow',
  'connectionsFew',
  'serverUnreachable',
  'serverForeign',
  'serverRefused',
  'serverKeyDiffers',
  'serverClockDiffers',
  'serverReleaseDiffers',
  'siteOffline',
  'siteWaiting',
  'eventsDropped',
  'driversRestarted',
  'clockApart',
  'storageFull',
  'storageFailing',
  'storageMissing',
  'memoryLow',
  'diskLow',
  'diskFull',
  'deviceClocksWrong',
  'certificateEnds',
  'certificateEnded',
  'certificateNone',
  'backupNone',
  'backupOld',
  'backupFailed',
  'backupCheckFailed',
  'mailFailed',
  'mailOff',
  'messagesFailed',
  'messagesNone',
  'auditUnchained',
  'notMeasured',
] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];

export const HEALTH_FIGURES = [
  /** Of one core: 1 is a whole one. */
  'cpuShare',
  'residentBytes',
  'loopDelayMs',
  'upSince',
  /** Open files and sockets. */
  'handles',
  'pages',
  'latencyMs',
  'connections',
  'databaseBytes',
  'eventsWaiting',
  'skewMs',
  'usedBytes',
  'freeBytes',
  'memoryFreeBytes',
  'memoryBytes',
  'devices',
  'validTo',
  'lastBackup',
  'backupBytes',
  /** When it was last proven that a backup can be restored. */
  'lastBackupCheck',
  'delivered',
  'failed',
] as const;
export type HealthFigure = (typeof HEALTH_FIGURES)[number];

export const HealthEntry = z.object({
  part: z.enum(HEALTH_PARTS),
  /** Of a site and its storage; else empty. */
  siteId: z.string(),
  /** Name of the site, `local` has none, or folder of the storage. */
  name: z.string(),
  state: z.enum(HEALTH_STATES),
  reason: z.enum(HEALTH_REASONS).nullable(),
  /** What the other side said, without addresses; empty without any. */
  detail: z.string(),
  figureList: z.array(
    z.object({
      figure: z.enum(HEALTH_FIGURES),
      value: z.number().nullable(),
      /** Of the last hour at most, evenly apart, the newest last; null where nothing was measured; empty where it has no course. */
      series: z.array(z.number().nullable()),
    }),
  ),
});
export type HealthEntry = z.infer<typeof HealthEntry>;

export const systemHealthCalls = {
  'system/backup/start': call({
    summary: 'Take a backup now, into the folder of the scheduled ones',
    permission: operatorOnly,
    audit: 'write',
    /** 1006: the installation was started without a folder for backups. */
    errors: [1006],
    input: z.object({}).strict(),
    output: z.object({}),
  }),
  'system/health/get': call({
    summary: 'State of each part of the installation, with measures of the last hour',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({
      time: timeMs,
      partList: z.array(HealthEntry),
    }),
  }),
  'system/version/get': call({
    summary: 'Versions of the product, of what it runs on, of its sites, and of the firmware of devices by model',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({
      version: z.string(),
      /** Commit of the working copy that runs; empty where it is none. */
      revision: z.string(),
      node: z.string(),
      postgres: z.string(),
      operatingSystem: z.string(),
      architecture: z.string(),
      /** Of the connection between server and sites. */
      siteProtocol: z.number().int(),
      siteList: z.array(
        z.object({
          siteId: z.string(),
          /** Empty for the local site. */
          siteName: z.string(),
          isOnline: z.boolean(),
          version: z.string(),
          /** Empty while it is not known. */
          node: z.string(),
          /** Empty without one, or while it is not known. */
          ffmpeg: z.string(),
        }),
      ),
      /** The most frequent first; up to 200. */
      firmwareList: z.array(
        z.object({ deviceModel: z.string(), deviceVersion: z.string(), driver: z.string(), total: z.number().int() }),
      ),
    }),
  }),
} as const;
