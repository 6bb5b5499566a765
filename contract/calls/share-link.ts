// Calls of guest links: live view or one clip for the holder of the address, until expiry or revocation.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, nameText, quality, timeMs } from '../entities.ts';
import { SHARE_LINK_KINDS } from '../enumerations.ts';
import { PAGE_SIZE, SHARE_LIMITS } from '../limits.ts';
import { VIDEO_FAMILIES } from './media.ts';
import { pageSize, pageStart } from './user.ts';

/** Token after `#` in the address of the guest page; its holder may open the link. */
const linkId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const ShareLink = z.object({
  linkId: z.string(),
  url: z.string(),
  kind: z.enum(SHARE_LINK_KINDS),
  linkName: z.string(),
  deviceSerial: z.string(),
  channelNo: z.number().int(),
  channelName: z.string(),
  /** Range of a clip; null for live. */
  clipStartTime: timeMs.nullable(),
  clipEndTime: timeMs.nullable(),
  endTime: timeMs,
  hasPassword: z.boolean(),
  /** `ended`: expired, or its creator lost the right. */
  state: z.enum(['active', 'ended']),
  openCount: z.number().int(),
  lastOpenTime: timeMs.nullable(),
  createTime: timeMs,
});
export type ShareLink = z.infer<typeof ShareLink>;

const range = { startTime: timeMs, endTime: timeMs };

export const shareLinkCalls = {
  'share/link/create': call({
    summary: 'Make an address that shows one live view or one clip without an account',
    permission: { kind: 'session' },
    audit: 'write',
    opensVideo: true,
    errors: [1004, 1009, 1011],
    input: z
      .object({
        /** Exactly one of these: a live view, or a clip of at most 600 s. */
        live: z.object({ deviceSerial, channelNo }).strict().optional(),
        clip: z
          .object({ deviceSerial, channelNo, ...range })
          .strict()
          .optional(),
        /** Right that the link gives: videoView for live, videotapeView for a clip. */
        permission: z
          .array(z.enum(['videoView', 'videotapeView']))
          .min(1)
          .max(1)
          .optional(),
        endTime: timeMs,
        password: z.string().min(4).max(64).optional(),
        linkName: nameText.optional(),
      })
      .strict(),
    output: z.object({
      linkId: z.string(),
      url: z.string(),
      /** Range that guests see of a clip: starts at the keyframe before the requested start. Null for live. */
      clipStartTime: timeMs.nullable(),
      clipEndTime: timeMs.nullable(),
    }),
  }),
  'share/link/list': call({
    summary: 'My guest links, newest first',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.shares) }).strict(),
    output: z.object({ total: z.number().int(), linkList: z.array(ShareLink) }),
  }),
  'share/link/revoke': call({
    summary: 'End a guest link; who watches by it is cut off within two seconds',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ linkId }).strict(),
    output: z.object({}),
  }),
  'share/link/open': call({
    summary:
      'Open a guest link: 2004 where its password is missing (data.passwordRequired) or wrong, 1017 where it has ended',
    permission: { kind: 'public' },
    audit: 'watch',
    errors: [1005, 1006, 1007, 1009, 1012, 1017, 2004, 2317],
    input: z
      .object({
        linkId,
        password: z.string().min(1).max(SHARE_LIMITS.passwordLength).optional(),
        quality: quality.default(0),
        /** Families this viewer decodes. */
        codecs: z.array(z.enum(VIDEO_FAMILIES)).max(VIDEO_FAMILIES.length).optional(),
      })
      .strict(),
    output: z.object({
      kind: z.enum(SHARE_LINK_KINDS),
      linkName: z.string(),
      channelName: z.string(),
      /** Live: for one `subscribe` on `/media/live`. Clip: of `url`. */
      ticket: z.string(),
      /** Live: address of the socket with the ticket; clip: its fragments. */
      url: z.string(),
      hlsUrl: z.string(),
      codec: z.string(),
      quality: z.number().int(),
      clipStartTime: timeMs.nullable(),
      clipEndTime: timeMs.nullable(),
      /** When the link ends. */
      endTime: timeMs,
      /** The ticket must be used before. */
      expireTime: timeMs,
    }),
  }),
} as const;
