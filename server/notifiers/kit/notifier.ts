// Notifier interface: one folder and one sender each, given message and settings, without database access.
import type { AlarmChannelKind, DeliveryReason } from '@vedette/contract/alarm-channels.ts';
import type { Socket } from 'node:net';
import type { OutboundAnswer, OutboundRequest } from '../../outbound/outbound-client.ts';

/** In the language of who is told. */
export interface AlarmMessage {
  /** Unique for ever: whoever is told twice can see it. */
  readonly deliveryId: string;
  /** One line: what and where. */
  readonly title: string;
  /** Name and value, in the order they are read. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly severity: 'info' | 'minor' | 'major' | 'critical';
  /** Of the alarm in the console; null where the installation has no address. */
  readonly link: string | null;
  readonly language: 'en' | 'zh-CN';
  readonly isTest: boolean;
  /** For programs. */
  readonly alarm: {
    readonly alarmId: string;
    readonly type: string;
    readonly group: string;
    readonly deviceSerial: string;
    readonly deviceName: string;
    readonly channelNo: number;
    readonly channelName: string;
    readonly organizationName: string;
    readonly time: number;
    readonly endTime: number | null;
    readonly data: Readonly<Record<string, string>>;
  };
  /** Of the same type and source, only counted since the last message. */
  readonly foldedCount: number;
}

export interface MailPort {
  readonly isReady: () => Promise<boolean>;
  readonly send: (mail: { readonly to: string; readonly subject: string; readonly text: string }) => Promise<void>;
}

/** What a sender may reach, under the network policy of whoever made the channel. */
export interface NotifierDeps {
  /** Throws OutboundError. */
  readonly http: (request: OutboundRequest) => Promise<OutboundAnswer>;
  readonly dial: (host: string, port: number, signal: AbortSignal) => Promise<Socket>;
  /** Aborts when the message that begins now has taken too long. */
  readonly deadline: () => AbortSignal;
  readonly mail: MailPort;
  readonly now: () => number;
  readonly vapid: () => Promise<{ readonly publicKey: string; readonly privateKey: string; readonly subject: string }>;
}

export type ChannelSettings = Readonly<Record<string, string>>;

export interface Notifier {
  readonly kind: AlarmChannelKind;
  /** Throws NotifyError, OutboundError. */
  readonly send: (message: AlarmMessage, settings: ChannelSettings, world: NotifierDeps) => Promise<void>;
}

/** Why a message was not taken, and whether to try again. */
export class NotifyError extends Error {
  readonly reason: DeliveryReason;
  readonly isFinal: boolean;
  /** The other side asked for so long a pause. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: DeliveryReason,
    message: string,
    is: { readonly isFinal?: boolean; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.name = 'NotifyError';
    this.reason = reason;
    this.isFinal = is.isFinal ?? false;
    this.retryAfterMs = is.retryAfterMs ?? null;
  }
}

/**
 * Throws unless it is a success: 429 and 5xx are tried again, other refusals are final. Of the answer its status alone is told: its text is
 * that of whatever stands there, may repeat what it was sent, and would make a channel a way to read it.
 */
export function refuseStatus(answer: OutboundAnswer): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  const seconds = Number(headers['retry-after']);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  const isFinal = status < 500 && status !== 429 && status !== 408;
  throw new NotifyError('refused', `HTTP ${status}`, { isFinal, retryAfterMs });
}

/** Robots answer HTTP 200 with a code of their own. `busy`: codes that pass by themselves. */
export function refuseCode(answer: OutboundAnswer, name: string, busy: readonly number[]): void {
  refuseStatus(answer);
  const said = parsed(answer.text);
  const code = said[name];
  if (code === 0) return;
  const isFinal = typeof code !== 'number' || !busy.includes(code);
  throw new NotifyError('refused', typeof code === 'number' ? `code ${code}` : 'no code', { isFinal });
}

export function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** A setting that must be there. */
export function need(settings: ChannelSettings, name: string): string {
  const value = settings[name] ?? '';
  if (value === '') throw new NotifyError('settings', `${name} is missing`, { isFinal: true });
  return value;
}

/** Title, facts and link as lines. */
export function plainText(message: AlarmMessage): string {
  const facts = message.facts.map(([name, value]) => `${name}: ${value}`);
  return [message.title, ...facts, ...(message.link === null ? [] : [message.link])].join('\n');
}
