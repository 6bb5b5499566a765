// Calls of the installation's own log: what its processes wrote, for the operator.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { SYSTEM_LOG_LIMITS } from '../limits.ts';
import { pageSize } from './user.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

/** From the least to the most severe. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The processes that write a log; `postgres` is the embedded database. */
export const LOG_PARTS = ['launcher', 'gateway', 'server', 'site', 'postgres', 'virtual-devices'] as const;
export type LogPart = (typeof LOG_PARTS)[number];

export const LogLine = z.object({
  /** The same whenever the line is read, until its file is removed. */
  lineId: z.string(),
  time: timeMs,
  level: z.enum(LOG_LEVELS),
  part: z.enum(LOG_PARTS),
  text: z.string(),
  /** Further fields of the line as JSON; empty without any. */
  detail: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

const filter = {
  /** The least severe level that is wanted. */
  level: z.enum(LOG_LEVELS).default('debug'),
  /** Absent: all. */
  partList: z.array(z.enum(LOG_PARTS)).min(1).max(LOG_PARTS.length).optional(),
  /** Part of the text or the detail, in any case. */
  keyWord: z.string().max(128).optional(),
  startTime: timeMs.optional(),
  endTime: timeMs.optional(),
};

export const systemLogCalls = {
  'system/log/list': call({
    summary: 'Lines of the log, newest first, without secrets',
    permission: operatorOnly,
    audit: 'read',
    input: z
      .object({
        ...filter,
        /** `nextCursor` of the page before. */
        cursor: z
          .string()
          .regex(/^[A-Za-z0-9_-]{1,1024}$/)
          .optional(),
        pageSize: pageSize(SYSTEM_LOG_LIMITS.page),
      })
      .strict(),
    output: z.object({
      lineList: z.array(LogLine),
      /** Null at the end of the log. A page may hold few lines, or none, where many were looked at. */
      nextCursor: z.string().nullable(),
      /** Time of the last line that was looked at; null where there was none. */
      searchedTo: timeMs.nullable(),
    }),
  }),
  'system/log/download': call({
    summary: 'The same as one file, oldest first: a line of JSON each, compressed by gzip, in base64',
    permission: operatorOnly,
    audit: 'read',
    input: z.object(filter).strict(),
    output: z.object({
      name: z.string(),
      gzip: z.string(),
      lineTotal: z.number().int(),
      /** Older lines were left out. */
      isCut: z.boolean(),
    }),
  }),
} as const;
