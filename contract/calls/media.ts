// Calls of live view and recordings; each returns addresses with one ticket.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, quality, RecordItem, timeMs } from '../entities.ts';
import { GAP_REASONS } from '../enumerations.ts';

/** Values of a stream's `codec`. */
export const VIDEO_FAMILIES = ['h264', 'h265', 'mjpeg'] as const;
const dev = { deviceSerial, channelNo };
/** 0 auto: our recordings, else edge recordings; 1 cloud: ours only; 2 local: edge recordings only. */
const srcType = z.number().int().min(0).max(2).default(0);
const recordType = z.number().int().min(1).max(2).optional();
const timeRange = { startTime: timeMs, endTime: timeMs };
/** `srcType` 1: some of it is ours; 2: edge recordings only. */
const window = z.object({ url: z.string(), startTime: timeMs, endTime: timeMs, srcType: z.number().int() });

export const Stream = z.object({
  quality: z.number().int(),
  codec: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  fps: z.number().nullable(),
  kbps: z.number().nullable(),
  audio: z.string().nullable(),
});

export const mediaCalls = {
  'media/url': call({
    summary: 'Addresses of a live stream',
    permission: { kind: 'device', action: 'Realplay' },
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1009, 1011, 2317],
    input: z
      .object({
        ...dev,
        quality: quality.default(0),
        /** Codecs this viewer decodes; the answered stream uses one of them if the channel has it. Absent: all. */
        codecs: z.array(z.enum(VIDEO_FAMILIES)).max(VIDEO_FAMILIES.length).optional(),
      })
      .strict(),
    output: z.object({
      /**
       * `ticket` for one `subscribe` on `/media/live`; forwardUrl is the address of that socket with the ticket in the
       * fragment. So is p2pUrl, except for H.264 of a remote site that may be reached directly: then it takes a WebRTC
       * offer (WHEP).
       */
      ticket: z.string(),
      p2pUrl: z.string(),
      forwardUrl: z.string(),
      hlsUrl: z.string(),
      /** For native clients over TCP or UDP: `rtsp://host:port/<ticket>` with its own ticket; empty if the site serves none. */
      rtspUrl: z.string(),
      codec: z.string(),
      quality: z.number().int(),
      expireTime: timeMs,
    }),
  }),
  'stream/list': call({
    summary: 'Streams of a channel',
    permission: { kind: 'device', action: 'Realplay' },
    audit: 'none',
    errors: [1009],
    input: z.object(dev).strict(),
    output: z.object({ total: z.number().int(), streamList: z.array(Stream) }),
  }),
  'keyframe/invoke': call({
    summary: 'Ask the camera for a key frame now',
    permission: { kind: 'device', action: 'Realplay' },
    audit: 'none',
    errors: [1006, 1009, 2316, 2317],
    input: z.object({ ...dev, quality: quality.default(0) }).strict(),
    output: z.object({}),
  }),
  'record/calendar': call({
    summary: 'Days of a month that have recordings',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'none',
    errors: [1006, 1009, 2316, 2317],
    input: z
      .object({
        ...dev,
        year: z.number().int().min(1970).max(9999),
        month: z.number().int().min(1).max(12),
        srcType,
        timeZone: z.string().max(64).optional(),
      })
      .strict(),
    /** 31 flags, 1 where the day has recordings. */
    output: z.object({ dailyList: z.array(z.number().int()).length(31) }),
  }),
  'record/query': call({
    summary: 'Recorded spans of a channel',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'none',
    errors: [1006, 1009, 2316, 2317],
    input: z.object({ ...dev, ...timeRange, quality: quality.default(0), srcType }).strict(),
    output: z.object({
      total: z.number().int(),
      recordList: z.array(RecordItem),
      /** Gaps between the oldest recording and now, each with its reason. */
      gapList: z.array(z.object({ startTime: timeMs, endTime: timeMs, reason: z.enum(GAP_REASONS) })),
    }),
  }),
  'record/time': call({
    summary: 'Recorded spans of a channel, by record type',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'none',
    errors: [1006, 1009, 2316, 2317],
    input: z.object({ ...dev, ...timeRange, quality: quality.default(0), srcType, recordType }).strict(),
    output: z.object({ total: z.number().int(), recordList: z.array(RecordItem), code: z.number().int() }),
  }),
  'record/hls': call({
    summary: 'HLS playlist of a window of at most 600 seconds',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1007, 1009, 1011, 2316, 2317],
    input: z.object({ ...dev, ...timeRange, recordType, quality: quality.default(0), srcType }).strict(),
    output: window,
  }),
  'record/url': call({
    summary: 'Fragments of a window of at most 600 seconds, for the fragment player',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1007, 1009, 1011, 2316, 2317],
    input: z.object({ ...dev, ...timeRange, recordType, quality: quality.default(0), srcType }).strict(),
    output: window,
  }),
} as const;
