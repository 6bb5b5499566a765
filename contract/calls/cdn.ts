// Calls of CDN live: providers that the operator names, and live streams of channels pushed to them (LV-07, RS-02, EN-13).
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, quality, smallInt, timeMs } from '../entities.ts';
import {
  CDN_PROTOCOL,
  CDN_PROVIDER_KINDS,
  CDN_SIGNINGS,
  PUSH_REASONS,
  PUSH_STATES,
  USER_TYPE,
} from '../enumerations.ts';
import { CDN_LIMITS } from '../limits.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

/** Addresses with `{stream}` once, where the name of the stream stands. */
const rtmpTemplate = z
  .string()
  .max(CDN_LIMITS.addressLength)
  .regex(/^rtmps?:\/\/[!#-;=?-z|~]+\{stream\}[!#-;=?-z|~]*$/);
const webTemplate = z
  .string()
  .max(CDN_LIMITS.addressLength)
  .regex(/^https?:\/\/[!#-;=?-z|~]+\{stream\}[!#-;=?-z|~]*$/);
/** Paths of the origin follow behind it. */
const baseTemplate = z
  .string()
  .max(CDN_LIMITS.addressLength)
  .regex(/^https?:\/\/[!$-.0-;=A-Z_a-z~]+(?:\/[!$-.0-;=A-Z_a-z~]+)*$/);
/** The name of the stream stands in the stream id. */
const srtTemplate = z
  .string()
  .max(CDN_LIMITS.addressLength)
  .regex(/^srt:\/\/[!#-;=?-z|~]+\{stream\}[!#-;=?-z|~]*$/);
const none = z.literal('');

const place = {
  kind: z.enum(CDN_PROVIDER_KINDS).default('push'),
  /** Needed of all but `origin`, which has none: `rtmp` or `rtmps` of `push`, `http` or `https` of `whip`, `srt` of `srt`. */
  publishAddress: z.union([none, rtmpTemplate, webTemplate, srtTemplate]).default(''),
  rtmpAddress: z.union([none, rtmpTemplate]).default(''),
  hlsAddress: z.union([none, webTemplate]).default(''),
  flvAddress: z.union([none, webTemplate]).default(''),
  /** Only of `origin`: where a CDN in front of it is reached. */
  baseAddress: z.union([none, baseTemplate]).default(''),
  /** `bearer` is of `whip` alone, `passphrase` of `srt`, the signatures of `push`. */
  signing: z.enum(CDN_SIGNINGS).default('none'),
  /** How long a publish address may be used to connect; of `origin`: how long a play address works at least. */
  validMinutes: z.number().int().min(1).max(CDN_LIMITS.validMinutes),
};

export const CdnProvider = z.object({
  providerId: z.string(),
  providerName: z.string(),
  kind: z.enum(CDN_PROVIDER_KINDS),
  publishAddress: z.string(),
  rtmpAddress: z.string(),
  hlsAddress: z.string(),
  flvAddress: z.string(),
  baseAddress: z.string(),
  signing: z.enum(CDN_SIGNINGS),
  validMinutes: z.number().int(),
  /** Streams that are pushed to it. */
  liveTotal: z.number().int(),
  version: z.number().int(),
  createTime: timeMs,
});
export type CdnProvider = z.infer<typeof CdnProvider>;

export const CdnLive = z.object({
  liveId: z.string(),
  quality,
  channelNo: z.number().int(),
  /** Where it is played; empty: the provider has no such address. */
  rtmpUrl: z.string(),
  hlsUrl: z.string(),
  flvUrl: z.string(),
  deviceSerial: z.string(),
  deviceName: z.string(),
  channelName: z.string(),
  providerName: z.string(),
  /** Name of the account that started it. */
  userName: z.string(),
  startTime: timeMs,
  state: z.enum(PUSH_STATES),
  /** Since it is in this state. */
  since: timeMs,
  /** Why it does not go on; null: it does, or its site is away. */
  reason: z.enum(PUSH_REASONS).nullable(),
  bitsPerSecond: z.number(),
  sentBytes: z.number(),
});
export type CdnLive = z.infer<typeof CdnLive>;

/** Minutes and streams that the account may push; the time of each stream counts. */
export const CdnPackage = z.object({
  minutes: z.number().int(),
  usedMinutes: z.number().int(),
  streams: z.number().int(),
});
export type CdnPackage = z.infer<typeof CdnPackage>;

export const cdnCalls = {
  'cdn/provider/list': call({
    summary: 'CDN providers of the installation, without their keys',
    permission: operatorOnly,
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), providerList: z.array(CdnProvider) }),
  }),
  'cdn/provider/save': call({
    summary: 'Add a CDN provider, or change the one that `providerId` and `version` name',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1010, 1011, 1016],
    input: z
      .object({
        providerId: id.optional(),
        version: smallInt.optional(),
        providerName: nameText,
        ...place,
        /** The key that signs, the token of WHIP, or the passphrase of SRT. Absent: that of `providerId` stays. */
        signingKey: z
          .string()
          .max(CDN_LIMITS.keyLength)
          .regex(/^[!-;=?-~]+$/)
          .optional(),
      })
      .strict(),
    output: z.object({ provider: CdnProvider }),
  }),
  'cdn/provider/delete': call({
    summary: 'Forget a CDN provider that no stream is pushed to',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1016],
    input: z.object({ providerId: id }).strict(),
    output: z.object({}),
  }),
  'cdn/provider/test': call({
    summary: 'Whether a CDN provider takes a stream: connects from the local site and sends no media',
    permission: operatorOnly,
    audit: 'write',
    errors: [1006, 1007, 1012],
    input: z.object({ providerId: id }).strict(),
    /** Null: it does. */
    output: z.object({ reason: z.enum(PUSH_REASONS).nullable() }),
  }),
  'cdn/code/create': call({
    summary: 'Make a code that opens a package of minutes and streams for whoever activates it; it is shown once',
    permission: operatorOnly,
    audit: 'write',
    input: z
      .object({
        minutes: z.number().int().min(1).max(CDN_LIMITS.packageMinutes),
        streams: z.number().int().min(1).max(CDN_LIMITS.pushes),
      })
      .strict(),
    output: z.object({ code: z.string() }),
  }),
  'cdn/code/activate': call({
    summary: 'Open the package of a code for the account; a code works once',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1016],
    input: z.object({ code: z.string().regex(/^[A-Z0-9]{16}$/) }).strict(),
    output: z.object({ resource: CdnPackage }),
  }),
  'cdn/live/get': call({
    summary:
      'Address of a channel at a CDN: by protocol 3 (RTMP), 5 (WHIP) and 6 (SRT) where it is published, by 2 (HLS) and 4 (HTTP-FLV) where it is played, by 1 at our own origin',
    permission: { kind: 'device', action: 'Reshare' },
    audit: 'write',
    opensVideo: true,
    errors: [1006, 1007, 1009],
    input: z
      .object({
        deviceSerial,
        channelNo,
        quality: quality.default(0),
        protocol: z
          .union([
            z.literal(CDN_PROTOCOL.own),
            z.literal(CDN_PROTOCOL.hls),
            z.literal(CDN_PROTOCOL.rtmp),
            z.literal(CDN_PROTOCOL.httpFlv),
            z.literal(CDN_PROTOCOL.whip),
            z.literal(CDN_PROTOCOL.srt),
          ])
          .default(CDN_PROTOCOL.rtmp),
        /** Absent: the first one that has the protocol. */
        providerId: id.optional(),
      })
      .strict(),
    output: z.object({ url: z.string() }),
  }),
  'cdn/live/start': call({
    summary:
      'Push a stream to the publish address that `cdn/live/get` gave, or serve it at that address of our own origin; once for each stream, whoever asks',
    permission: { kind: 'session' },
    audit: 'write',
    opensVideo: true,
    errors: [1006, 1009, 1011, 1012],
    input: z
      .object({
        url: z
          .string()
          .min(1)
          .max(CDN_LIMITS.addressLength * 2),
      })
      .strict(),
    output: z.object({ liveId: z.string() }),
  }),
  'cdn/live/stop': call({
    summary: 'End a push, or forget one that ended',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ liveId: id }).strict(),
    output: z.object({}),
  }),
  'cdn/video/list': call({
    summary: 'Streams pushed to CDNs: of channels that the caller may re-share, and those that the caller started',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({
      total: z.number().int(),
      liveList: z.array(CdnLive),
      /** That the caller may choose from. */
      providerList: z.array(
        z.object({ providerId: z.string(), providerName: z.string(), kind: z.enum(CDN_PROVIDER_KINDS) }),
      ),
      /** Null: the operator, who needs no package. */
      resource: CdnPackage.nullable(),
    }),
  }),
} as const;
