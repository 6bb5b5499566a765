// Calls of replays: a task of edge intelligence that is not saved, run over the last recordings of its channel. An extension beside the specification.
import { z } from 'zod';
import { RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, smallInt, timeMs } from '../entities.ts';
import { OBJECT_CLASSES, REPLAY_FAULTS, REPLAY_STATES } from '../enumerations.ts';
import { taskScene } from './analysis.ts';

const dev = { deviceSerial, channelNo };
const config = { kind: 'device', action: 'Config' } as const;

export const ReplayedEvent = z.object({
  type: z.enum(RAISED_ALARM_TYPE_NAMES),
  time: timeMs,
  regionId: z.string(),
  /** Null: about several objects. */
  objectClass: z.enum(OBJECT_CLASSES).nullable(),
  /** 0 to 1; 0 without an object. */
  score: z.number(),
  /** Across a line. */
  direction: z.enum(['in', 'out']).nullable(),
  /** A small JPEG with the object's box, base64; null: none could be made. */
  picture: z.string().nullable(),
});
export type ReplayedEvent = z.infer<typeof ReplayedEvent>;

export const taskReplayCalls = {
  'ai/replay/start': call({
    summary:
      'Run a task that is not saved over recordings that the caller may play, at most six hours; 1012 with `replayRuns` while the site runs one of somebody else',
    permission: config,
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1009, 1011, 1012],
    input: z
      .object({
        ...dev,
        ...taskScene,
        startTime: timeMs,
        /** Exclusive. */
        endTime: timeMs,
      })
      .strict(),
    output: z.object({ replayId: z.string() }),
  }),
  'ai/replay/get': call({
    summary: 'How far a replay of the caller is, and the events that it found; it ends when nobody asks for a minute',
    permission: config,
    audit: 'none',
    opensVideo: true,
    errors: [1007, 1009, 1012],
    input: z
      .object({
        ...dev,
        replayId: id,
        /** Number of the first event that is answered, from 0. */
        from: smallInt.default(0),
      })
      .strict(),
    output: z.object({
      state: z.enum(REPLAY_STATES),
      /** Of a replay that failed. */
      fault: z.enum(REPLAY_FAULTS).nullable(),
      /** Recordings before it were looked at. */
      doneTime: timeMs,
      /** Milliseconds of recordings in the range, which may have gaps, and of those that were looked at. */
      recordedLength: z.number(),
      doneLength: z.number(),
      /** Frames in which objects were looked for. */
      frames: z.number(),
      /** So far. */
      total: z.number().int(),
      /** From `from` on, oldest first; further ones are asked for. */
      eventList: z.array(ReplayedEvent),
    }),
  }),
  'ai/replay/stop': call({
    summary: 'End a replay of the caller; its events are forgotten',
    permission: config,
    audit: 'none',
    errors: [1009, 1012],
    input: z.object({ ...dev, replayId: id }).strict(),
    output: z.object({}),
  }),
} as const;
