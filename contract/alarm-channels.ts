// Kinds of alarm channels, one row each: names, addresses and settings, and which of these are secret.

export interface ChannelField {
  readonly name: string;
  readonly format: 'text' | 'url' | 'mails' | 'flag';
  readonly isRequired: boolean;
  /** Stored encrypted and never returned; a save that omits it leaves it unchanged. */
  readonly isSecret: boolean;
}

function field(
  name: string,
  format: ChannelField['format'],
  is: 'required' | 'optional',
  isSecret = false,
): ChannelField {
  return { name, format, isRequired: is === 'required', isSecret };
}
const secret = true;

/** What is known of one kind of channel: the console's form, the checks of a save and the limits derive from it. */
export interface AlarmChannelRow {
  /** Its own name, the same in every language; null where phrases have one for each (`channelKind_<kind>`). */
  readonly name: string | null;
  /** Who gets its messages: `program` a machine that serves many. */
  readonly reaches: 'mail' | 'person' | 'program';
  /** Of its addresses. */
  readonly schemes: readonly string[];
  /** An address as its maker shows it; empty where nobody types one. */
  readonly example: string;
  readonly fields: readonly ChannelField[];
}

const overHttp = { schemes: ['https:', 'http:'] } as const;

/** Schemes of a broker's address. */
export const MQTT_SCHEMES: readonly string[] = ['mqtt:', 'mqtts:'];

export const ALARM_CHANNELS = {
  email: { name: null, reaches: 'mail', schemes: [], example: '', fields: [field('to', 'mails', 'required')] },
  webPush: {
    ...overHttp,
    name: null,
    reaches: 'person',
    example: '',
    fields: [
      field('endpoint', 'url', 'required', secret),
      field('p256dh', 'text', 'required', secret),
      field('auth', 'text', 'required', secret),
    ],
  },
  webhook: {
    ...overHttp,
    name: 'Webhook',
    reaches: 'program',
    example: 'https://example.com/alarms',
    fields: [field('url', 'url', 'required'), field('secret', 'text', 'optional', secret)],
  },
  mqtt: {
    name: 'MQTT',
    reaches: 'program',
    schemes: MQTT_SCHEMES,
    example: 'mqtt://192.168.1.10:1883',
    fields: [
      field('url', 'url', 'required'),
      field('topic', 'text', 'optional'),
      field('user', 'text', 'optional'),
      field('password', 'text', 'optional', secret),
      field('discovery', 'flag', 'optional'),
    ],
  },
  ntfy: {
    ...overHttp,
    name: 'ntfy',
    reaches: 'person',
    example: 'https://ntfy.sh/my-alarms',
    fields: [field('url', 'url', 'required'), field('token', 'text', 'optional', secret)],
  },
  telegram: {
    ...overHttp,
    name: 'Telegram',
    reaches: 'person',
    example: 'https://api.telegram.org',
    fields: [
      field('chatId', 'text', 'required'),
      field('token', 'text', 'required', secret),
      field('url', 'url', 'optional'),
    ],
  },
  slack: {
    ...overHttp,
    name: 'Slack',
    reaches: 'person',
    example: 'https://hooks.slack.com/services/…',
    fields: [field('url', 'url', 'required', secret)],
  },
  dingTalk: {
    ...overHttp,
    name: null,
    reaches: 'person',
    example: 'https://oapi.dingtalk.com/robot/send?access_token=…',
    fields: [field('url', 'url', 'required', secret), field('secret', 'text', 'optional', secret)],
  },
  feishu: {
    ...overHttp,
    name: null,
    reaches: 'person',
    example: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
    fields: [field('url', 'url', 'required', secret), field('secret', 'text', 'optional', secret)],
  },
  weCom: {
    ...overHttp,
    name: null,
    reaches: 'person',
    example: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
    fields: [field('url', 'url', 'required', secret)],
  },
} as const satisfies Record<string, AlarmChannelRow>;

export type AlarmChannelKind = keyof typeof ALARM_CHANNELS;
export const ALARM_CHANNEL_KINDS = Object.keys(ALARM_CHANNELS) as [AlarmChannelKind, ...AlarmChannelKind[]];

/** What became of one message or act of a rule. */
export const DELIVERY_STATES = ['waiting', 'done', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why a delivery failed: `refused` by the receiver, `unreachable`, `address` not allowed by the network policy,
 * `settings` incomplete, `right` of the rule's owner lost, `quiet` suppressed by its owner, `late` alarm too old,
 * `gone` target deleted, `budget` of SEND_LIMITS used up, `unconfirmed` the recipient has not consented.
 */
export const DELIVERY_REASONS = [
  'refused',
  'unreachable',
  'address',
  'settings',
  'right',
  'quiet',
  'late',
  'gone',
  'budget',
  'unconfirmed',
] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/**
 * Consent of a recipient of an e-mail channel: `own` address of the account, `confirmed` consented, `waiting` asked
 * and not answered, `ended` not answered in time, `unasked` not asked yet, `refused` wants no mail of any account.
 */
export const MAIL_CONSENT_STATES = ['own', 'confirmed', 'waiting', 'ended', 'unasked', 'refused'] as const;
export type MailConsentState = (typeof MAIL_CONSENT_STATES)[number];
