// What each notifier sends, against a peer of its protocol: documented format, signature, refusals; what all have in common is in their conformance suite.
import type { AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { signDingTalk } from '../../server/notifiers/ding-talk/ding-talk.ts';
import { signFeishu } from '../../server/notifiers/feishu/feishu.ts';
import type { AlarmMessage, ChannelSettings, NotifierDeps } from '../../server/notifiers/kit/notifier.ts';
import { NOTIFIERS } from '../../server/notifiers/registry.ts';
import { signWebhook } from '../../server/notifiers/webhook/webhook.ts';
import { OutboundClient } from '../../server/outbound/outbound-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { HttpSink, startBroker } from '../peers/message-sink.ts';
import { PushBrowser, RFC_8291, vapidClaims } from '../peers/push-browser.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const message: AlarmMessage = {
  deliveryId: 'd1',
  title: 'Line crossed: Gate <b> & 前门',
  facts: [
    ['Severity', 'Major'],
    ['Where', 'Gate [x](http://evil) @all *b*'],
  ],
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
    data: { Rule: 'r' },
  },
};

/** As lines of text, and in the markdown of robots: no name becomes a link, a mention or a mark. */
const FACTS = ['Severity: Major', 'Where: Gate [x](http://evil) @all *b*'];
const MARKDOWN = [
  '**Line crossed: Gate  b  & 前门**',
  'Severity: Major',
  'Where: Gate  x  http://evil  ＠all  b ',
  `[${message.link}](${message.link})`,
].join('\n\n');

let sink: HttpSink;
let broker: Awaited<ReturnType<typeof startBroker>>;
const browser = new PushBrowser();
const mails: { to: string; subject: string; text: string }[] = [];
const vapid = { ...webPush.generateVAPIDKeys(), subject: 'https://vedette.example' };

beforeAll(async () => {
  [sink, broker] = await Promise.all([new HttpSink().start(), startBroker()]);
});
afterAll(async () => {
  await Promise.all([sink?.stop(), broker?.stop()]);
});

const GUEST = { isOperator: false, accountId: 'guest' };

function world(openNetworks: readonly string[] = ['127.0.0.0/8']): NotifierDeps {
  const client = new OutboundClient({ policy: async () => ({ isOperator: false, openNetworks, ownPorts: new Set() }) });
  return {
    http: (request) => client.http(request, GUEST),
    dial: (host, port, signal) => client.dial(host, port, { ...GUEST, signal }),
    deadline: () => client.deadline(),
    mail: { isReady: async () => true, send: async (mail) => void mails.push(mail) },
    now: () => NOW,
    vapid: async () => vapid,
  };
}

const SETTINGS = {
  email: () => ({ to: 'a@example.com, b@example.com' }),
  webPush: () => browser.subscription(`${sink.url}/push/1`),
  webhook: () => ({ url: `${sink.url}/hook`, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
  mqtt: () => ({ url: broker.url, user: 'user', password: 'pass', topic: 'cams', discovery: '1' }),
  ntfy: () => ({ url: `${sink.url}/alarms`, token: 'tk_1' }),
  telegram: () => ({ url: sink.url, chatId: '42', token: '123:ABC-def' }),
  slack: () => ({ url: `${sink.url}/services/T0/B0/x` }),
  dingTalk: () => ({ url: `${sink.url}/robot/send?access_token=t`, secret: 'SEC1' }),
  feishu: () => ({ url: `${sink.url}/open-apis/bot/v2/hook/t`, secret: 'fs1' }),
  weCom: () => ({ url: `${sink.url}/cgi-bin/webhook/send?key=k` }),
} as const satisfies Partial<Record<AlarmChannelKind, () => ChannelSettings>>;
type Kind = keyof typeof SETTINGS;
const OVER_HTTP = (Object.keys(SETTINGS) as Kind[]).filter((kind) => kind !== 'email' && kind !== 'mqtt');

const send = (kind: Kind, settings: ChannelSettings = SETTINGS[kind](), given = world()) =>
  NOTIFIERS[kind].send(message, settings, given);
const lastJson = () => JSON.parse(sink.last().body.toString('utf8')) as Record<string, never>;

describe('every notifier over HTTP', () => {
  it.each(OVER_HTTP)('%s retries after HTTP 500 and 429, and not after 403', async (kind) => {
    sink.answers.push({ status: 500, body: '' }, { status: 429, body: '' }, { status: 403, body: 'no' });
    await expect(send(kind)).rejects.toMatchObject({ reason: 'refused', isFinal: false });
    await expect(send(kind)).rejects.toMatchObject({ reason: 'refused', isFinal: false });
    await expect(send(kind)).rejects.toMatchObject({ reason: 'refused', isFinal: true });
  });
  it.each(OVER_HTTP)('[SE-64] %s does not connect to this machine, nor by redirect', async (kind) => {
    const asked = sink.requests.length;
    await expect(send(kind, undefined, world([]))).rejects.toMatchObject({ kind: 'address' });
    expect(sink.requests.length).toBe(asked);
    sink.answers.push({ status: 302, body: '', headers: { location: `${sink.url}/elsewhere` } });
    await expect(send(kind)).rejects.toMatchObject({ reason: 'refused' });
    expect(sink.last().path).not.toBe('/elsewhere');
  });
});

describe('the documented formats', () => {
  it('e-mail: one each, without other recipients', async () => {
    await send('email');
    expect(mails.map(({ to }) => to)).toEqual(['a@example.com', 'b@example.com']);
    expect(mails[0]).toMatchObject({ subject: message.title });
    expect(mails[0]?.text).toContain('Severity: Major');
  });
  it('webhook: Standard Webhooks 1.0, with its test vector', async () => {
    // The vector of the specification's libraries.
    const vector = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, text: '{"test": 2432232314}' };
    expect(signWebhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', vector)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    await send('webhook');
    const { headers, body } = sink.last();
    const timestamp = Number(headers['webhook-timestamp']);
    expect([headers['webhook-id'], timestamp]).toEqual(['d1', NOW / 1000]);
    const secret = SETTINGS.webhook()['secret'] ?? '';
    expect(headers['webhook-signature']).toBe(signWebhook(secret, { id: 'd1', timestamp, text: body.toString() }));
    expect(lastJson()).toMatchObject({ type: 'alarm.raised', data: { alarmId: 'a1', type: 'LineDetectorCrossed' } });
  });
  it('web push: encrypted for the browser alone, signed for its service', async () => {
    // Our reader of them holds to the example of RFC 8291, section 5.
    const { privateKey, auth, sealed, text } = RFC_8291;
    const told = new PushBrowser({ privateKey, auth }).readText({ body: Buffer.from(sealed, 'base64url') });
    expect(told).toBe(text);
    await send('webPush');
    const { method, headers, body } = sink.last();
    expect([method, headers['content-encoding'], headers['urgency']]).toEqual(['POST', 'aes128gcm', 'high']);
    expect(Number(headers['ttl'])).toBeGreaterThan(0);
    const { isSigned, aud, sub, publicKey } = vapidClaims({ headers });
    expect({ isSigned, aud, sub, publicKey }).toEqual({
      isSigned: true,
      aud: sink.url,
      sub: vapid.subject,
      publicKey: vapid.publicKey,
    });
    expect(body.includes(Buffer.from('Line crossed'))).toBe(false);
    expect(browser.read({ body })).toMatchObject({ title: message.title, tag: 'd1', alarmId: 'a1' });
    expect(() => new PushBrowser().read({ body })).toThrow(/authenticate/);
    sink.answers.push({ status: 410, body: '' });
    await expect(send('webPush')).rejects.toMatchObject({ reason: 'gone', isFinal: true });
  });
  it('MQTT: the alarm, and an event entity for Home Assistant', async () => {
    const before = broker.published.length;
    await send('mqtt');
    const [config, alarm] = broker.published.slice(before);
    expect(config).toMatchObject({ topic: 'homeassistant/event/vedette_CAM1_1/config', retain: true });
    const entity = JSON.parse(config?.payload ?? '{}') as { state_topic: string; event_types: string[] };
    expect(alarm).toMatchObject({ topic: 'cams/CAM1/1/alarm', retain: false });
    // What an event entity of MQTT discovery needs: state_topic and event_types, and a device to belong to.
    expect(entity).toEqual({
      name: 'Gate alarm',
      unique_id: 'vedette_CAM1_1',
      state_topic: alarm?.topic,
      event_types: RAISED_ALARM_TYPE_NAMES,
      device: { identifiers: ['vedette_CAM1'], name: 'Gate', manufacturer: 'Vedette' },
      origin: { name: 'Vedette' },
    });
    const { event_type: type } = JSON.parse(alarm?.payload ?? '{}') as { event_type: string };
    expect(entity.event_types).toContain(type);
    const wrong = { ...SETTINGS.mqtt(), password: 'wrong' };
    await expect(send('mqtt', wrong)).rejects.toMatchObject({ reason: 'refused', isFinal: true });
    await expect(send('mqtt', undefined, world([]))).rejects.toMatchObject({ kind: 'address' });
  });
  it('ntfy: published as JSON at the root', async () => {
    await send('ntfy');
    const { path, headers } = sink.last();
    expect([path, headers['authorization']]).toEqual(['/', 'Bearer tk_1']);
    expect(lastJson()).toEqual({
      topic: 'alarms',
      title: message.title,
      message: FACTS.join('\n'),
      priority: 4,
      tags: ['warning'],
      click: message.link,
    });
  });
  it('Telegram: sendMessage, and the requested retry delay', async () => {
    await send('telegram');
    expect(sink.last().path).toBe('/bot123:ABC-def/sendMessage');
    expect(lastJson()).toEqual({
      chat_id: '42',
      text: [message.title, ...FACTS, message.link].join('\n'),
      disable_notification: false,
      link_preview_options: { is_disabled: true },
    });
    sink.answers.push({ status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":7}}' });
    await expect(send('telegram')).rejects.toMatchObject({ retryAfterMs: 7000, isFinal: false });
    await expect(send('telegram', { ...SETTINGS.telegram(), token: '../x' })).rejects.toMatchObject({
      reason: 'settings',
    });
  });
  it('Slack: text and blocks, with its three characters escaped', async () => {
    await send('slack');
    const mark = (text: string) => ({ type: 'mrkdwn', text });
    expect(lastJson()).toEqual({
      text: 'Line crossed: Gate &lt;b&gt; &amp; 前门',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: message.title, emoji: false } },
        {
          type: 'section',
          fields: [mark('*Severity*\nMajor'), mark('*Where*\nGate [x](http://evil) @all *b*')],
        },
        { type: 'section', text: mark(`<${message.link}>`) },
      ],
    });
  });
  it('DingTalk: signed over the time and the secret, errors by its own code', async () => {
    await send('dingTalk');
    const { query } = sink.last();
    // By another implementation (Python's hmac), by the form that DingTalk publishes.
    const sign = '4nHcCoiVxRAdNKRn3mxzz3TrfdQjdyhtkwWMEgjVvzs=';
    expect([query.get('access_token'), query.get('timestamp'), query.get('sign')]).toEqual(['t', String(NOW), sign]);
    expect(signDingTalk('SEC1', NOW)).toBe(sign);
    expect(lastJson()).toEqual({ msgtype: 'markdown', markdown: { title: message.title, text: MARKDOWN } });
    sink.answers.push({ status: 200, body: '{"errcode":310000,"errmsg":"sign not match"}' });
    await expect(send('dingTalk')).rejects.toMatchObject({ reason: 'refused', isFinal: true });
    sink.answers.push({ status: 200, body: '{"errcode":130101,"errmsg":"send too fast"}' });
    await expect(send('dingTalk')).rejects.toMatchObject({ isFinal: false });
  });
  it('Feishu: signed with the time and the secret as the key, errors by its own code', async () => {
    await send('feishu');
    const seconds = String(NOW / 1000);
    // By another implementation (Python's hmac), by the form that Feishu publishes.
    const sign = 'RneSAmCSNvCQsOuGftSaGIgdDXButsIVrI51gwWRUkI=';
    expect(signFeishu('fs1', seconds)).toBe(sign);
    expect(lastJson()).toEqual({
      timestamp: seconds,
      sign,
      msg_type: 'interactive',
      card: {
        header: { title: { tag: 'plain_text', content: message.title }, template: 'orange' },
        elements: [{ tag: 'markdown', content: MARKDOWN }],
      },
    });
    for (const [body, isFinal] of [
      ['{"code":19021,"msg":"sign match fail"}', true],
      ['{"code":9499,"msg":"Bad Request","data":{}}', true],
      ['{"code":9499,"msg":"too many request"}', false],
      ['{"code":11232,"msg":"frequency limited"}', false],
    ] as const) {
      sink.answers.push({ status: 200, body });
      await expect(send('feishu')).rejects.toMatchObject({ reason: 'refused', isFinal });
    }
  });
  it('WeCom: markdown without foreign markup, within its byte limit', async () => {
    await NOTIFIERS.weCom.send({ ...message, facts: [['名', '界'.repeat(5000)]] }, SETTINGS.weCom(), world());
    const { markdown } = lastJson() as unknown as { markdown: { content: string } };
    expect(Buffer.byteLength(markdown.content)).toBeLessThanOrEqual(4096);
    expect(markdown.content).not.toContain('\uFFFD');
    await send('weCom');
    expect(lastJson()).toEqual({ msgtype: 'markdown', markdown: { content: MARKDOWN } });
  });
});
