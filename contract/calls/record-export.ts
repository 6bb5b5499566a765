// Calls of exports: ranges as MP4 files, written in the background, downloaded by a ticket.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, quality, timeMs } from '../entities.ts';
import { EXPORT_LIMITS, PAGE_MAX, PAGE_SIZE, PAGE_SIZE_MAX } from '../limits.ts';

export const EXPORT_STATES = ['queued', 'running', 'finished', 'failed'] as const;

/** At most 24 hours of one channel; the end is not part of it. */
export const ExportRange = z.object({ deviceSerial, channelNo, startTime: timeMs, endTime: timeMs }).strict();

const itemList = { items: z.array(ExportRange).min(1).max(EXPORT_LIMITS.items), quality: quality.default(0) };

export const ExportTask = z.object({
  task: z.string(),
  state: z.enum(EXPORT_STATES),
  /** Why it failed or was ended, by the code table; null otherwise. */
  code: z.number().int().nullable(),
  items: z.array(
    z.object({
      deviceSerial: z.string(),
      channelNo: z.number().int(),
      channelName: z.string(),
      startTime: timeMs,
      endTime: timeMs,
    }),
  ),
  quality: z.number().int(),
  /** Name, date and time stand in the frames, which are encoded anew. */
  burnIn: z.boolean(),
  /** 0 to 100. */
  percent: z.number().int(),
  bytesDone: z.number(),
  /** Estimated until it is finished. */
  bytesTotal: z.number(),
  /** File that is downloaded: an MP4, or a zip of several with their manifest; empty until it is finished. */
  name: z.string(),
  /** Of that file, lower-case hex; empty until it is finished. */
  sha256: z.string(),
  fileList: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      startTime: timeMs,
      endTime: timeMs,
      pictures: z.number().int(),
    }),
  ),
  /** Stretches of the ranges in which nothing was recorded; `item` counts from 0. */
  gapList: z.array(z.object({ item: z.number().int(), startTime: timeMs, endTime: timeMs })),
  createTime: timeMs,
  finishTime: timeMs.nullable(),
  /** When the file is removed. */
  expireTime: timeMs.nullable(),
});
export type ExportTask = z.infer<typeof ExportTask>;

const replay = { kind: 'account', action: 'Replay' } as const;

export const recordExportCalls = {
  'record/export/estimate': call({
    summary: 'How large an export would be, read from the index',
    permission: replay,
    audit: 'none',
    errors: [1009, 1012],
    input: z.object(itemList).strict(),
    output: z.object({
      bytes: z.number(),
      /** Recordings within the ranges, ms. */
      recordedTime: z.number(),
      /** Space available for an export now. */
      availableBytes: z.number(),
    }),
  }),
  'record/export/start': call({
    summary: 'Export marked ranges; the rights to replay and to export are asked for each of them',
    permission: replay,
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1007, 1009, 1011, 1012, 2317],
    input: z
      .object({
        ...itemList,
        /** File name without extension; default: camera and time. */
        name: nameText.optional(),
        format: z.enum(['mp4']).default('mp4'),
        /** Encodes the frames anew, with the camera's name and the date and time of the recording in them. */
        burnIn: z.boolean().default(false),
        /** Of the burnt-in time, an IANA name; by default that of the device, else of the installation. */
        timeZone: z.string().max(64).optional(),
      })
      .strict(),
    /** `otherTasks`: where recordings lie at several sites, each of them writes a file of its own. */
    output: ExportTask.extend({ otherTasks: z.array(z.string()) }),
  }),
  'record/export/status': call({
    summary: 'How far an export is; once it is finished, a ticket to download it',
    permission: { kind: 'session' },
    // Polled while it runs: the start is audited, and the first ticket to download that a session gets.
    audit: 'read',
    opensVideo: true,
    errors: [1007, 1009, 1012, 1017],
    input: z.object({ task: id }).strict(),
    output: ExportTask.extend({
      /** For `/media/export/<ticket>`, to be used within 60 s; empty until it is finished. */
      ticket: z.string(),
      url: z.string(),
      /** The signed manifest; empty until it is finished. */
      manifestUrl: z.string(),
    }),
  }),
  'record/export/cancel': call({
    summary: 'Stop an export, or remove a finished one',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ task: id }).strict(),
    output: z.object({}),
  }),
  'record/export/list': call({
    summary: "The caller's exports, newest first",
    permission: { kind: 'session' },
    audit: 'none',
    input: z
      .object({
        pageStart: z.number().int().min(0).max(PAGE_MAX).default(0),
        pageSize: z.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE.exports),
      })
      .strict(),
    output: z.object({ total: z.number().int(), taskList: z.array(ExportTask) }),
  }),
} as const;
