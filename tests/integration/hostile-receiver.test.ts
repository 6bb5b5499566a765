// Hostile receivers of messages over HTTP: bounded bytes and time, no way on to other addresses, nothing of their answers told, nobody else delayed.
import { ALARM_CHANNEL_KINDS, type AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { AlarmMessage, ChannelSettings, NotifierDeps } from '../../server/notifiers/kit/notifier.ts';
import { NOTIFIERS } from '../../server/notifiers/registry.ts';
import { OutboundClient } from '../../server/outbound/outbound-client.ts';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { ScriptedSite } from '../contract/scripted-site.ts';
import { type CallClient, ServerUnderTest } from '../contract/server-under-test.ts';
import { type Figures, figuresDuring } from '../harness/process-figures.ts';
import { waitFor } from '../harness/wait-for.ts';
import {
  HOSTILE_ANSWERS,
  HostileReceiver,
  type ReceiverScript,
  redirectTo,
  refuseWith,
} from '../peers/hostile-receiver.ts';
import { HttpSink } from '../peers/message-sink.ts';
import { PushBrowser } from '../peers/push-browser.ts';

/** From the look-up to the end of the answer, with what a busy machine adds. */
const WITHIN_MS = 13_000;
/** What the product reads of one answer, and what the buffers of two sockets hold. */
const BYTES_MAX = 16 << 20;
const ADDED_MB = 128;
const P95_MS = 1000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let server: ServerUnderTest;
let site: ScriptedSite;
let sink: HttpSink;
let operator: CallClient;
let users: CallClient[];
let camera: string;
let usersCamera: string;
let trap: Server;
let caught = 0;
const receivers: HostileReceiver[] = [];
const figures: Record<string, Figures> = {};

beforeAll(async () => {
  trap = createServer((socket) => socket.destroy()).on('connection', () => {
    caught += 1;
  });
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  [server, sink] = await Promise.all([ServerUnderTest.start(), new HttpSink().start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const names = ['ann', 'bob', 'cat'];
  for (const username of names) await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
  users = await Promise.all(names.map((name) => server.signIn(name, 'Secret-1')));
  const add = async (client: CallClient, target: string) =>
    (await client.ok('device/add', { target, deviceName: 'Gate' })).device.deviceSerial;
  camera = await add(operator, 'rtsp://192.0.2.1/1');
  usersCamera = await add(user(0), 'rtsp://192.0.2.2/1');
  await openNetworks(['127.0.0.0/8']);
});

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

afterAll(async () => {
  if (Object.keys(figures).length > 0) process.stdout.write(`hostile-receiver: ${JSON.stringify(figures)}\n`);
  trap?.close();
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop()]);
});

const user = (index: number): CallClient => users[index] as CallClient;

async function openNetworks(messageNetworks: string[]): Promise<void> {
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
}

async function receiverThat(script: ReceiverScript): Promise<HostileReceiver> {
  const receiver = await HostileReceiver.listen(script);
  receivers.push(receiver);
  return receiver;
}

type Channel = Pick<CallInput<'alarm/channel/save'>, 'kind' | 'settings'>;
async function channel(caller: CallClient, { kind, settings }: Channel): Promise<string> {
  const saved = await caller.ok('alarm/channel/save', { kind, name: kind, isEnabled: true, settings });
  return saved.channel.channelId;
}

async function rule(caller: CallClient, channelId: string): Promise<string> {
  const when = { types: ['GlassBreak' as const], groups: [], leastSeverity: 'info' as const, sources: [] };
  const plan = { plan: null, timeZone: 'UTC', pauseS: 0 };
  const actions = [{ kind: 'notify' as const, channelIds: [channelId] }];
  return (await caller.ok('alarm/rule/save', { name: 'R', isEnabled: true, ...when, ...plan, actions })).rule.ruleId;
}

async function deliveriesOf(caller: CallClient, ruleId: string) {
  return (await caller.ok('alarm/delivery/list', { ruleId })).deliveryList;
}

/** What comes of a message to `url`, sent by the button. */
async function tested(caller: CallClient, url: string) {
  const channelId = await channel(caller, { kind: 'webhook', settings: { url, secret: SECRET } });
  const end = await caller.ok('alarm/channel/test', { channelId });
  await caller.ok('alarm/channel/delete', { channelId });
  return end;
}

const message: AlarmMessage = {
  deliveryId: 'd1',
  title: 'Line crossed',
  facts: [['Severity', 'Major']],
  severity: 'major',
  link: null,
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
    time: 0,
    endTime: null,
    data: {},
  },
};
const GUEST = { isOperator: false, accountId: 'guest' };
const client = new OutboundClient({
  policy: async () => ({ isOperator: false, openNetworks: ['127.0.0.0/8'], ownPorts: new Set() }),
});
const browser = new PushBrowser();
const vapid = { ...webPush.generateVAPIDKeys(), subject: 'https://vedette.example' };
const world: NotifierDeps = {
  http: (request) => client.http(request, GUEST),
  dial: (host, port, signal) => client.dial(host, port, { ...GUEST, signal }),
  deadline: () => client.deadline(),
  mail: { isReady: async () => true, send: async () => undefined },
  now: () => 0,
  vapid: async () => vapid,
};
const OVER_HTTP = ALARM_CHANNEL_KINDS.filter((kind) => kind !== 'email' && kind !== 'mqtt');

function settingsOf(kind: AlarmChannelKind, url: string): ChannelSettings {
  if (kind === 'webPush') return browser.subscription(`${url}/push`);
  return { url: `${url}/${kind}`, secret: 'SEC1', token: kind === 'telegram' ? '123:ABC-def' : 'tk_1', chatId: '42' };
}

/** `done`, or why not. */
async function endOf(kind: AlarmChannelKind, url: string): Promise<unknown> {
  return await NOTIFIERS[kind].send(message, settingsOf(kind, url), world).then(
    () => 'done',
    (error: { kind?: unknown; reason?: unknown }) => error.kind ?? error.reason,
  );
}

describe('every way of telling alarms over HTTP', () => {
  it.concurrent.for(HOSTILE_ANSWERS)('[SE-86] ends within its bytes and its time when the receiver $name', async ({
    script,
    ends,
  }, { onTestFinished }) => {
    const all = OVER_HTTP.map(async (kind) => {
      const receiver = await HostileReceiver.listen(script);
      onTestFinished(() => receiver.close());
      const startedMs = performance.now();
      const end = await endOf(kind, receiver.url());
      expect(performance.now() - startedMs, kind).toBeLessThan(WITHIN_MS);
      // Robots say in their answer whether they took it: one that is none refuses.
      expect([...ends, ...(ends.includes('done') ? ['refused'] : [])], kind).toContain(end);
      await waitFor('the connection to be closed', () => receiver.openCount === 0);
      expect(receiver.bytesSent, kind).toBeLessThan(BYTES_MAX);
      expect(receiver.requests.length, kind).toBe(1);
    });
    await Promise.all(all);
  });

  it.concurrent('[SE-86] gives a TLS handshake up that never goes on', async () => {
    const mute = createServer(() => undefined);
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    try {
      const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
      const all = await Promise.all(OVER_HTTP.map((kind) => endOf(kind, url)));
      expect(new Set(all)).toEqual(new Set(['unreachable']));
    } finally {
      mute.close();
    }
  });

  it('[SE-65] follows no redirect, and sends no secret anywhere else', async () => {
    const { port } = trap.address() as AddressInfo;
    const elsewhere = [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `//127.0.0.1:${port}/`,
      'file:///etc/passwd',
    ];
    for (const location of [
      ...elsewhere,
      `gopher://127.0.0.1:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      '/again',
    ]) {
      const receiver = await receiverThat(redirectTo(location));
      const all = await Promise.all(OVER_HTTP.map((kind) => endOf(kind, receiver.url())));
      expect(new Set(all), location).toEqual(new Set(['refused']));
      expect(receiver.requests.length, location).toBe(OVER_HTTP.length);
    }
    expect(caught).toBe(0);
  });
});

describe('the server that sends to a hostile receiver', () => {
  const floods = HOSTILE_ANSWERS.filter(({ name }) => / without end|bomb|no HTTP/.test(name));

  it.each(floods)('[SE-86] keeps its memory and answers others when the receiver $name', async ({ name, script }) => {
    const receiver = await receiverThat(script);
    const sent = tested(operator, receiver.url());
    figures[name] = await figuresDuring(server.processId, () => user(1).ok('alarm/list', {}), sent);
    expect(figures[name].addedMb).toBeLessThan(ADDED_MB);
    expect(figures[name].p95Ms).toBeLessThan(P95_MS);
  });

  it('[SE-68] tells nothing of an answer but its status, whatever the answer repeats', async () => {
    const receiver = await receiverThat(({ socket, request }) => {
      refuseWith(`<script>\0\u001b[31m root:x:0:0 ${SECRET} ${request}`)({ socket, request });
    });
    expect(await tested(user(1), receiver.url())).toEqual({ isDone: false, reason: 'refused', detail: 'HTTP 403' });
    receiver.script = refuseWith('\0');
    const channelId = await channel(user(0), { kind: 'webhook', settings: { url: receiver.url(), secret: SECRET } });
    const ruleId = await rule(user(0), channelId);
    await site.reportEvent(usersCamera, { topic: 'tnsvdt:Alarm/GlassBreak', key: 'nul', phase: 'pulse' });
    const ended = await waitFor('the refusal', async () =>
      (await deliveriesOf(user(0), ruleId)).find(({ state }) => state === 'failed'),
    );
    expect(ended).toMatchObject({ reason: 'refused', detail: 'HTTP 403', attempts: 1 });
    await user(0).ok('alarm/rule/delete', { ruleId });
  });

  it('[SE-68] tells accounts alike of ports that are open, closed and silent, in networks that are open to them and in those that are not', async () => {
    const closed = await HostileReceiver.listen(() => undefined);
    const { port } = closed;
    await closed.close();
    const open = await receiverThat(({ socket }) => socket.destroy());
    const garbage = await receiverThat(({ socket }) => socket.end('SSH-2.0-x\r\n'));
    const urls = [`http://127.0.0.1:${port}`, open.url(), garbage.url(), open.url('https'), 'http://127.255.255.254:9'];
    const ends = await Promise.all(urls.map((url) => tested(user(1), url)));
    for (const end of ends) expect(end).toEqual({ isDone: false, reason: 'unreachable', detail: '' });
    const asked = [open.sockets.length, garbage.sockets.length];
    await openNetworks([]);
    try {
      const times: number[] = [];
      for (const url of [
        `http://127.0.0.1:${port}`,
        open.url(),
        garbage.url(),
        'http://169.254.169.254/',
        'http://10.255.255.1/',
      ]) {
        const startedMs = performance.now();
        expect(await tested(user(2), url)).toEqual({ isDone: false, reason: 'address', detail: '' });
        times.push(performance.now() - startedMs);
      }
      // Nothing of the network is waited for.
      expect(Math.max(...times)).toBeLessThan(2000);
    } finally {
      await openNetworks(['127.0.0.0/8']);
    }
    expect([open.sockets.length, garbage.sockets.length]).toEqual(asked);
  });

  it('[SE-86] waits as long as is asked for, an hour at most, whatever stands in Retry-After', async () => {
    const values = ['1e300', '99999999999999999999', '-5', '30.00001', 'Infinity', 'x'];
    const waits = await Promise.all(
      values.map(async (value, index) => {
        const receiver = await receiverThat(({ socket }) =>
          socket.write(`HTTP/1.1 503 Busy\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`),
        );
        const channelId = await channel(user(0), { kind: 'webhook', settings: { url: `${receiver.url()}/${index}` } });
        return await rule(user(0), channelId);
      }),
    );
    await site.reportEvent(usersCamera, { topic: 'tnsvdt:Alarm/GlassBreak', key: 'later', phase: 'pulse' });
    for (const [index, ruleId] of waits.entries()) {
      const waiting = await waitFor(`the refusal with ${values[index]}`, async () =>
        (await deliveriesOf(user(0), ruleId)).find(({ reason }) => reason === 'refused'),
      );
      const waitMs = (waiting.nextTime ?? 0) - Date.now();
      expect(waitMs, values[index]).toBeLessThanOrEqual(3_600_000);
      await user(0).ok('alarm/rule/delete', { ruleId });
    }
  });

  it('[SE-86] delivers messages of others while one account has forty that never end', async () => {
    const receiver = await receiverThat(() => undefined);
    const slow = await channel(user(0), { kind: 'webhook', settings: { url: receiver.url() } });
    const quick = await channel(operator, { kind: 'webhook', settings: { url: `${sink.url}/hook` } });
    const rules = [[user(0), await rule(user(0), slow)] as const, [operator, await rule(operator, quick)] as const];
    for (let count = 0; count < 40; count++) {
      await site.reportEvent(usersCamera, { topic: 'tnsvdt:Alarm/GlassBreak', key: `slow${count}`, phase: 'pulse' });
    }
    await waitFor('the slow ones under way', () => receiver.openCount >= 4);
    const startedMs = performance.now();
    await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/GlassBreak', key: 'quick', phase: 'pulse' });
    await waitFor('the quick one', () => sink.requests.length > 0);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    for (const [caller, ruleId] of rules) await caller.ok('alarm/rule/delete', { ruleId });
  });

  it('[SE-98] has logged no secret of a channel', () => {
    expect(server.log.join('\n')).not.toContain(SECRET);
  });
});
