// Kinds of alarm channels, one row each: their settings, and which of them are secret.

export interface ChannelField {
  readonly name: string;
  readonly format: 'text' | 'url' | 'mails' | 'flag';
  readonly isRequired: boolean;
  /** Kept sealed, never answered; left out of a save it stays as it is. */
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

export const ALARM_CHANNEL_FIELDS = {
  email: [field('to', 'mails', 'required')],
  webPush: [
    field('endpoint', 'url', 'required', secret),
    field('p256dh', 'text', 'required', secret),
    field('auth', 'text', 'required', secret),
  ],
  webhook: [field('url', 'url', 'required'), field('secret', 'text', 'optional', secret)],
  mqtt: [
    field('url', 'url', 'required'),
    field('topic', 'text', 'optional'),
    field('user', 'text', 'optional'),
    field('password', 'text', 'optional', secret),
    field('discovery', 'flag', 'optional'),
  ],
  ntfy: [field('url', 'url', 'required'), field('token', 'text', 'optional', secret)],
  telegram: [
    field('chatId', 'text', 'required'),
    field('token', 'text', 'required', secret),
    field('url', 'url', 'optional'),
  ],
  slack: [field('url', 'url', 'required', secret)],
  dingTalk: [field('url', 'url', 'required', secret), field('secret', 'text', 'optional', secret)],
  feishu: [field('url', 'url', 'required', secret), field('secret', 'text', 'optional', secret)],
  weCom: [field('url', 'url', 'required', secret)],
} as const satisfies Record<string, readonly ChannelField[]>;

export type AlarmChannelKind = keyof typeof ALARM_CHANNEL_FIELDS;
export const ALARM_CHANNEL_KINDS = Object.keys(ALARM_CHANNEL_FIELDS) as [AlarmChannelKind, ...AlarmChannelKind[]];

/** Schemes that an address of each kind may have; all others `https:` and `http:`. */
export const MQTT_SCHEMES: readonly string[] = ['mqtt:', 'mqtts:'];

/** What became of one message or act of a rule. */
export const DELIVERY_STATES = ['waiting', 'done', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why a delivery did not succeed, in one word: `refused` the other side said no, `unreachable` nobody answered, `address` it
 * is not one that may be dialled, `settings` they are not whole, `right` the maker of the rule may not do that any more,
 * `quiet` its maker wanted silence, `late` the alarm was too old for it, `gone` what it acts on is not there any more, `budget` as many
 * messages as SEND_LIMITS allow were sent already, `unconfirmed` an addressee has not agreed to mails of this account.
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
 * Whether an address of an e-mail channel may be sent alarms. `own` it is the account's own, `confirmed` its addressee agreed,
 * `waiting` the question is out, `ended` nobody answered it in time, `unasked` none was sent so far, `refused` whoever reads there
 * wants no mail of any account.
 */
export const MAIL_CONSENT_STATES = ['own', 'confirmed', 'waiting', 'ended', 'unasked', 'refused'] as const;
export type MailConsentState = (typeof MAIL_CONSENT_STATES)[number];
