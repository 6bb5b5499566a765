// Exports between server and site: orders, progress, and the schemas of a site's answers.
import { z } from 'zod';
import { EXPORT_LIMITS } from '../limits.ts';
import { amount, done, percent, SITE_ANSWER_LIMITS, siteText, siteTimeMs } from './site-answer-parts.ts';

/** One marked range of one channel, with the names its file and its manifest carry. */
export interface ExportOrderItem {
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly channelNo: number;
  readonly channelName: string;
  /** Names the recordings. */
  readonly channelId: string;
  readonly quality: 0 | 1 | 2;
  /** Wall-clock ms; the end is not part of it. */
  readonly startTime: number;
  readonly endTime: number;
  /** Zone of the date and time to burn into the frames with the channel's name; none: the frames as recorded. */
  readonly burnInZone?: string | null;
}

export interface ExportOrder {
  /** Letters and digits; the same id again changes nothing. */
  readonly taskId: string;
  readonly createdAt: number;
  /** Account that asked, for the manifest. */
  readonly requestedBy: string;
  /** Chosen name of the file, without its ending; empty: by camera and time. */
  readonly name: string;
  readonly version: string;
  readonly commit: string;
  readonly items: readonly ExportOrderItem[];
}

export type ExportState = 'queued' | 'running' | 'finished' | 'failed';

export interface ExportedFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Index of its item in the order. */
  readonly item: number;
  /** Start of the first frame and end of the last one, wall-clock ms. */
  readonly startTime: number;
  readonly endTime: number;
  readonly pictures: number;
}

/** Stretch of an ordered range in which nothing was recorded. */
export interface ExportGap {
  readonly item: number;
  readonly startTime: number;
  readonly endTime: number;
}

/** One export as its site knows it. */
export interface SiteExport {
  readonly taskId: string;
  readonly state: ExportState;
  /** Why it failed, by the code table; null otherwise. */
  readonly code: number | null;
  readonly bytesDone: number;
  /** Estimated from the index until the export is finished. */
  readonly bytesTotal: number;
  /** 0 to 100; copying and checking count half each. */
  readonly percent: number;
  /** What is downloaded: one MP4, or a zip of several and their manifest. Empty until it is finished. */
  readonly name: string;
  readonly sha256: string;
  readonly files: readonly ExportedFile[];
  readonly gaps: readonly ExportGap[];
  readonly finishedAt: number | null;
  /** When the site removes it. */
  readonly expiresAt: number | null;
}

export interface ExportCalls {
  /** Queues an export; 1006 where nothing can be burnt in, 1007 where nothing is recorded in any range, 1011 where disk, quota or queue have no room. */
  exportStart: { input: ExportOrder; output: Record<string, never> };
  /** null: all. Exports missing from the answer are unknown to the site. */
  exportStatus: { input: { taskIds: readonly string[] | null }; output: { exports: readonly SiteExport[] } };
  /** Cancels these exports, ends their downloads with the code, and removes their files. */
  exportEnd: { input: { taskIds: readonly string[]; code: number }; output: Record<string, never> };
  /** Estimated from the index alone. */
  exportEstimate: {
    input: { items: readonly Pick<ExportOrderItem, 'channelId' | 'quality' | 'startTime' | 'endTime'>[] };
    output: { bytes: number; recordedMs: number; availableBytes: number };
  };
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const item = z
  .number()
  .int()
  .min(0)
  .max(EXPORT_LIMITS.items - 1);
const exportedFile = z.object({
  name: siteText(SITE_ANSWER_LIMITS.name),
  bytes: amount,
  sha256,
  item,
  startTime: siteTimeMs,
  endTime: siteTimeMs,
  pictures: amount,
});

const siteExport = z.object({
  taskId: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  state: z.enum(['queued', 'running', 'finished', 'failed']),
  code: z.number().int().min(0).max(9999).nullable(),
  bytesDone: amount,
  bytesTotal: amount,
  percent,
  name: siteText(SITE_ANSWER_LIMITS.name),
  sha256: z.union([z.literal(''), sha256]),
  files: z.array(exportedFile).max(EXPORT_LIMITS.items),
  gaps: z.array(z.object({ item, startTime: siteTimeMs, endTime: siteTimeMs })).max(SITE_ANSWER_LIMITS.spans),
  finishedAt: siteTimeMs.nullable(),
  expiresAt: siteTimeMs.nullable(),
});

export const exportAnswers = {
  exportStart: done,
  exportStatus: z.object({ exports: z.array(siteExport).max(SITE_ANSWER_LIMITS.exports) }),
  exportEnd: done,
  exportEstimate: z.object({ bytes: amount, recordedMs: amount, availableBytes: amount }),
};
