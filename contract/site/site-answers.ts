// Schemas of all site answers; a call without one does not compile.
import { z } from 'zod';
import { channelNo, quality } from '../entities.ts';
import { GAP_REASONS, STORAGE_REASONS } from '../enumerations.ts';
import { ERROR_CODES } from '../errors.ts';
import type { SiteCallName, SiteCalls } from './site.ts';
import {
  SITE_ANSWER_LIMITS,
  amount,
  days,
  deviceText,
  deviceValues,
  done,
  siteStream,
  siteText,
  siteTimeMs,
  span,
} from './site-answer-parts.ts';
import { analysisAnswers } from './site-analysis.ts';
import { disksAnswer } from './site-disks.ts';
import { cdnAnswers } from './site-cdn.ts';
import { cloudAnswers } from './site-cloud.ts';
import { configAnswers, siteConfigState } from './site-config.ts';
import { deviceRecordingAnswers } from './site-device-recordings.ts';
import { exportAnswers } from './site-export.ts';
import { pictureAnswers } from './site-snapshot.ts';
import { ptzAnswers } from './site-ptz.ts';
import { replayAnswers } from './site-replay.ts';
import { scanAnswers } from './site-scan.ts';
import { storageUseAnswers } from './site-storage-use.ts';
import { talkAnswers } from './site-talk.ts';
import { upgradeAnswers } from './site-device-maintenance.ts';

const LIMITS = SITE_ANSWER_LIMITS;

const words = z.array(siteText(64)).max(LIMITS.words);
const streams = z.array(siteStream).max(LIMITS.streamsOfChannel);
const channel = z.object({
  channelNo,
  channelName: deviceText(LIMITS.name),
  channelType: z.union([z.literal(0), z.literal(1)]).optional(),
  streams,
});

const candidate = z.object({
  // Names a stream in messages between server and site: no spaces or slashes.
  probeId: z.string().regex(/^[\w./:-]{1,128}$/),
  driver: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  native: deviceValues,
  deviceSerial: deviceText(LIMITS.name),
  deviceName: deviceText(LIMITS.name),
  deviceType: z.number().int().min(0).max(65_535),
  manufacturer: deviceText(LIMITS.name),
  deviceModel: deviceText(LIMITS.name),
  deviceVersion: deviceText(LIMITS.name),
  address: deviceText(LIMITS.name),
  channels: z
    .array(channel)
    .max(LIMITS.channels)
    .refine((list) => new Set(list.map((one) => one.channelNo)).size === list.length),
  capabilities: words,
  warnings: z.array(deviceText(LIMITS.warning)).max(LIMITS.words),
});

/** A newer site may name reasons that we do not know. */
const gap = z.object({ startTime: siteTimeMs, endTime: siteTimeMs, reason: z.enum(GAP_REASONS).catch('unknown') });
const recordedSpan = span.safeExtend({
  recordType: z.union([z.literal(1), z.literal(2)]),
  isFilled: z.boolean().optional(),
});

const storage = z.object({
  folder: siteText(LIMITS.path),
  usedBytes: amount,
  freeBytes: amount,
  budgetBytes: amount,
  state: z.enum(['normal', 'full', 'failing', 'missing']),
  reason: z.enum(STORAGE_REASONS).nullable().catch(null),
  oldestAt: siteTimeMs.nullable(),
  disks: disksAnswer.optional(),
});

/** Anything but a number counts as 0. */
const counters = z.record(z.string(), z.unknown()).transform((given) => {
  const numbers = Object.entries(given).filter(
    (entry): entry is [string, number] => entry[0].length <= 64 && Number.isFinite(entry[1]),
  );
  return Object.fromEntries(numbers.slice(0, LIMITS.counters)) as Record<string, number>;
});

const health = z.object({
  storage,
  events: z.object({ waiting: amount, dropped: amount, heldBack: amount }).optional(),
  restream: z
    .object({ clients: amount, packets: amount, bytes: amount, skippedUnits: amount, unsendableUnits: amount })
    .nullable()
    .optional(),
  loops: z.object({ delayMaxMs: amount, driverRestarts: amount, barred: amount }).optional(),
  process: z
    .object({
      version: siteText(64),
      node: siteText(64),
      ffmpeg: siteText(64).nullable(),
      wallMs: siteTimeMs,
      startedAt: siteTimeMs,
      cpuMs: amount,
      residentBytes: amount,
    })
    .optional(),
  streams: z
    .array(
      z.object({
        deviceSerial: siteText(64),
        channelNo: z.number().int().min(0).max(65_535),
        quality,
        state: siteText(64),
        reason: siteText(LIMITS.name).nullable(),
        lastFrameAt: siteTimeMs.nullable().catch(null),
        counters,
      }),
    )
    .max(LIMITS.streams),
});

export const siteAnswers: { readonly [N in SiteCallName]: z.ZodType<SiteCalls[N]['output']> } = {
  ...analysisAnswers,
  ...cdnAnswers,
  ...cloudAnswers,
  ...configAnswers,
  ...deviceRecordingAnswers,
  ...exportAnswers,
  ...pictureAnswers,
  ...ptzAnswers,
  ...replayAnswers,
  ...scanAnswers,
  ...storageUseAnswers,
  ...talkAnswers,
  ...upgradeAnswers,
  assign: done,
  assignOne: done,
  settings: z.object({ storage }),
  ticket: done,
  revoke: z.object({ closed: amount }),
  tickets: z.object({ ticketIds: z.array(z.string().regex(/^[\w-]{1,64}$/)).max(LIMITS.tickets) }),
  probe: candidate,
  admits: done,
  reboot: done,
  keyframe: done,
  streams: z.object({ streams }),
  capabilities: z.object({ capabilities: words }),
  recordings: z.object({
    spans: z.array(recordedSpan).max(LIMITS.spans),
    gaps: z.array(gap).max(LIMITS.spans),
    keyMs: siteTimeMs.nullable().optional(),
  }),
  trigger: done,
  recordingDays: z.object({ days }),
  health,
  uplinks: done,
  uplink: done,
};

const noData = z.unknown().transform(() => null);
const reason = z
  .object({ reason: siteText(64).optional(), fault: deviceText(LIMITS.name).optional() })
  .nullable()
  .catch(null);
const userName = z.object({ userName: deviceText(64) });
/** By field: what is wrong with it. */
const fields = z
  .record(z.string().max(LIMITS.name), z.union([siteText(64), z.null()]))
  .nullable()
  .catch(null);

/** Error codes a site may answer with, and their data: none ends a session or asks for a password. */
export const siteRefusals: ReadonlyMap<number, z.ZodType> = new Map<number, z.ZodType>([
  [ERROR_CODES.serverInternalError, noData],
  [ERROR_CODES.paramInvalid, fields],
  [ERROR_CODES.functionNotSupported, reason],
  [ERROR_CODES.notFound, noData],
  [ERROR_CODES.devNotExist, reason],
  [ERROR_CODES.stale, siteConfigState],
  [ERROR_CODES.quotaExceeded, noData],
  [ERROR_CODES.serviceBusy, reason],
  [ERROR_CODES.talkBusy, userName],
  [ERROR_CODES.ptzBusy, userName],
  [ERROR_CODES.devInternalErr, reason],
  [ERROR_CODES.devResponseTimeOut, reason],
]);
