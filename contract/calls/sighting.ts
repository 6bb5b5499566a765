// Calls of the search for what edge intelligence saw: sightings of objects, and their pictures. An extension beside the specification.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, timeMs } from '../entities.ts';
import { OBJECT_CLASSES } from '../enumerations.ts';
import { ANALYSIS_LIMITS, SIGHTING_SEARCH, SIGHTING_TIMELINE } from '../limits.ts';

const share = z.number().min(0).max(1);

/** One object on one channel, for five minutes at most: whoever stays longer is in several. */
export const Sighting = z.object({
  sightingId: z.string(),
  /** The same in the sightings of one object. */
  trackId: z.number().int(),
  deviceSerial: z.string(),
  deviceName: z.string(),
  channelNo: z.number().int(),
  channelName: z.string(),
  objectClass: z.enum(OBJECT_CLASSES),
  /** 0 to 1. */
  score: z.number(),
  /** Capture times of its first, best and last frame. */
  startTime: timeMs,
  bestTime: timeMs,
  endTime: timeMs,
  /** Zones in which it stood, by name. */
  regionList: z.array(z.string()),
  hasPicture: z.boolean(),
});
export type Sighting = z.infer<typeof Sighting>;

export const sightingCalls = {
  'ai/sighting/list': call({
    summary: 'Objects that edge intelligence saw on channels whose recordings the caller may play, newest first',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        /** Absent: all. */
        classList: z.array(z.enum(OBJECT_CLASSES)).min(1).max(OBJECT_CLASSES.length).optional(),
        /** Without a channel: all channels of the device. Absent: all devices. */
        devices: z
          .array(z.object({ deviceSerial, channelNo: channelNo.optional() }).strict())
          .min(1)
          .max(SIGHTING_SEARCH.devices)
          .optional(),
        startTime: timeMs,
        /** Exclusive. */
        endTime: timeMs,
        /** An area through which the object's foot went: its corners, in shares of the picture. */
        zone: z
          .array(z.object({ x: share, y: share }).strict())
          .min(3)
          .max(ANALYSIS_LIMITS.points)
          .optional(),
        /** `next` of the previous page. */
        cursor: z.string().max(64).optional(),
        pageSize: z.number().int().min(1).max(SIGHTING_SEARCH.pageSize).default(SIGHTING_SEARCH.usualPageSize),
      })
      .strict(),
    output: z.object({
      sightingList: z.array(Sighting),
      /** Null on the last page. */
      next: z.string().nullable(),
    }),
  }),
  'ai/sighting/timeline': call({
    summary: 'When people, vehicles and others were seen on channels whose recordings the caller may play',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        channels: z.array(z.object({ deviceSerial, channelNo }).strict()).min(1).max(SIGHTING_TIMELINE.channels),
        startTime: timeMs,
        /** Exclusive. */
        endTime: timeMs,
        /** What lies no further apart is one range, ms: what one pixel shows. A two thousandth of the time asked for at least. */
        mergeMs: z.number().int().min(0).max(86_400_000).default(0),
      })
      .strict(),
    output: z.object({
      /** Of each channel in order of time; what began before the range or ends after it is whole. */
      rangeList: z.array(
        z.object({
          deviceSerial: z.string(),
          channelNo: z.number().int(),
          objectClass: z.enum(OBJECT_CLASSES),
          startTime: timeMs,
          endTime: timeMs,
        }),
      ),
    }),
  }),
  'ai/sighting/path': call({
    summary: 'Where objects were in the picture of a channel whose recordings the caller may play',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1009],
    input: z
      .object({
        deviceSerial,
        channelNo,
        startTime: timeMs,
        /** Exclusive. Of more than 200 objects the newest are answered. */
        endTime: timeMs,
      })
      .strict(),
    output: z.object({
      pathList: z.array(
        z.object({
          trackId: z.number().int(),
          objectClass: z.enum(OBJECT_CLASSES),
          /** 0 to 1. */
          score: z.number(),
          startTime: timeMs,
          /** Milliseconds after `startTime`, then its box in shares of the picture: x, y, width, height. */
          pointList: z.array(z.array(z.number()).length(5)),
        }),
      ),
    }),
  }),
  'ai/sighting/picture': call({
    summary: 'The best picture of a sighting',
    permission: { kind: 'session' },
    audit: 'read',
    opensVideo: true,
    errors: [1007],
    input: z.object({ sightingId: id }).strict(),
    output: z.object({
      /** Null: it has none. */
      picture: z
        .object({
          contentType: z.string(),
          /** Base64. */
          data: z.string(),
          time: timeMs,
        })
        .nullable(),
    }),
  }),
} as const;
