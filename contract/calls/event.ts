// Calls of other programs: events that become alarms, and their API keys.
import { z } from 'zod';
import { RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { EVENT_PICTURE } from '../limits.ts';

export const IngestKey = z.object({
  keyId: z.string(),
  name: z.string(),
  createTime: timeMs,
  lastTime: timeMs.nullable(),
});
export type IngestKey = z.infer<typeof IngestKey>;

export const MqttIn = z.object({
  /** `mqtt://` or `mqtts://`; empty: off. */
  url: z.string().max(512),
  user: z.string().max(128),
  /** The topic prefix before `/events`. */
  topic: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^#+\0]*$/),
  /** Maps cameras of the other program to ours. */
  cameraList: z.array(z.object({ camera: z.string().min(1).max(128), deviceSerial, channelNo }).strict()).max(1000),
});
export type MqttIn = z.infer<typeof MqttIn>;

const MqttInState = z.object({
  mqtt: MqttIn,
  hasPassword: z.boolean(),
  version: z.number().int(),
  isConnected: z.boolean(),
  /** Time of the last accepted event. */
  lastTime: timeMs.nullable(),
  /** Last error of the broker or the connection; empty while all is well. */
  problem: z.string(),
  /** Messages dropped since the start: no events, over the rate limit, or for cameras that the account no longer owns. */
  droppedCount: z.number().int(),
});

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;
const config = { kind: 'account', action: 'Config' } as const;
const empty = z.object({}).strict();
const BASE64_LENGTH = Math.ceil(EVENT_PICTURE.bytes / 3) * 4;
const items = z.record(z.string().min(1).max(64), z.string().max(512));

export const eventCalls = {
  'event/ingest': call({
    summary: 'Tell an event of a device as an alarm; the bearer token is a key of event/key/add, or that of an app',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1009],
    input: z
      .object({
        deviceSerial,
        /** Absent: the device itself. */
        channelNo: channelNo.optional(),
        type: z.enum(RAISED_ALARM_TYPE_NAMES),
        /** Absent: now. */
        time: timeMs.optional(),
        /** Names the source within the channel; equal for the start and its end. */
        key: z.string().max(64).default(''),
        /** `end` is over, `pulse` has no end of its own. */
        phase: z.enum(['start', 'end', 'pulse']).default('pulse'),
        /** Idempotency key: an event with a known id is not stored again. */
        eventId: z.string().min(1).max(64).optional(),
        data: items.refine((given) => Object.keys(given).length <= 40).default({}),
        /** JPEG or PNG in base64, 700 kB at most once decoded; shown with the alarm to those who may watch recordings of the channel. Needs `channelNo`. */
        picture: z.string().min(1).max(BASE64_LENGTH).optional(),
      })
      .strict(),
    output: z.object({
      /** Id of the raised alarm; null if the event ended one, or was a duplicate. */
      alarmId: z.string().nullable(),
      /** False where none was sent, no alarm was raised, the alarm has one already, or too many came before. */
      isPictureStored: z.boolean(),
    }),
  }),
  'event/mqtt/get': call({
    summary: 'Where events of Frigate are heard by MQTT, and how that goes',
    permission: operatorOnly,
    audit: 'read',
    input: empty,
    output: MqttInState,
  }),
  'event/mqtt/set': call({
    summary: 'Change where events of Frigate are heard by MQTT; a password that is left out stays',
    permission: operatorOnly,
    audit: 'write',
    errors: [1009, 1010],
    input: z.object({ mqtt: MqttIn.strict(), password: z.string().max(256).optional(), version: smallInt }).strict(),
    output: MqttInState,
  }),
  'event/key/list': call({
    summary: 'Keys of the caller by which other programs tell events',
    permission: config,
    audit: 'none',
    input: empty,
    output: z.object({ total: z.number().int(), keyList: z.array(IngestKey) }),
  }),
  'event/key/add': call({
    summary: 'Make a key; it acts with the rights of its maker and is shown this once',
    permission: config,
    audit: 'write',
    errors: [1011],
    input: z.object({ name: nameText }).strict(),
    output: z.object({ key: IngestKey, token: z.string() }),
  }),
  'event/key/delete': call({
    summary: 'Take a key back',
    permission: config,
    audit: 'write',
    errors: [1007],
    input: z.object({ keyId: id }).strict(),
    output: empty,
  }),
} as const;
