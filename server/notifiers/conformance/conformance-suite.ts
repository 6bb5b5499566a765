// What every notifier must do, as tests against a receiver of its protocol.
import { inspect } from 'node:util';
import { ALARM_CHANNELS, type AlarmChannelRow, type ChannelField } from '@vedette/contract/alarm-channels.ts';
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { pack as zhCN } from '@vedette/phrases/zh-CN/pack.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import webPush from 'web-push';
import { CallError } from '../../core/call-error.ts';
import { sendMail } from '../../mail/mail-sender.ts';
import { OutboundClient } from '../../outbound/outbound-client.ts';
import { readSettings } from '../kit/channel-settings.ts';
import {
  type AlarmMessage,
  type ChannelSettings,
  type Notifier,
  type NotifierDeps,
  NotifyError,
} from '../kit/notifier.ts';
import { NOTIFIERS } from '../registry.ts';

/** What stands between the notifier and its receiver. */
export interface RelayedLine {
  /** Of connections from now on; null: nothing is ever said. */
  behaviour: 'relay' | { readonly head: string | Buffer; readonly part: string | Buffer } | null;
  readonly sockets: readonly unknown[];
  readonly openCount: number;
  readonly bytesSent: number;
}

export interface ConformanceSubject {
  /** Of a channel whose messages arrive at the receiver; each secret is at least four characters long. */
  readonly settings: ChannelSettings;
  /** Where messages go by the mail server of the installation. */
  readonly mailServer?: NonNullable<AccountConfig['mail']>;
  readonly relay: RelayedLine;
  /** An answer of its protocol that never ends. */
  readonly endless: { readonly head: string | Buffer; readonly part: string | Buffer };
  /** Messages so far. */
  readonly received: () => number;
  /** The next message is refused, in these words where the protocol has any. */
  readonly refuseNext: (words: string) => void;
  readonly stop: () => Promise<void>;
}

export interface NotifierConformance {
  readonly notifier: Notifier;
  readonly start: () => Promise<ConformanceSubject>;
}

interface Running {
  readonly notifier: Notifier;
  readonly subject: ConformanceSubject;
}

type Check = (running: Running) => void | Promise<void>;

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const OPEN = ['127.0.0.0/8'];
/** Given to receivers that never end, and what a busy machine may add. */
const QUICK_MS = 500;
const ENDED_MS = 8_000;
/** What the product reads of one answer, and what the buffers of two sockets hold. */
const BYTES_MAX = 16 << 20;
const vapid = { ...webPush.generateVAPIDKeys(), subject: 'https://vedette.example' };

const message: AlarmMessage = {
  deliveryId: 'd1',
  title: 'Line crossed: Gate',
  facts: [['Severity', 'Major']],
  severity: 'major',
  link: 'https://console.example/homepage/alarmMsg?alarm=a1',
  language: 'en',
  isTest: false,
  foldedCount: 0,
  alarm: {
    alarmId: 'a1',
    type: 'LineDetectorCrossed',
    group: 'behaviour',
    deviceSerial: 'CAM1',
    deviceName: 'Gate',
    channelNo: 1,
    channelName: 'Gate',
    organizationName: 'Yard',
    time: NOW,
    endTime: null,
    data: {},
  },
};

export function notifierConformance({ notifier, start }: NotifierConformance): void {
  describe(`notifier conformance: ${notifier.kind}`, () => {
    let running: Running;

    beforeAll(async () => {
      running = { notifier, subject: await start() };
    });
    afterEach(() => {
      running.subject.relay.behaviour = 'relay';
    });
    afterAll(async () => {
      await running?.subject.stop();
    });

    test.each(checks)('%s', async (_, check) => {
      await check(running);
    });
  });
}

interface WorldOptions {
  readonly openNetworks?: readonly string[];
  readonly withinMs?: number;
}

function worldOf(
  { mailServer }: ConformanceSubject,
  { openNetworks = OPEN, withinMs }: WorldOptions = {},
): NotifierDeps {
  const outbound = new OutboundClient({
    policy: async () => ({ isOperator: false, openNetworks, ownPorts: new Set() }),
    ...(withinMs !== undefined && { withinMs }),
  });
  const by = { isOperator: false, accountId: 'guest' };
  const within = withinMs === undefined ? {} : { within: { stepMs: withinMs, allMs: withinMs } };
  return {
    http: (request) => outbound.http(request, by),
    dial: (host, port, signal) => outbound.dial(host, port, { ...by, signal }),
    deadline: () => outbound.deadline(),
    mail: {
      isReady: async () => mailServer !== undefined,
      send: async (mail) => {
        if (mailServer !== undefined) await sendMail({ outbound, settings: mailServer, password: '', ...within }, mail);
      },
    },
    now: () => NOW,
    vapid: async () => vapid,
  };
}

interface Ended {
  readonly error: unknown;
  readonly tookMs: number;
}

async function send(
  { notifier, subject }: Running,
  options: WorldOptions & { readonly settings?: ChannelSettings } = {},
): Promise<Ended> {
  const startedMs = performance.now();
  const sent = notifier.send(message, options.settings ?? subject.settings, worldOf(subject, options));
  const error: unknown = await sent.then(
    () => null,
    (failure: unknown) => failure,
  );
  return { error, tookMs: performance.now() - startedMs };
}

function rowOf({ kind }: Notifier): AlarmChannelRow {
  return ALARM_CHANNELS[kind];
}

const isListed: Check = ({ notifier }) => {
  const { name, fields, schemes } = rowOf(notifier);
  expect(NOTIFIERS[notifier.kind]).toBe(notifier);
  for (const pack of [en, zhCN]) {
    expect(name ?? Object.entries(pack).find(([key]) => key === `channelKind_${notifier.kind}`)?.[1]).toMatch(/\S/);
    for (const field of fields) expect(pack).toHaveProperty([`channelField_${field.name}`]);
  }
  expect(fields.some(({ format }) => format === 'url')).toBe(schemes.length > 0);
};

const deliversOnce: Check = async (running) => {
  const before = running.subject.received();
  expect(await send(running)).toMatchObject({ error: null });
  expect(running.subject.received()).toBe(before + 1);
};

const keepsDeadline: Check = async (running) => {
  const { relay } = running.subject;
  relay.behaviour = null;
  const { error, tookMs } = await send(running, { withinMs: QUICK_MS });
  expect(reasonOf(error)).toMatch(/^(unreachable|refused)$/);
  expect(error).not.toMatchObject({ isFinal: true });
  expect(tookMs).toBeLessThan(ENDED_MS);
  await vi.waitFor(() => expect(relay.openCount).toBe(0), ENDED_MS);
};

const endsEndlessAnswers: Check = async (running) => {
  const { relay, endless } = running.subject;
  relay.behaviour = endless;
  const before = relay.bytesSent;
  expect((await send(running, { withinMs: QUICK_MS })).tookMs).toBeLessThan(ENDED_MS);
  await vi.waitFor(() => expect(relay.openCount).toBe(0), ENDED_MS);
  expect(relay.bytesSent - before).toBeGreaterThan(0);
  expect(relay.bytesSent - before).toBeLessThan(BYTES_MAX);
};

const obeysPolicy: Check = async (running) => {
  const { relay } = running.subject;
  const before = relay.sockets.length;
  const { error } = await send(running, { openNetworks: [] });
  expect(reasonOf(error)).toMatch(/^(address|refused)$/);
  expect(relay.sockets.length).toBe(before);
};

const keepsSecrets: Check = async (running) => {
  const { subject, notifier } = running;
  const { fields } = rowOf(notifier);
  const secrets = fields.flatMap(({ name, isSecret }) => (isSecret ? [subject.settings[name] ?? ''] : []));
  const written = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
  subject.refuseNext(`canary-of-the-receiver ${secrets.join(' ')}`);
  const refused = await send(running);
  subject.relay.behaviour = null;
  const late = await send(running, { withinMs: QUICK_MS });
  const policy = await send(running, { openNetworks: [] });
  expect(reasonOf(refused.error)).toBe('refused');
  const texts = [refused, late, policy].map(({ error }) => inspect(error, { depth: 8, showHidden: true }));
  texts.push(inspect(written.map(({ mock }) => mock.calls)));
  for (const secret of [...secrets, 'canary-of-the-receiver']) {
    if (secret !== '') expect(texts.join('\n')).not.toContain(secret);
  }
  for (const spy of written) spy.mockRestore();
};

const refusesBadSettings: Check = async (running) => {
  const { notifier, subject } = running;
  const { fields } = rowOf(notifier);
  const { open, secrets } = readSettings({ kind: notifier.kind, settings: subject.settings }, {});
  expect({ ...open, ...secrets }).toEqual(subject.settings);
  expect(Object.keys(secrets).filter((name) => !fields.some((one) => one.name === name && one.isSecret))).toEqual([]);
  expect(problemsOf(notifier, { ...subject.settings, other: 'x' })).toEqual({ 'settings.other': 'notAllowed' });
  for (const field of fields) {
    const { [field.name]: _, ...rest } = subject.settings;
    if (field.isRequired) {
      expect(problemsOf(notifier, rest)).toEqual({ [`settings.${field.name}`]: 'required' });
      expect(reasonOf((await send(running, { settings: rest })).error), field.name).toBe('settings');
    }
    for (const bad of badValues(field)) {
      const problem = { [`settings.${field.name}`]: 'format' };
      expect(problemsOf(notifier, { ...rest, [field.name]: bad }), bad).toEqual(problem);
    }
  }
};

function badValues({ format }: ChannelField): readonly string[] {
  if (format === 'url') return ['x', 'file:///etc/passwd', 'http://user:word@127.0.0.1/', 'mqtt://user@127.0.0.1'];
  return { text: ['a\nb'], mails: ['nobody', 'a@b\u0020<c@d>'], flag: ['yes'] }[format];
}

function problemsOf({ kind }: Notifier, settings: ChannelSettings): unknown {
  try {
    readSettings({ kind, settings }, {});
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    expect(error.code).toBe(1003);
    return error.data;
  }
  return {};
}

/** Of a NotifyError or an OutboundError. */
function reasonOf(error: unknown): string {
  if (error instanceof NotifyError) return error.reason;
  return error instanceof Error && 'kind' in error ? String(error.kind) : `not refused: ${String(error)}`;
}

const checks: [string, Check][] = [
  ['is listed, with a name and names of its settings in both languages', isListed],
  ['a message arrives once', deliversOnce],
  ['a receiver that never answers is given up in time, and the message is tried again', keepsDeadline],
  ['a receiver whose answer never ends is given up, with few bytes read', endsEndlessAnswers],
  ['a network that is not open is not connected to', obeysPolicy],
  ['no error and no log has a secret, or the words of a receiver that refuses', keepsSecrets],
  ['bad settings are refused with 1003, by field', refusesBadSettings],
];
