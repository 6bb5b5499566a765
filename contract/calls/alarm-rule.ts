// Calls of alarm rules, alarm channels and suppression.
import { z } from 'zod';
import { ALARM_CHANNEL_KINDS, DELIVERY_REASONS, DELIVERY_STATES, MAIL_CONSENT_STATES } from '../alarm-channels.ts';
import { ALARM_GROUPS, ALARM_SEVERITIES, RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import {
  ALARM_LIMITS,
  ALARM_RULE_LIMITS,
  ALARM_WINDOW_S,
  HOLIDAY_ROW,
  MANUAL_RECORDING_S,
  TIME_PLAN_SEGMENTS_PER_DAY,
} from '../limits.ts';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);

/** As in EN-15; 23:59:59 as an end means midnight. */
const AlarmPlanDay = z
  .object({
    day: z.number().int().min(1).max(HOLIDAY_ROW),
    entryList: z
      .array(z.object({ StartTime: timeOfDay, EndTime: timeOfDay, Type: z.literal(1) }).strict())
      .max(TIME_PLAN_SEGMENTS_PER_DAY),
  })
  .strict();
export type AlarmPlanDay = z.infer<typeof AlarmPlanDay>;

const plan = {
  /** Null: always. */
  plan: z.array(AlarmPlanDay).max(HOLIDAY_ROW).nullable(),
  /** IANA time zone of the plan. */
  timeZone: z.string().min(1).max(64),
};

/** A device, one of its channels, or an organisation with everything below. */
const AlarmRuleSource = z.union([
  z.object({ deviceSerial, channelNo: channelNo.optional() }).strict(),
  z.object({ organizationId: id }).strict(),
]);
export type AlarmRuleSource = z.infer<typeof AlarmRuleSource>;

export const AlarmRuleAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('notify'), channelIds: z.array(id).min(1).max(ALARM_RULE_LIMITS.channels) }).strict(),
  /** The channel of the alarm, with the pre-roll of its recording plan. */
  z
    .object({
      kind: z.literal('record'),
      seconds: z.number().int().min(MANUAL_RECORDING_S.least).max(MANUAL_RECORDING_S.most),
    })
    .strict(),
  /** A snapshot of the alarm's channel, stored with the alarm. */
  z.object({ kind: z.literal('snapshot') }).strict(),
  z
    .object({ kind: z.literal('preset'), deviceSerial, channelNo, presetIndex: z.number().int().min(1).max(100_000) })
    .strict(),
  /** A relay output of a device. */
  z
    .object({
      kind: z.literal('output'),
      deviceSerial,
      channelNo,
      /** Its name in the `io` section of config/get. */
      output: z.string().min(1).max(128),
      isOn: z.boolean(),
    })
    .strict(),
  /** The alarm's channel in a window of live walls. */
  z
    .object({
      kind: z.literal('wall'),
      seconds: z.number().int().min(ALARM_WINDOW_S.least).max(ALARM_WINDOW_S.most),
      /** Own: on the walls of the rule's owner, who needs Realplay. Viewers: of everyone with Realplay; the owner needs Config. */
      walls: z.enum(['own', 'viewers']),
    })
    .strict(),
]);
export type AlarmRuleAction = z.infer<typeof AlarmRuleAction>;

const definition = {
  name: nameText,
  isEnabled: z.boolean(),
  /** Both empty: every type. */
  types: z.array(z.enum(RAISED_ALARM_TYPE_NAMES)).max(RAISED_ALARM_TYPE_NAMES.length),
  groups: z.array(z.enum(ALARM_GROUPS)).max(ALARM_GROUPS.length),
  /** This severity and above. */
  leastSeverity: z.enum(ALARM_SEVERITIES),
  /** Empty: every device whose alarms its owner receives. */
  sources: z.array(AlarmRuleSource).max(ALARM_LIMITS.devices),
  ...plan,
  /** For so many seconds after an action further alarms of the same type and source are only counted. */
  pauseS: z.number().int().min(0).max(ALARM_RULE_LIMITS.pauseS),
  actions: z.array(AlarmRuleAction).min(1).max(ALARM_RULE_LIMITS.actions),
};

export const AlarmRuleDefinition = z.object(definition);
export type AlarmRuleDefinition = z.infer<typeof AlarmRuleDefinition>;

export const AlarmRule = z.object({
  ruleId: z.string(),
  ...definition,
  version: z.number().int(),
  /** When it last acted. */
  lastTime: timeMs.nullable(),
});
export type AlarmRule = z.infer<typeof AlarmRule>;

/** By the names of the fields in ALARM_CHANNELS; `to` holds addresses separated by commas, flags are `1` or empty. */
const settings = z.record(z.string().max(32), z.string().max(ALARM_RULE_LIMITS.settingLength));
const channelKind = z.enum(ALARM_CHANNEL_KINDS);

const MailConsent = z.object({
  /** In lower case. */
  address: z.string(),
  state: z.enum(MAIL_CONSENT_STATES),
  /** When consent was last requested; null: never for this account. */
  askedTime: timeMs.nullable(),
  /** Earliest time to ask again; null: now, or not needed. */
  askAgainTime: timeMs.nullable(),
});
export type MailConsent = z.infer<typeof MailConsent>;

export const AlarmChannel = z.object({
  channelId: z.string(),
  kind: channelKind,
  name: z.string(),
  isEnabled: z.boolean(),
  /** Secrets are left out. */
  settings,
  /** Names of stored secret settings. */
  keptSecrets: z.array(z.string()),
  version: z.number().int(),
  lastTime: timeMs.nullable(),
  /** Failure of the last message; null if it arrived or none was sent. */
  lastReason: z.enum(DELIVERY_REASONS).nullable(),
  /** Consent of each address of an e-mail channel; empty for other kinds. */
  addressList: z.array(MailConsent),
});
export type AlarmChannel = z.infer<typeof AlarmChannel>;

export const AlarmDelivery = z.object({
  deliveryId: z.string(),
  ruleId: z.string(),
  /** Empty when the rule is gone. */
  ruleName: z.string(),
  action: z.string(),
  /** Empty for actions other than messages, and for deleted channels. */
  channelName: z.string(),
  alarmId: z.string(),
  type: z.string(),
  state: z.enum(DELIVERY_STATES),
  reason: z.enum(DELIVERY_REASONS).nullable(),
  /** Reply of the receiver. */
  detail: z.string(),
  attempts: z.number().int(),
  /** Alarms of the same kind that were only counted. */
  foldedCount: z.number().int(),
  time: timeMs,
  doneTime: timeMs.nullable(),
  /** Of the next attempt. */
  nextTime: timeMs.nullable(),
});
export type AlarmDelivery = z.infer<typeof AlarmDelivery>;

export const AlarmSuppression = z.object({
  /** No messages until then; null: not muted. */
  mutedUntil: timeMs.nullable(),
  /** Hours without messages; null: none. */
  plan: plan.plan,
  timeZone: plan.timeZone,
  /** Critical alarms are sent anyway. */
  exceptCritical: z.boolean(),
  /** Snoozed types of single devices, each until a time. */
  snoozed: z
    .array(z.object({ deviceSerial, type: z.enum(RAISED_ALARM_TYPE_NAMES), until: timeMs }).strict())
    .max(ALARM_RULE_LIMITS.snoozed)
    .default([]),
});
export type AlarmSuppression = z.infer<typeof AlarmSuppression>;

const TestResult = z.object({
  action: z.string(),
  channelName: z.string(),
  isDone: z.boolean(),
  reason: z.enum(DELIVERY_REASONS).nullable(),
  detail: z.string(),
});

const alarmPush = { kind: 'account', action: 'AlarmPush' } as const;
const empty = z.object({}).strict();

export const alarmRuleCalls = {
  'alarm/rule/list': call({
    summary: 'The rules of the caller',
    permission: alarmPush,
    audit: 'none',
    input: empty,
    output: z.object({ total: z.number().int(), ruleList: z.array(AlarmRule) }),
  }),
  'alarm/rule/save': call({
    summary: 'Make or change a rule; it acts with the rights of its maker at the time',
    permission: alarmPush,
    audit: 'write',
    opensVideo: true,
    errors: [1007, 1009, 1010, 1011],
    input: z.object({ ruleId: id.optional(), version: smallInt.optional(), ...definition }).strict(),
    output: z.object({ rule: AlarmRule }),
  }),
  'alarm/rule/delete': call({
    summary: 'Remove a rule',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ ruleId: id }).strict(),
    output: empty,
  }),
  'alarm/rule/test': call({
    summary: 'Do now what a rule does, once each action',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ ruleId: id }).strict(),
    output: z.object({ resultList: z.array(TestResult) }),
  }),
  'alarm/channel/list': call({
    summary: 'The ways by which the caller is told of alarms',
    permission: alarmPush,
    audit: 'none',
    input: empty,
    output: z.object({
      total: z.number().int(),
      channelList: z.array(AlarmChannel),
      /** This installation's key for web push subscriptions. */
      vapidPublicKey: z.string(),
      /** Mail can be sent. */
      hasMail: z.boolean(),
    }),
  }),
  'alarm/channel/save': call({
    summary:
      'Make or change a channel; secret settings that are left out stay. New addresses of an e-mail channel are asked once whether they want alarms',
    permission: alarmPush,
    audit: 'write',
    opensVideo: true,
    errors: [1007, 1010, 1011],
    input: z
      .object({
        channelId: id.optional(),
        version: smallInt.optional(),
        kind: channelKind,
        name: nameText,
        isEnabled: z.boolean(),
        settings,
      })
      .strict(),
    output: z.object({ channel: AlarmChannel }),
  }),
  'alarm/channel/delete': call({
    summary: 'Remove a channel',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ channelId: id }).strict(),
    output: empty,
  }),
  'alarm/channel/test': call({
    summary: 'Send a test message by a channel; never to an address that has not confirmed',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ channelId: id }).strict(),
    output: z.object({ isDone: z.boolean(), reason: z.enum(DELIVERY_REASONS).nullable(), detail: z.string() }),
  }),
  'alarm/delivery/list': call({
    summary: 'What the rules of the caller did, newest first',
    permission: alarmPush,
    audit: 'none',
    input: z
      .object({
        ruleId: id.optional(),
        channelId: id.optional(),
        pageStart: z.number().int().min(0).max(1000).default(0),
        pageSize: z.number().int().min(1).max(100).default(50),
      })
      .strict(),
    output: z.object({ total: z.number().int(), deliveryList: z.array(AlarmDelivery) }),
  }),
  'alarm/quiet/get': call({
    summary: 'When the caller wants no messages',
    permission: alarmPush,
    audit: 'none',
    input: empty,
    output: z.object({ quiet: AlarmSuppression }),
  }),
  'alarm/quiet/set': call({
    summary: 'Change when the caller wants no messages',
    permission: alarmPush,
    audit: 'write',
    input: z.object({ quiet: AlarmSuppression.strict() }).strict(),
    output: z.object({ quiet: AlarmSuppression }),
  }),
} as const;
