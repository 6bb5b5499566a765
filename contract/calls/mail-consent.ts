// Calls of alarm mail consent: asking an address again, and the answer of its reader without an account.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, timeMs } from '../entities.ts';
import { ALARM_RULE_LIMITS } from '../limits.ts';
import { AlarmChannel } from './alarm-rule.ts';

/** Of the link in a mail. */
const token = z.string().min(1).max(64);
export const MAIL_ANSWERS = ['confirm', 'refuse'] as const;

export const MailConsentQuestion = z.object({
  /** User name of the account whose alarms would be sent. */
  byName: z.string(),
  address: z.string(),
  state: z.enum(['waiting', 'confirmed', 'refused']),
  /** The link can consent until then; null: it can only refuse. */
  confirmUntil: timeMs.nullable(),
  /** Most mails per hour. */
  mostPerHour: z.number().int(),
});
export type MailConsentQuestion = z.infer<typeof MailConsentQuestion>;

export const mailConsentCalls = {
  'alarm/channel/ask': call({
    summary: 'Ask an address of an e-mail channel again whether it wants alarms; 1005 with a time while it is too soon',
    permission: { kind: 'account', action: 'AlarmPush' },
    audit: 'write',
    opensVideo: true,
    errors: [1006, 1007, 1016],
    input: z.object({ channelId: id, address: z.string().min(3).max(ALARM_RULE_LIMITS.settingLength) }).strict(),
    output: z.object({ channel: AlarmChannel }),
  }),
  'alarm/consent/open': call({
    summary: 'Who wants to send alarms where, by the link of the mail that asks; changes nothing',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ token }).strict(),
    output: MailConsentQuestion,
  }),
  'alarm/consent/answer': call({
    summary:
      'Agree to the alarms of that account, or refuse those of every account for good; while its link lives an answer can be changed',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1007],
    input: z.object({ token, answer: z.enum(MAIL_ANSWERS) }).strict(),
    output: MailConsentQuestion,
  }),
} as const;
