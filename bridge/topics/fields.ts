// Fields that topics of both directions share.
import { ACCOUNT_STATUS, LANGUAGE, WINDOW_STATUS } from '@vedette/contract/enumerations.ts';
import { channelNo, deviceSerial, timeMs } from '@vedette/contract/entities.ts';
import { WALL_WINDOWS_MAX } from '@vedette/contract/limits.ts';
import { z } from 'zod';

export const dev = { deviceSerial, channelNo };
/** A tile of the live wall or of playback in reading order, from 1. */
export const tileWindow = z.number().int().min(1).max(WALL_WINDOWS_MAX);
/** 0 simplified Chinese, 1 English. */
export const lang = z.union([z.literal(LANGUAGE.zhCN), z.literal(LANGUAGE.en)]);
/** 0 hidden, 1 displayed (EN-22). */
export const windowStatus = z.union([z.literal(WINDOW_STATUS.hide), z.literal(WINDOW_STATUS.display)]);
/** 0 nobody is signed in, 1 somebody is, 2 somebody makes an account. */
export const accountStatus = z.union([
  z.literal(ACCOUNT_STATUS.notLoggedIn),
  z.literal(ACCOUNT_STATUS.loggedIn),
  z.literal(ACCOUNT_STATUS.registering),
]);
/** An instant of a recording. */
export const time = timeMs;
export const address = z.string().min(1).max(2048);
/** 256 bits, base64url: a coordinate of a public key or its thumbprint, a ticket or a word. */
export const key256 = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** In CSS pixels of the page; times `dpr` they are pixels of the screen. */
export const Rect = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Rect = z.infer<typeof Rect>;
