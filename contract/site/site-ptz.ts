// Calls of the site for PTZ control, and the schemas of their answers.
import { z } from 'zod';
import type { PtzCommand } from '../ptz.ts';
import { amount, deviceText, done, SITE_ANSWER_LIMITS, siteText } from './site-answer-parts.ts';

interface OfChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** The operator: one session of an account. The higher rank takes over, among equals the last. */
export interface PtzOperator {
  readonly operatorId: string;
  readonly userName: string;
  /** User type of EN-20: the lower number outranks. */
  readonly rank: number;
}

export interface SitePreset {
  /** The device's own text. */
  readonly token: string;
  readonly name: string;
  /** Names the snapshot that the site stores, below `/media/preset/<ticket>/`; null without one. */
  readonly picture: string | null;
}

export interface SiteTour {
  readonly token: string;
  readonly name: string;
  readonly isRunning: boolean;
  readonly stops: readonly { readonly token: string; readonly stayMs: number }[];
}

export interface PtzCalls {
  /** `displaced`: the operator whose move was taken over. 1021 with `{userName}` while an operator of higher rank controls it. */
  ptzStart: {
    input: OfChannel & PtzOperator & { command: PtzCommand; speed: number };
    output: { displaced: string | null };
  };
  /** `command` null: stops everything of this operator on the channel. 1021 with `{userName}` if another operator controls it. */
  ptzStop: { input: OfChannel & { operatorId: string; command: PtzCommand | null }; output: Record<string, never> };
  presets: { input: OfChannel; output: { presets: readonly SitePreset[] } };
  /** Stores the current position and takes its snapshot. */
  presetAdd: { input: OfChannel & { name: string }; output: { token: string } };
  presetRemove: { input: OfChannel & { token: string }; output: Record<string, never> };
  /** Answers when the device accepted the command; the snapshot is taken on arrival. */
  presetGoto: { input: OfChannel & { token: string }; output: Record<string, never> };
  /** Tours of the device, and the patrol that the site runs there. */
  patrols: { input: OfChannel; output: { tours: readonly SiteTour[]; running: string | null } };
  /** Runs until it is stopped, an operator takes control, or the site ends. */
  patrolStart: {
    input: OfChannel & { patrolId: string; stops: readonly { readonly token: string; readonly stayMs: number }[] };
    output: Record<string, never>;
  };
  patrolStop: { input: OfChannel; output: Record<string, never> };
  tourOperate: { input: OfChannel & { token: string; order: 'start' | 'stop' }; output: Record<string, never> };
}

/** Token of the device: too long is invalid, since a truncated one would match nothing. */
const token = siteText(SITE_ANSWER_LIMITS.token);
const sitePreset = z.object({
  token,
  name: deviceText(SITE_ANSWER_LIMITS.name),
  picture: z
    .string()
    .regex(/^[0-9a-f]{24}-\d{1,16}\.jpg$/)
    .nullable(),
});
const siteTour = z.object({
  token,
  name: deviceText(SITE_ANSWER_LIMITS.name),
  isRunning: z.boolean(),
  stops: z.array(z.object({ token, stayMs: amount })).max(SITE_ANSWER_LIMITS.presets),
});

export const ptzAnswers = {
  ptzStart: z.object({ displaced: siteText(SITE_ANSWER_LIMITS.token).nullable() }),
  ptzStop: done,
  presets: z.object({ presets: z.array(sitePreset).max(SITE_ANSWER_LIMITS.presets) }),
  presetAdd: z.object({ token }),
  presetRemove: done,
  presetGoto: done,
  patrols: z.object({
    tours: z.array(siteTour).max(SITE_ANSWER_LIMITS.presets),
    running: siteText(SITE_ANSWER_LIMITS.token).nullable(),
  }),
  patrolStart: done,
  patrolStop: done,
  tourOperate: done,
};
