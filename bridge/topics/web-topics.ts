// What the shell asks of the page: `/api/v1.0/web/<topic>`.
import { PRESET_OPERATE, WINDOW_STATUS } from '@vedette/contract/enumerations.ts';
import { id, nameText, Preset, quality } from '@vedette/contract/entities.ts';
import { PRESET_INDEX_MAX } from '@vedette/contract/ptz.ts';
import { z } from 'zod';
import { accountStatus, dev, key256, lang, Rect, tileWindow, time, windowStatus } from './fields.ts';
import { TIME_LIMIT_MS, topic } from './topic.ts';

const video = { timeLimitMs: TIME_LIMIT_MS.server, right: 'session' } as const;
const live = { ...video, queue: { name: 'live', supersedes: false } } as const;
const liveChange = { ...video, queue: { name: 'live', supersedes: true } } as const;
const playback = { ...video, queue: { name: 'playback', supersedes: false } } as const;
const playbackChange = { ...video, queue: { name: 'playback', supersedes: true } } as const;
const pixels = z.number().int().min(1).max(16_384);
const presetIndex = z.number().int().min(1).max(PRESET_INDEX_MAX);

export const WEB_TOPICS = {
  'live/start': topic({
    summary: 'Show a channel live in a window of the wall; the addresses of its stream follow by `cs/live/stream`.',
    request: z.object({ ...dev, quality: quality.optional(), window: tileWindow }),
    ...liveChange,
  }),
  'live/stop': topic({
    summary: 'Empty a window of the wall.',
    request: z.object({ window: tileWindow }),
    ...liveChange,
  }),
  'live/switchRtsp': topic({
    summary:
      'Let the shell play a window of the wall: the page ends its own decoding there and reports the place by `cs/window/current`. 1004 where the installation gives out no RTSP.',
    request: z.object({ window: tileWindow }),
    answer: z.object({
      /** With a ticket that opens one session. */
      rtspUrl: z.string(),
      ...dev,
      codec: z.string(),
      rect: Rect,
      /** Pixels of the screen for one CSS pixel. */
      dpr: z.number(),
    }),
    ...live,
    right: 'ownAccount',
  }),
  'live/picture': topic({
    summary:
      'The picture that the shell shows in a window: its size, and how long it takes from the server to the screen. Boxes of objects are drawn by it, over a picture beneath the page.',
    request: z.object({ window: tileWindow, width: pixels, height: pixels, delayMs: z.number().min(0).max(60_000) }),
    ...live,
  }),
  'playback/start': topic({
    summary: 'Play recordings of a channel from a time on; their address follows by `cs/playback/stream`.',
    request: z.object({ ...dev, startTime: time, endTime: time.optional(), window: tileWindow.default(1) }),
    ...playbackChange,
  }),
  'playback/stop': topic({
    summary: 'Empty a window of playback.',
    request: z.object({ window: tileWindow.default(1) }),
    ...playbackChange,
  }),
  'playback/seek': topic({
    summary: 'Go to another time; all windows of playback follow.',
    request: z.object({ time, window: tileWindow.default(1) }),
    ...playback,
  }),
  'preset/list': topic({
    summary: 'The presets of a channel.',
    request: z.object(dev),
    answer: z.object({ total: z.number().int(), presetList: z.array(Preset) }),
    ...video,
  }),
  'preset/operate': topic({
    summary: 'Add (0), delete (1) or rename (2) a preset; the result is also told by `cs/preset/result`.',
    request: z.object({
      ...dev,
      operate: z.union([
        z.literal(PRESET_OPERATE.add),
        z.literal(PRESET_OPERATE.delete),
        z.literal(PRESET_OPERATE.edit),
      ]),
      presetIndex: presetIndex.optional(),
      name: nameText.optional(),
    }),
    answer: z.object({ presetIndex: z.number().int() }),
    ...video,
  }),
  'alarm/playback': topic({
    summary: 'Play back an alarm (step 0), the one before it in the list (−1) or the one after it (1).',
    request: z.object({ alarmId: id, step: z.union([z.literal(-1), z.literal(0), z.literal(1)]).default(0) }),
    answer: z.object({ alarmId: id }),
    ...video,
  }),
  'language/get': topic({
    summary: 'The language of the page.',
    answer: z.object({ lang }),
  }),
  'language/update': topic({
    summary: 'Change the language of the page.',
    request: z.object({ lang }),
    answer: z.object({ lang }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'window/update': topic({
    summary:
      'Show (1) or hide (0) window 1 profile, 2 live view or 3 shares. `cs/window/current` follows when the screen is there. A hidden page fetches no live video.',
    request: z.object({
      window: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      status: windowStatus.default(WINDOW_STATUS.display),
    }),
    right: 'session',
  }),
  'account/operate': topic({
    summary: 'Sign out; with status 0 the stored name and automatic sign-in go too.',
    request: z.object({ status: z.union([z.literal(0), z.literal(1)]) }),
  }),
  autoLogin: topic({
    summary:
      'Sign in by a one-time ticket. In a shell that of `account/key/ticket`, and 1004 where somebody is signed in; in the frame of an app a token of the app, which this uses up. `loginName`: of the account that the shell or the app acts for.',
    request: z.object({ loginName: z.string().min(1).max(64), ticket: z.string().min(1).max(256) }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'identity/ticket': topic({
    summary:
      'Sign in by what `cs/identity/open` led to: the ticket that the browser brought, and the word (43 letters of base64url) of whose SHA-256 the challenge was made. 1004 where somebody is signed in.',
    request: z.object({ providerId: id, ticket: key256, verifier: key256 }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
  'system/info': topic({
    summary: 'What the page is: its version, language, account status and topics.',
    answer: z.object({
      version: z.string(),
      lang,
      accountStatus,
      topics: z.array(z.string()),
    }),
  }),
  'theme/update': topic({
    summary: 'Change the accent colour: `#rgb`, `#rrggbb`, or any other form that the theme dialog takes.',
    request: z.object({ colour: z.string().min(1).max(40) }),
    timeLimitMs: TIME_LIMIT_MS.server,
  }),
} as const;
export type WebTopics = typeof WEB_TOPICS;
