// Edge intelligence on the site port: what to watch for in the pictures of a channel, and what that costs the site.
import { z } from 'zod';
import {
  ANALYST_STATES,
  MODEL_REFUSALS,
  OBJECT_CLASSES,
  type AnalysisAlgorithm,
  type AnalystState,
  type CrossingDirection,
  type ModelRefusal,
  type ObjectClass,
} from '../enumerations.ts';
import { amount, percent, SITE_ANSWER_LIMITS, siteText } from './site-answer-parts.ts';
import type { RecordPlanDay } from '../calls/record-plan.ts';

/** Shares of the picture's width and height from its top left corner, 0 to 1. */
export interface ScenePoint {
  readonly x: number;
  readonly y: number;
}

export interface SceneRegion {
  /** Of one task. */
  readonly regionId: string;
  readonly regionName: string;
  /** `mask`: objects that stand there are left out. */
  readonly kind: 'line' | 'zone' | 'mask';
  /** Two of a line, three or more of an area. */
  readonly points: readonly ScenePoint[];
  /** Of a line. */
  readonly direction: CrossingDirection;
}

/** One task on one channel. */
export interface AnalysisOrder {
  readonly taskId: string;
  readonly algorithm: AnalysisAlgorithm;
  readonly regions: readonly SceneRegion[];
  /** Classes that count; never empty. */
  readonly classes: readonly ObjectClass[];
  /** 1 to 100 (LM-08): the median score of a track must reach 0.4 + threshold / 200. */
  readonly threshold: number;
  /** Height of an object as a share of the picture's. */
  readonly minHeight: number;
  readonly maxHeight: number;
  /** Loitering, object left, object removed: after so many seconds. */
  readonly dwellS: number;
  /** Crowd density: objects in the zone from which it is low, middle, high; ascending. */
  readonly densityLevels: readonly [low: number, middle: number, high: number];
  /** By which objects are found, the same of all tasks of a channel; absent: the one that comes with the program. */
  readonly model?: string;
  /** Absent: always. Types of entries do not matter. */
  readonly plan?: {
    readonly days: readonly RecordPlanDay[];
    readonly holidays: readonly string[];
    readonly timeZone: string;
  };
}

export interface AnalysisModel {
  readonly name: string;
  readonly sha256: string;
  readonly licence: string;
  /** Pixels of the square picture that it takes. */
  readonly size: number;
  readonly classes: readonly ObjectClass[];
}

/** A model of the operator that is not run. */
export interface RefusedModel {
  readonly name: string;
  readonly reason: ModelRefusal;
  /** For the operator. */
  readonly fault: string;
}

export interface ChannelAnalysis {
  readonly channelId: string;
  /** False: the model of its tasks is not listed, and nothing is looked at. Absent in earlier versions. */
  readonly hasModel?: boolean | undefined;
  /** Every picture is looked at; otherwise keyframes alone, until something moves. */
  readonly isActive: boolean;
  /** Of the last minute. */
  readonly picturesPerS: number;
  /** Since the site started, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface AnalysisCalls {
  /** 1006 of earlier versions. */
  analysisStatus: {
    input: Record<string, never>;
    output: {
      readonly state: AnalystState;
      /** What went wrong, for the log and the operator; null: nothing. */
      readonly fault: string | null;
      /** Those that come with the program first. */
      readonly models: readonly AnalysisModel[];
      /** Absent: none, or an earlier version. */
      readonly refused?: readonly RefusedModel[] | undefined;
      /** Processor milliseconds of one picture, all in; null before the first. */
      readonly msPerPicture: number | null;
      /** Of the machine's processors, that the analyst took in the last minute and may take, percent. */
      readonly usedPercent: number;
      readonly capPercent: number;
      /** Further cameras of this kind for which there is room; null: not measured yet. */
      readonly roomFor: number | null;
      readonly channels: readonly ChannelAnalysis[];
    };
  };
}

const model = z.object({
  name: siteText(64),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  licence: siteText(64),
  size: amount,
  // A newer site may know further classes.
  classes: z.array(z.string()).transform((given) => OBJECT_CLASSES.filter((one) => given.includes(one))),
});

const refusedModel = z.object({
  name: siteText(64),
  // A newer site may know further reasons.
  reason: z.enum(MODEL_REFUSALS).catch('trial'),
  fault: siteText(SITE_ANSWER_LIMITS.name),
});

export const analysisAnswers = {
  analysisStatus: z.object({
    state: z.enum(ANALYST_STATES).catch('failed'),
    fault: siteText(SITE_ANSWER_LIMITS.name).nullable(),
    models: z.array(model).max(64),
    refused: z.array(refusedModel).max(64).optional(),
    msPerPicture: amount.nullable(),
    usedPercent: percent,
    capPercent: percent,
    roomFor: amount.nullable(),
    channels: z
      .array(
        z.object({
          channelId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
          hasModel: z.boolean().optional(),
          isActive: z.boolean(),
          picturesPerS: amount,
          dropped: z.record(z.string().max(64), amount),
        }),
      )
      .max(SITE_ANSWER_LIMITS.streams),
  }),
};
