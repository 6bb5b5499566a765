// A hostile MQTT broker, as the source of events and as the target of alarms: bounded memory and calls, no alarm of its making elsewhere, reasons told.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureServerCertificate } from '../../launcher/tls/local-authority.js';
import { ScriptedSite } from '../contract/scripted-site.ts';
import { type CallClient, ServerUnderTest } from '../contract/server-under-test.ts';
import { type Figures, figuresDuring } from '../harness/process-figures.ts';
import { waitFor } from '../harness/wait-for.ts';
import {
  type BrokerLine,
  type BrokerScript,
  header,
  HostileBroker,
  largestPublish,
  type Message,
  publishPacket,
  repeated,
} from '../peers/hostile-broker.ts';
import { HttpSink } from '../peers/message-sink.ts';
import type { Certificate } from '../peers/impostor-camera.ts';

/** What an attack may add to the server's memory: the garbage of a busy heap, and nowhere near a packet of 256 MB. */
const ADDED_MB = 128;
const P95_MS = 1000;
const EVENTS = 'frigate/events';

let server: ServerUnderTest;
let site: ScriptedSite;
let sink: HttpSink;
let operator: CallClient;
let guest: CallClient;
let folder: string;
let certificates: Certificate[];
let camera: string;
let guestCamera: string;
const brokers: HostileBroker[] = [];
const figures: Record<string, Figures> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-broker-'));
  const authorities = ['first', 'second'].map((name) => authorityIn(join(folder, name)));
  certificates = await Promise.all(authorities.map(certificateOf));
  [server, sink] = await Promise.all([
    ServerUnderTest.start({ NODE_EXTRA_CA_CERTS: authorities[0]?.ca ?? '' }),
    new HttpSink().start(),
  ]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
  const add = async (client: CallClient, target: string, deviceName: string) =>
    (await client.ok('device/add', { target, deviceName })).device.deviceSerial;
  camera = await add(operator, 'rtsp://192.0.2.1/1', 'Gate');
  guestCamera = await add(guest, 'rtsp://192.0.2.2/1', 'Theirs');
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8', '::1/128'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
});

afterEach(async () => {
  for (const broker of brokers.splice(0)) await broker.close();
});

afterAll(async () => {
  if (Object.keys(figures).length > 0) process.stdout.write(`hostile-broker: ${JSON.stringify(figures)}\n`);
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const authorityIn = (at: string) => ensureServerCertificate(at, ['localhost'], new Date()).files;

async function certificateOf({ cert, key }: { cert: string; key: string }): Promise<Certificate> {
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
}

async function brokerThat(script: BrokerScript = {}, certificate?: Certificate): Promise<HostileBroker> {
  const broker = await HostileBroker.listen(script, certificate);
  brokers.push(broker);
  return broker;
}

const state = () => operator.ok('event/mqtt/get', {});

async function listenTo(url: string): Promise<void> {
  const { version } = await state();
  const cameraList = [{ camera: 'front', deviceSerial: camera, channelNo: 1 }];
  await operator.ok('event/mqtt/set', { mqtt: { url, user: 'user', topic: 'frigate', cameraList }, version });
}

/** Sends what `script` sends, and waits until the server has ended the connection and says `problem`. */
async function givenUp(name: string, script: BrokerScript, problem: RegExp): Promise<HostileBroker> {
  const broker = await brokerThat(script);
  await listenTo(broker.url());
  const over = waitFor(`the end of ${name}`, async () => {
    const said = (await state()).problem;
    if (problem.test(said) && broker.lines[0]?.socket.destroyed === true) return true;
    throw new Error(said);
  });
  figures[name] = await figuresDuring(server.processId, () => guest.ok('alarm/list', {}), over);
  expect(figures[name].addedMb, name).toBeLessThan(ADDED_MB);
  expect(figures[name].p95Ms, name).toBeLessThan(P95_MS);
  return broker;
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

let reported = 0;
/** An event that the listener takes. */
function frigate(part: Record<string, unknown> = {}): string {
  reported += 1;
  const after = { id: `e${reported}`, camera: 'front', label: 'person', start_time: Date.now() / 1000, ...part };
  return JSON.stringify({ type: 'new', after });
}

const alarmsOf = async (client: CallClient) =>
  (await client.ok('alarm/list', { types: ['HumanShapeDetect', 'ObjectTracked', 'FaceDetect'], pageSize: 100 }))
    .alarmList;

async function subscribed(): Promise<BrokerLine> {
  let line: BrokerLine | null = null;
  const afterSubscribe = (opened: BrokerLine): void => {
    line = opened;
  };
  const broker = await brokerThat({ afterSubscribe });
  await listenTo(broker.url());
  return await waitFor('the subscription', () => line ?? undefined);
}

/** Publishes `messages` and then an honest event, and waits for its alarm; answers what came of all of them. */
async function afterMessages(messages: readonly Message[]): Promise<{ raised: number; dropped: number }> {
  const line = await subscribed();
  const [alarms, before] = [await alarmsOf(operator), await state()];
  const isHonest = ({ type }: { type: string }): boolean => type === 'FaceDetect';
  for (const message of messages) line.publish(message);
  line.publish({ topic: EVENTS, payload: frigate({ label: 'face' }), qos: 1, id: 9 });
  await waitFor('the alarm of the honest event', async () => {
    const faces = (await alarmsOf(operator)).filter(isHonest);
    return faces.length > alarms.filter(isHonest).length;
  });
  const raised = (await alarmsOf(operator)).length - alarms.length;
  return { raised, dropped: (await state()).droppedCount - before.droppedCount };
}

describe('a hostile broker that events are heard from', () => {
  it.each<[string, BrokerScript, RegExp]>([
    ['never answers CONNECT', { onConnect: () => undefined }, /no answer in time/],
    ['refuses', { onConnect: (line) => line.connack(5) }, /refused/],
    [
      'acknowledges and sends garbage',
      {
        onConnect: (line) => {
          line.connack();
          void line.pour(repeated(() => Buffer.alloc(65_536, 0xff), 1000));
        },
      },
      /not MQTT/,
    ],
    ['never acknowledges the subscription', { onSubscribe: () => undefined }, /no answer in time/],
  ])('[SE-86] is given up with a reason when it %s', async (name, script, problem) => {
    await givenUp(name, script, problem);
    expect((await state()).isConnected).toBe(false);
  });

  it('[SE-86] has its connection ended at the header of a packet of 268 MB, before and after the subscription', async () => {
    for (const moment of ['onConnect', 'afterSubscribe'] as const) {
      let poured = 0;
      const pour = (line: BrokerLine): void => {
        if (moment === 'onConnect') line.connack();
        void line.pour(largestPublish()).then((bytes) => {
          poured = bytes;
        });
      };
      await givenUp(`268 MB ${moment}`, { [moment]: pour }, /packet too large/);
      await waitFor('the end of what was poured', () => poured > 0);
      // What fits into the buffers of two sockets.
      expect(poured).toBeLessThan(16 << 20);
    }
    // Declared and dripped: not a byte of it is waited for.
    await givenUp(
      'dripped',
      { afterSubscribe: (line) => line.socket.write(header(0x30, 1 << 28)) },
      /packet too large|not MQTT/,
    );
    await givenUp(
      'just too large',
      { afterSubscribe: (line) => line.socket.write(header(0x30, 1 << 27)) },
      /packet too large/,
    );
  });

  it('[SE-86] is ended when it sends 100,000 retained messages at once, or QoS 2 without end', async () => {
    const retained = (count: number) => publishPacket({ topic: `frigate/${count}`, payload: '{}', retain: true });
    await givenUp('retained', { afterSubscribe: (line) => void line.pour(repeated(retained, 100_000)) }, /too many/);
    const payload = 'x'.repeat(60_000);
    const second = (count: number) => publishPacket({ topic: EVENTS, payload, qos: 2, id: 1 + (count % 65_535) });
    await givenUp('QoS 2', { afterSubscribe: (line) => void line.pour(repeated(second, 20_000)) }, /not asked for/);
  });

  it('[SE-86] is asked again ever more rarely when it closes every connection at once', async () => {
    const broker = await brokerThat({ afterSubscribe: ({ socket }) => socket.end() });
    await listenTo(broker.url());
    await waitFor('four connections', () => broker.lines.length >= 4);
    const [first = 0, second = 0, third = 0, fourth = 0] = broker.lines.map(({ openedMs }) => openedMs);
    expect(second - first).toBeGreaterThan(900);
    expect(third - second).toBeGreaterThan(1.7 * (second - first));
    expect(fourth - third).toBeGreaterThan(1.7 * (third - second));
  });

  it('[SE-65] leads to no other server', async () => {
    const trap = createServer((socket) => socket.destroy());
    let caught = 0;
    trap.on('connection', () => (caught += 1));
    trap.listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const { port } = trap.address() as { port: number };
    const reference = Buffer.from(`127.0.0.1:${port}`);
    // MQTT 5: reason 0x9C "use another server" with property 0x1C, the server reference.
    const properties = Buffer.concat([Buffer.from([0x1c, 0, reference.length]), reference]);
    const body = Buffer.concat([Buffer.from([0, 0x9c, properties.length]), properties]);
    const moved = Buffer.concat([header(0x20, body.length), body]);
    try {
      await givenUp('redirect', { onConnect: ({ socket }) => socket.write(moved) }, /refused|not MQTT/);
      expect(caught).toBe(0);
    } finally {
      trap.close();
    }
  });

  it('[SE-66] is given up when it shows another certificate', async () => {
    const broker = await brokerThat({}, certificates[0]);
    await listenTo(broker.url('localhost'));
    await waitFor('the connection', async () => (await state()).isConnected);
    const heard = broker.lines.length;
    if (certificates[1]) broker.setCertificate(certificates[1]);
    broker.hangUp();
    await waitFor('the refusal', async () => /certificate/.test((await state()).problem));
    expect(broker.lines.length).toBe(heard);
  });
});

describe('messages of a hostile broker', () => {
  it('[SE-86] raise no alarm under topics that were not asked for, and are counted', async () => {
    const topics = [
      'other/events',
      'frigate/events/1',
      'frigate/+',
      '#',
      'frigate/events\0',
      Buffer.from([0x66, 0xff, 0xfe]),
    ];
    const sent = topics.map((topic): Message => ({ topic, payload: frigate() }));
    expect(await afterMessages(sent)).toEqual({ raised: 1, dropped: topics.length });
  });

  it('[SE-93] that are deep, huge or no events raise none, and are counted', async () => {
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const payloads = [
      deep,
      '{"__proto__":{"camera":"front"},"type":"new","after":{"__proto__":{"camera":"front"},"id":"p"}}',
      frigate({ id: 'x'.repeat(100_000) }),
      frigate({ label: 'y'.repeat(100_000) }),
      frigate({ start_time: 0 }).replace('"start_time":0', '"start_time":1e999'),
      Buffer.from([0xff, 0xfe, 0]),
    ];
    const sent = payloads.map((payload): Message => ({ topic: EVENTS, payload }));
    expect(await afterMessages(sent)).toEqual({ raised: 1, dropped: payloads.length });
    const zones = frigate({ entered_zones: 0 }).replace(':0', `:${deep}`);
    const unmapped = ['constructor', '__proto__'].map(
      (name): Message => ({ topic: EVENTS, payload: frigate({ camera: name }) }),
    );
    expect(await afterMessages([{ topic: EVENTS, payload: zones }, ...unmapped])).toEqual({ raised: 2, dropped: 0 });
    const odd = ['__proto__', 'constructor', 'toString'].map(
      (label): Message => ({ topic: EVENTS, payload: frigate({ label }) }),
    );
    expect(await afterMessages(odd)).toEqual({ raised: 4, dropped: 0 });
    const types = (await alarmsOf(operator)).map(({ type }) => type);
    expect(types.filter((type) => type === 'ObjectTracked')).toHaveLength(3);
  });

  it('[SE-18] [SE-86] raise no alarm on a camera of another account, nor on one that was transferred to it meanwhile', async () => {
    await afterMessages([{ topic: EVENTS, payload: frigate({ camera: guestCamera }) }]);
    const line = await subscribed();
    const { transferId } = await operator.ok('device/transfer', { deviceSerial: camera, account: 'guest' });
    await guest.ok('device/transfer/accept', { transferId });
    const theirs = await alarmsOf(guest);
    const { droppedCount } = await state();
    line.publish({ topic: EVENTS, payload: frigate(), qos: 1 });
    await waitFor('the event to be dropped', async () => (await state()).droppedCount > droppedCount);
    expect(await alarmsOf(guest)).toEqual(theirs);
  });
});

describe('a hostile broker that alarms are sent to', () => {
  const ways: [string, BrokerScript, RegExp][] = [
    ['never answers CONNECT', { onConnect: () => undefined }, /no answer in time/],
    ['closes at once', { onConnect: ({ socket }) => socket.destroy() }, /closed/],
    ['never acknowledges a message', { onPublish: () => undefined }, /no answer in time/],
    ['answers with 268 MB', { onPublish: (line) => void line.pour(largestPublish()) }, /not asked for/],
    [
      'answers with messages',
      {
        onPublish: (line) => void line.pour(repeated(() => publishPacket({ topic: 'a', payload: 'b' }), 100_000)),
      },
      /not asked for/,
    ],
  ];

  it.concurrent.for(ways)('[SE-86] is told as failed with its reason when it %s', async ([name, script, said], {
    onTestFinished,
  }) => {
    const broker = await HostileBroker.listen(script);
    onTestFinished(() => broker.close());
    const channelId = await channel(operator, { kind: 'mqtt', settings: { url: broker.url() } });
    const test = operator.ok('alarm/channel/test', { channelId });
    figures[name] = await figuresDuring(server.processId, () => guest.ok('alarm/list', {}), test);
    expect(await test).toMatchObject({
      isDone: false,
      reason: 'unreachable',
      detail: expect.stringMatching(said) as string,
    });
    expect(figures[name].addedMb).toBeLessThan(ADDED_MB);
    expect(figures[name].p95Ms).toBeLessThan(P95_MS);
    await waitFor('its connection closed', () => broker.lines.every(({ socket }) => socket.destroyed));
    await operator.ok('alarm/channel/delete', { channelId });
  });

  it('[SE-86] delays no message of another account, however many it leaves unacknowledged', async () => {
    const broker = await brokerThat({ onPublish: () => undefined });
    const slow = await channel(guest, { kind: 'mqtt', settings: { url: broker.url() } });
    const quick = await channel(operator, { kind: 'webhook', settings: { url: `${sink.url}/hook` } });
    const slowRule = await rule(guest, slow);
    const quickRule = await rule(operator, quick);
    const own = (await operator.ok('device/add', { target: 'rtsp://192.0.2.3/1', deviceName: 'Yard' })).device
      .deviceSerial;
    for (let count = 0; count < 40; count++) {
      await site.reportEvent(guestCamera, { topic: 'tnsvdt:Alarm/GlassBreak', key: `slow${count}`, phase: 'pulse' });
    }
    await waitFor('the slow ones under way', () => broker.lines.length >= 4);
    const startedMs = performance.now();
    await site.reportEvent(own, { topic: 'tnsvdt:Alarm/GlassBreak', key: 'quick', phase: 'pulse' });
    await waitFor('the quick one', () => sink.requests.length > 0);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    const { deliveryList } = await guest.ok('alarm/delivery/list', { ruleId: slowRule });
    expect(deliveryList.filter(({ state }) => state === 'done')).toEqual([]);
    await waitFor('a reason', async () => {
      const list = (await guest.ok('alarm/delivery/list', { ruleId: slowRule })).deliveryList;
      return list.some(({ reason }) => reason === 'unreachable');
    });
    for (const [client, ruleId] of [
      [guest, slowRule],
      [operator, quickRule],
    ] as const) {
      await client.ok('alarm/rule/delete', { ruleId });
    }
  });
});
