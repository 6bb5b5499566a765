// What the page asks of the shell or tells it: `/api/v1.0/cs/<topic>`.
import { WINDOW_STATUS } from '@vedette/contract/enumerations.ts';
import { id } from '@vedette/contract/entities.ts';
import { z } from 'zod';
import { accountStatus, address, dev, key256, lang, Rect, tileWindow, time, windowStatus } from './fields.ts';
import { TIME_LIMIT_MS, topic } from './topic.ts';

export const CS_TOPICS = {
  'live/stream': topic({
    summary: 'The addresses of a stream that the shell started, each with a ticket for one session.',
    request: z.object({ window: tileWindow, ...dev, p2pUrl: address, forwardUrl: address }),
  }),
  'live/cdn': topic({
    summary:
      'The CDN live that was started for a stream, in place of its addresses. `cdn/video/list` tells where it is played.',
    request: z.object({ window: tileWindow, liveId: z.string() }),
  }),
  'playback/stream': topic({
    summary:
      'The address of the recordings that the shell started: a playlist (HLS) of ours, or the fragments of the device.',
    request: z.object({ window: tileWindow, ...dev, url: address, startTime: time, endTime: time }),
  }),
  'preset/result': topic({
    summary: 'A preset was added, renamed or deleted: 1 succeeded, 0 failed.',
    request: z.object({ result: z.union([z.literal(0), z.literal(1)]) }),
  }),
  'account/status': topic({
    summary: 'Whether somebody is signed in; the first message of every launch.',
    request: z.object({ status: accountStatus }),
  }),
  'language/current': topic({
    summary: 'The language that the page shows now.',
    request: z.object({ lang }),
  }),
  'window/current': topic({
    summary:
      'Which window the page shows: 1 profile, 2 live view, 3 shares, 0 any other; `status`: 0 while the shell hides it, else 1. `tileList`: where the shell plays a stream; a picture above the page is hidden while something covers the place.',
    request: z.object({
      window: z.number().int().min(0).max(3),
      status: windowStatus.default(WINDOW_STATUS.display),
      tileList: z.array(z.object({ window: tileWindow, rect: Rect, dpr: z.number(), isCovered: z.boolean() })),
    }),
  }),
  'window/raise': topic({
    summary: 'Bring the window of the page to the front: the person chose a notification of it on the desktop.',
    request: z.object({}),
  }),
  'system/info': topic({
    summary:
      'The handshake: the page says what it is and asks what the shell is. Without an answer the shell is of version 0.',
    request: z.object({
      /** Versions of the bridge that the page speaks. */
      bridge: z.object({ min: z.number().int(), max: z.number().int() }),
      topics: z.array(z.string()),
      version: z.string(),
      lang,
    }),
    answer: z.object({
      bridge: z.number().int().optional(),
      shell: z.object({ name: z.string(), version: z.string(), platform: z.string() }).optional(),
      /** What the shell answers and what it will ask; nothing else is sent to it. */
      topics: z.array(z.string().max(64)).max(128).optional(),
      native: z
        .object({
          codecs: z.array(z.string()),
          overlay: z.enum(['inside', 'float', 'none']),
          /** The pictures stand beneath the page, which leaves their places clear: what the page draws there is seen. Else above it. */
          isBeneath: z.boolean().optional(),
        })
        .optional(),
      monitors: z
        .array(z.object({ name: z.string(), rect: Rect, dpr: z.number() }))
        .max(32)
        .optional(),
      /** Devices of the local network: name and address; what is no such thing is left out by the page. */
      lanDeviceList: z.array(z.unknown()).max(256).optional(),
      /** Where the shell would keep a key for signing in: in the keyring of the desktop, or in a file that its owner alone may read. */
      keyStore: z.enum(['keyring', 'file']).optional(),
    }),
  }),
  'signInKey/create': topic({
    summary:
      'Make a key on P-256 for signing in, and say its public half: the coordinates of a JWK. It is kept after `cs/signInKey/keep` alone.',
    answer: z.object({ x: key256, y: key256 }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'signInKey/keep': topic({
    summary:
      'The server registered the key: keep it, in place of any before, and sign in by it when a launch begins with nobody signed in (`web/autoLogin`).',
    request: z.object({ userId: z.string().min(1).max(64), loginName: z.string().min(1).max(64) }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'signInKey/forget': topic({
    summary:
      'Forget the key. `keyId`: its thumbprint (RFC 7638), by which the page ends it at the server; absent: there was none.',
    answer: z.object({ keyId: key256.optional() }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'file/save': topic({
    summary:
      "Save a file of the page: its address is a blob or below the page's own origin, never a path of the machine.",
    request: z.object({ name: z.string().min(1).max(255), url: address }),
    timeLimitMs: TIME_LIMIT_MS.file,
  }),
  'link/open': topic({
    summary: 'Open an `https` address outside of the client.',
    request: z.object({ url: address.refine((url) => url.startsWith('https://')) }),
  }),
  'identity/open': topic({
    summary:
      "Open the page of the server in the person's browser that signs in at this identity provider, and wait for its answer at a loopback address (RFC 8252); `web/identity/ticket` follows.",
    request: z.object({ providerId: id }),
  }),
  'p2p/version': topic({
    summary: 'The version of the program for direct connections on this machine (port 9999), and its build.',
    answer: z.object({
      version: z.string().regex(/^\d{1,5}(?:\.\d{1,5}){1,3}$/),
      build: z.enum(['cn', 'in', 'nb']).nullable().default(null),
    }),
  }),
} as const;
export type CsTopics = typeof CS_TOPICS;
