// Replays on the site port: a task that is not saved, run over the recordings of a channel, and the events that it would have made.
import { z } from 'zod';
import { RAISED_ALARM_TYPE_NAMES, type RaisedAlarmType } from '../alarm-types.ts';
import {
  OBJECT_CLASSES,
  REPLAY_FAULTS,
  REPLAY_STATES,
  type ObjectClass,
  type ReplayFault,
  type ReplayState,
} from '../enumerations.ts';
import { REPLAY_LIMITS } from '../limits.ts';
import type { AnalysisOrder } from './site-analysis.ts';
import { amount, done, siteText, siteTimeMs } from './site-answer-parts.ts';

export interface ReplayEvent {
  readonly type: RaisedAlarmType;
  /** Capture time of the frame, ms. */
  readonly at: number;
  readonly regionId: string;
  /** Null: about several objects. */
  readonly objectClass: ObjectClass | null;
  /** Median of the track, 0 to 1; 0 without an object. */
  readonly score: number;
  /** Across a line. */
  readonly direction: 'in' | 'out' | null;
  /** The frame with the object's box, as a small JPEG, base64; null: it could not be made. */
  readonly picture: string | null;
}

export interface ReplayProgress {
  readonly state: ReplayState;
  /** Of a replay that failed. */
  readonly fault: ReplayFault | null;
  /** Everything before it has been looked at, wall-clock ms. */
  readonly doneAt: number;
  /** Length of the recordings in the range, which may have gaps, and of those that were looked at so far, ms. */
  readonly recordedMs: number;
  readonly doneMs: number;
  /** Frames that the analyst looked at. */
  readonly frames: number;
  /** From the one that was asked for, oldest first. */
  readonly events: readonly ReplayEvent[];
  /** So far. */
  readonly total: number;
}

export interface ReplayCalls {
  /** Its ticket is of kind `fragments`, with channel and range; it ends with it. 1012 while somebody else's runs, 1006 where nothing can be looked at. */
  replayStart: {
    input: { readonly ticket: string; readonly order: AnalysisOrder };
    output: { readonly replayId: string };
  };
  /** Events from number `from` on. 1007: it has ended, or is of another session. Not asked for a while, it ends. */
  replayGet: {
    input: { readonly replayId: string; readonly sessionId: string; readonly from: number };
    output: ReplayProgress;
  };
  replayStop: {
    input: { readonly replayId: string; readonly sessionId: string };
    output: Record<string, never>;
  };
}

const event = z.object({
  type: z.enum(RAISED_ALARM_TYPE_NAMES),
  at: siteTimeMs,
  regionId: siteText(32),
  objectClass: z.enum(OBJECT_CLASSES).nullable(),
  score: z.number().min(0).max(1),
  direction: z.enum(['in', 'out']).nullable(),
  picture: z
    .string()
    .max(REPLAY_LIMITS.pictureChars)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .nullable(),
});

export const replayAnswers = {
  replayStart: z.object({ replayId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/) }),
  replayGet: z.object({
    state: z.enum(REPLAY_STATES),
    fault: z.enum(REPLAY_FAULTS).nullable(),
    doneAt: siteTimeMs,
    recordedMs: amount,
    doneMs: amount,
    frames: amount,
    events: z.array(event).max(REPLAY_LIMITS.page),
    total: amount,
  }),
  replayStop: done,
};
