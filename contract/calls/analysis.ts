// Calls of edge intelligence: tasks that watch the pictures of channels, and what the sites can run.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import {
  ANALYSIS_ALGORITHMS,
  ANALYST_STATES,
  CROSSING_DIRECTIONS,
  MODEL_REFUSALS,
  OBJECT_CLASSES,
} from '../enumerations.ts';
import { ANALYSIS_LIMITS, DETECTION_THRESHOLD, HOLIDAY_ROW, RECORD_LIMITS } from '../limits.ts';
import { RecordPlanDay } from './record-plan.ts';

const dev = { deviceSerial, channelNo };
const config = { kind: 'device', action: 'Config' } as const;

export const REGION_KINDS = ['line', 'zone', 'mask'] as const;
/** What is known of the site of a task: `away` does not answer, `outdated` is of a version without edge intelligence. */
export const SITE_ANALYSIS_STATES = [...ANALYST_STATES, 'away', 'outdated'] as const;
export type SiteAnalysisState = (typeof SITE_ANALYSIS_STATES)[number];

/** Share of the picture's width or height, from its upper left corner. */
const share = z.number().min(0).max(1);
const height = z.number().min(ANALYSIS_LIMITS.height.least).max(ANALYSIS_LIMITS.height.most);
const objectTotal = z.number().int().min(1).max(ANALYSIS_LIMITS.density.most);

/** How many points a kind needs, and which shapes are refused: rules/analysis/task-problems.ts. */
export const AnalysisRegion = z
  .object({
    /** Of one task. */
    regionId: z.string().regex(/^[A-Za-z0-9-]{1,32}$/),
    regionName: nameText,
    kind: z.enum(REGION_KINDS),
    points: z.array(z.object({ x: share, y: share }).strict()).max(ANALYSIS_LIMITS.points),
    /** Of a line. */
    direction: z.enum(CROSSING_DIRECTIONS).default('both'),
    colour: z.string().regex(/^#[0-9a-f]{6}$/),
  })
  .strict();
export type AnalysisRegion = z.infer<typeof AnalysisRegion>;

const regionList = z.array(AnalysisRegion).max(ANALYSIS_LIMITS.regions);
const classList = z.array(z.enum(OBJECT_CLASSES)).min(1).max(OBJECT_CLASSES.length);
const algorithm = z.enum(ANALYSIS_ALGORITHMS);

/** What a task watches for, and when; shapes are checked by rules/analysis/task-problems.ts. */
export const taskScene = {
  algorithm,
  regionList,
  classList,
  threshold: z
    .number()
    .int()
    .min(ANALYSIS_LIMITS.threshold.least)
    .max(ANALYSIS_LIMITS.threshold.most)
    .default(DETECTION_THRESHOLD),
  minHeight: height.default(ANALYSIS_LIMITS.height.least),
  maxHeight: height.default(ANALYSIS_LIMITS.height.most),
  dwellS: z
    .number()
    .int()
    .min(ANALYSIS_LIMITS.dwellS.least)
    .max(ANALYSIS_LIMITS.dwellS.most)
    .default(ANALYSIS_LIMITS.dwellS.usual),
  densityLevels: z.tuple([objectTotal, objectTotal, objectTotal]).default([...ANALYSIS_LIMITS.density.usual]),
  plan: z.array(RecordPlanDay).max(HOLIDAY_ROW).nullable().default(null),
  holidayList: z
    .array(z.string().regex(/^\d{4}-\d{2}-\d{2}$/))
    .max(RECORD_LIMITS.holidays)
    .default([]),
  /** Of the site's list; other tasks of the channel use it from then on, too. */
  model: z
    .string()
    .regex(/^[\w-][\w.-]{0,63}$/)
    .nullable()
    .default(null),
} as const;
export type TaskSceneField = keyof typeof taskScene;

export const AnalysisTask = z.object({
  taskId: z.string(),
  taskName: z.string(),
  deviceSerial: z.string(),
  deviceName: z.string(),
  channelNo: z.number().int(),
  channelName: z.string(),
  algorithm,
  regionList,
  classList,
  threshold: z.number().int(),
  /** Shares of the picture's height. */
  minHeight: z.number(),
  maxHeight: z.number(),
  /** Seconds. */
  dwellS: z.number().int(),
  densityLevels: z.tuple([z.number().int(), z.number().int(), z.number().int()]),
  /** Null: always. */
  plan: z.array(RecordPlanDay).nullable(),
  holidayList: z.array(z.string()),
  /** By which objects are found, the same of all tasks of a channel; null: the one that comes with the program. */
  model: z.string().nullable(),
  isEnabled: z.boolean(),
  /** The caller may configure the channel. */
  isEditable: z.boolean(),
  /** Where it runs; empty: the site beside the server, until it is given a name. */
  siteName: z.string(),
  siteState: z.enum(SITE_ANALYSIS_STATES),
  /** False: the site does not list the model, and nothing is looked at. */
  hasModel: z.boolean(),
  /** Of the channel, all its tasks together: every picture is looked at, not keyframes alone. */
  isActive: z.boolean(),
  /** Of the channel, in the last minute. */
  picturesPerS: z.number(),
  /** Of the channel: pictures left out since its site started. */
  dropped: z.number(),
  version: z.number().int(),
  createTime: timeMs,
});
export type AnalysisTask = z.infer<typeof AnalysisTask>;

export const AnalysisSite = z.object({
  siteId: z.string(),
  /** Empty for the site beside the server until it is given a name. */
  siteName: z.string(),
  state: z.enum(SITE_ANALYSIS_STATES),
  /** What went wrong, for the operator alone. */
  fault: z.string().nullable(),
  /** Processor milliseconds of one picture; null: not measured yet. */
  msPerPicture: z.number().nullable(),
  /** Of the processors of its machine: taken in the last minute, and allowed. */
  usedPercent: z.number(),
  capPercent: z.number(),
  /** About so many further cameras can be watched; null: not measured yet. */
  roomFor: z.number().nullable(),
  /** Models of the operator that are not run. */
  refusedList: z.array(
    z.object({
      name: z.string(),
      reason: z.enum(MODEL_REFUSALS),
      /** What went wrong, for the operator alone. */
      fault: z.string().nullable(),
    }),
  ),
  modelList: z.array(
    z.object({ name: z.string(), licence: z.string(), size: z.number(), classList: z.array(z.enum(OBJECT_CLASSES)) }),
  ),
});
export type AnalysisSite = z.infer<typeof AnalysisSite>;

export const analysisCalls = {
  'ai/task/list': call({
    summary:
      'Tasks of edge intelligence on channels that the caller may watch or configure, each with what its site does',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), taskList: z.array(AnalysisTask) }),
  }),
  'ai/task/save': call({
    summary:
      'Watch the pictures of a channel by a rule: a new task without taskId, else a change of the version that was seen',
    permission: config,
    audit: 'write',
    errors: [1007, 1009, 1010, 1011],
    input: z
      .object({
        ...dev,
        taskId: id.optional(),
        /** Needed with `taskId`. */
        version: smallInt.optional(),
        taskName: nameText,
        ...taskScene,
        isEnabled: z.boolean().default(true),
      })
      .strict()
      .refine(({ taskId, version }) => taskId === undefined || version !== undefined, { path: ['version'] }),
    output: z.object({ task: AnalysisTask }),
  }),
  'ai/task/delete': call({
    summary: 'Delete a task of edge intelligence; its alarms stay',
    permission: config,
    audit: 'write',
    errors: [1007, 1009],
    input: z.object({ ...dev, taskId: id }).strict(),
    output: z.object({}),
  }),
  'ai/model/list': call({
    summary: 'Sites of the channels that the caller may configure: models, state and cost of edge intelligence',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), siteList: z.array(AnalysisSite) }),
  }),
} as const;
