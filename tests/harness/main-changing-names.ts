// Sends a server and a site to names that change, within a network and with a name server of the test's own; prints one NamesReport.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { DeviceAssignment } from '@vedette/contract/site.ts';
import { ScriptedSite } from '../contract/scripted-site.ts';
import { type CallClient, ServerUnderTest } from '../contract/server-under-test.ts';
import { HostileBroker } from '../peers/hostile-broker.ts';
import { HostileReceiver } from '../peers/hostile-receiver.ts';
import { NameServer, type ZoneAnswer } from '../peers/name-server.ts';
import { TurncoatCamera } from '../peers/turncoat-camera.ts';
import { FORBIDDEN, LINK_LOCAL, type NamedEnd, type NamesReport, PRIVATE, PUBLIC, TRAPS } from './changing-names.ts';
import { SiteProcess } from './site-process.ts';
import { SmtpSink } from './smtp-sink.ts';
import { waitFor } from './wait-for.ts';

const NAME_SERVER = '127.0.0.53';
const ACCOUNT = { user: 'admin', password: 'canary-camera-67' };
const ALARMS = 4;
const SILENT = ['silent-0.test', 'silent-1.test', 'silent-2.test', 'silent-3.test'];
const CHAIN = Array.from({ length: 8 }, (_, at) => `link-${at}.test`);
/** Loopback, link-local and private: names by the index of what they lead to. */
const LEADS = [...FORBIDDEN, PRIVATE];

/** `turn-3.test` changes between what is open and LEADS[3], `mixed-3.test` is both, `only-3.test` the latter, `chain-3.test` turns behind aliases. */
function zone(name: string, asked: number): ZoneAnswer | 'silent' | null {
  const [kind = '', index = ''] = name.replace('.test', '').split('-');
  if (kind === 'silent') return 'silent';
  if (kind === 'steady') return { addresses: [PUBLIC] };
  const bad = LEADS[Number(index)];
  if (bad === undefined) return null;
  const turned = { addresses: [asked % 2 === 1 ? PUBLIC : bad] };
  if (kind === 'turn') return turned;
  if (kind === 'chain') return { ...turned, through: CHAIN };
  if (kind === 'mixed') return { addresses: [PUBLIC, bad] };
  return kind === 'only' ? { addresses: [bad] } : null;
}

const namesOf = (kind: string, addresses: readonly string[]): string[] =>
  addresses.map((address) => `${kind}-${LEADS.indexOf(address as (typeof LEADS)[number])}.test`);

/** Listens beside a peer, at the same port of every address that nobody may be led to. */
class Traps {
  caught = 0;
  readonly #servers: Server[] = [];

  async listen(port: number, addresses: readonly string[]): Promise<this> {
    for (const address of addresses) {
      const server = createServer((socket) => {
        this.caught += 1;
        socket.destroy();
      });
      server.listen(port, address);
      await once(server, 'listening');
      this.#servers.push(server);
    }
    return this;
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }
}

const ok = ({ socket }: { socket: { end: (text: string) => void } }): void =>
  socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}');

async function startPeers() {
  for (const address of [PUBLIC, PRIVATE, LINK_LOCAL]) spawnSync('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo']);
  const names = await NameServer.listen(NAME_SERVER, zone);
  const [web, own, onvif] = await Promise.all([1, 2, 3].map(() => HostileReceiver.listen(ok, PUBLIC)));
  if (!web || !own || !onvif) throw new Error('no peers');
  const broker = await HostileBroker.listen({}, undefined, PUBLIC);
  const mail = await SmtpSink.start({ host: PUBLIC });
  const rtsp = await TurncoatCamera.listen(PUBLIC);
  // A camera may stand in a private network, and so may what an operator names.
  const notPrivate = TRAPS.filter((address) => address !== PRIVATE);
  const traps = {
    webhook: await new Traps().listen(web.port, TRAPS),
    mqtt: await new Traps().listen(broker.port, TRAPS),
    smtp: await new Traps().listen(mail.port, notPrivate),
    own: await new Traps().listen(own.port, TRAPS),
    rtsp: await new Traps().listen(rtsp.port, notPrivate),
    onvif: await new Traps().listen(onvif.port, notPrivate),
  };
  return { names, web, own, onvif, broker, mail, rtsp, traps };
}

type Peers = Awaited<ReturnType<typeof startPeers>>;

type Place = readonly [protocol: string, name: string, url: string];

function changingPlaces({ web, own, broker }: Peers): Place[] {
  const hooks = ['turn', 'mixed', 'only'].flatMap((kind) => namesOf(kind, LEADS));
  const turning = [...namesOf('turn', LEADS.slice(0, 4)), ...namesOf('mixed', LEADS.slice(0, 2))];
  return [
    ...[...hooks, 'chain-0.test', 'steady.test'].map((name): Place => ['webhook', name, `http://${name}:${web.port}/`]),
    ['own', 'steady.test', `http://steady.test:${own.port}/`],
    ...[...turning, 'chain-0.test', 'steady.test'].map(
      (name): Place => ['mqtt', name, `mqtt://${name}:${broker.port}`],
    ),
  ];
}

const silentPlaces = ({ web }: Peers): Place[] =>
  SILENT.map((name): Place => ['webhook', name, `http://${name}:${web.port}/`]);

/** Alarms of an account whose channels lead to all of these places at once. */
async function sendMessages(client: CallClient, site: ScriptedSite, places: readonly Place[]) {
  const target = `rtsp://192.0.2.${places.length}/1`;
  const { device } = await client.ok('device/add', { target, deviceName: 'Gate' });
  const channels: { protocol: string; name: string; channelId: string }[] = [];
  for (const [protocol, name, url] of places) {
    const kind = protocol === 'mqtt' ? 'mqtt' : 'webhook';
    const saved = await client.ok('alarm/channel/save', { kind, name, isEnabled: true, settings: { url } });
    channels.push({ protocol, name, channelId: saved.channel.channelId });
  }
  const actions = [{ kind: 'notify' as const, channelIds: channels.map(({ channelId }) => channelId) }];
  const when = { types: ['GlassBreak' as const], groups: [], leastSeverity: 'info' as const, sources: [] };
  await client.ok('alarm/rule/save', {
    name: 'R',
    isEnabled: true,
    ...when,
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions,
  });
  for (let count = 0; count < ALARMS; count++) {
    await site.tell(device.deviceSerial, { topic: 'tnsvdt:Alarm/GlassBreak', key: `k${count}`, phase: 'pulse' });
  }
  const ends: Record<string, NamedEnd[]> = {};
  for (const { protocol, name, channelId } of channels) {
    const list = await waitFor(
      `the messages to ${name}`,
      async () => {
        const { deliveryList } = await client.ok('alarm/delivery/list', { channelId });
        const isTried = deliveryList.every(({ state, reason }) => state !== 'waiting' || reason !== null);
        return deliveryList.length === ALARMS && isTried ? deliveryList : undefined;
      },
      120_000,
    );
    const told = list.map(({ state, reason }) => ({ name, end: reason ?? state, ms: 0 }));
    (ends[protocol] ??= []).push(...told);
  }
  return ends;
}

/** A message of another account that leads to a name which answers, again and again while look-ups of others hang. */
async function messagesMeanwhile(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
  await waitFor('a look-up that hangs', () => SILENT.some((name) => peers.names.lookups.has(name)));
  const settings = { url: `http://steady.test:${peers.web.port}/` };
  const { channel } = await operator.ok('alarm/channel/save', {
    kind: 'webhook',
    name: 'W',
    isEnabled: true,
    settings,
  });
  const ends: NamedEnd[] = [];
  for (let count = 0; count < 3; count++) {
    const startedMs = performance.now();
    const { isDone } = await operator.ok('alarm/channel/test', { channelId: channel.channelId });
    ends.push({ name: 'steady.test', end: isDone ? 'done' : 'failed', ms: performance.now() - startedMs });
  }
  return ends;
}

async function sendMails(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
  const led = [LINK_LOCAL, '0.0.0.0', '64:ff9b::7f00:1'];
  const names = [
    ...namesOf('turn', led),
    ...namesOf('mixed', led),
    ...namesOf('turn', led),
    'silent-9.test',
    'steady.test',
  ];
  const places = [...names.map((name) => [name, peers.mail.port] as const), ['steady.test', peers.own.port] as const];
  const ends: NamedEnd[] = [];
  for (const [index, [host, port]] of places.entries()) {
    const { config, version } = await operator.ok('system/account/get', {});
    const mail = { ...peers.mail.settings, host, port };
    await operator.ok('system/account/set', { config: { ...config, mail }, version });
    const startedMs = performance.now();
    const target = { kind: 'email' as const, value: `a${index}@example.org` };
    const { isSent, reason } = await operator.ok('system/account/test', { target: target.value });
    ends.push({
      name: port === peers.own.port ? 'own' : host,
      end: isSent ? 'done' : reason,
      ms: performance.now() - startedMs,
    });
  }
  return ends;
}

async function hearEvents(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
  const ends: NamedEnd[] = [];
  const names = [
    ...namesOf('turn', FORBIDDEN),
    ...namesOf('turn', FORBIDDEN),
    ...namesOf('mixed', FORBIDDEN),
    'steady.test',
  ];
  for (const name of names) {
    const { version } = await operator.ok('event/mqtt/get', {});
    const mqtt = { url: `mqtt://${name}:${peers.broker.port}`, user: '', topic: 'frigate', cameraList: [] };
    await operator.ok('event/mqtt/set', { mqtt, version });
    const end = await waitFor(`the broker at ${name}`, async () => {
      const { isConnected, problem } = await operator.ok('event/mqtt/get', {});
      return isConnected ? 'done' : problem || undefined;
    });
    ends.push({ name, end, ms: 0 });
  }
  const { version } = await operator.ok('event/mqtt/get', {});
  await operator.ok('event/mqtt/set', { mqtt: { url: '', user: '', topic: 'frigate', cameraList: [] }, version });
  return ends;
}

async function askCameras(site: SiteProcess, peers: Peers): Promise<Record<string, NamedEnd[]>> {
  const kinds = ['turn', 'mixed', 'only', 'turn'].flatMap((kind) => namesOf(kind, FORBIDDEN));
  const names = [...kinds, 'chain-0.test', 'chain-1.test', 'steady.test', 'silent-8.test'];
  const ends: Record<string, NamedEnd[]> = { rtsp: [], onvif: [], own: [] };
  const ask = async (protocol: string, name: string, target: string): Promise<void> => {
    const startedMs = performance.now();
    const { code, data } = await site.call('probe', { target, ...ACCOUNT, isOperator: false });
    const end = code === 200 ? 'done' : String((data as { reason?: string }).reason);
    ends[protocol]?.push({ name, end, ms: performance.now() - startedMs });
  };
  for (const name of names) {
    await ask('rtsp', name, `rtsp://${name}:${peers.rtsp.port}/live`);
    await ask('onvif', name, `http://${name}:${peers.onvif.port}/onvif/device_service`);
  }
  for (const scheme of ['rtsp', 'http']) await ask('own', 'steady.test', `${scheme}://steady.test:${peers.own.port}/`);
  return ends;
}

/** A device that was added while its name led to it, and whose name changes at each connection since. */
async function keepCamera(site: SiteProcess, peers: Peers): Promise<void> {
  const asked = { ...ACCOUNT, isOperator: false };
  const found = await site.ok('probe', { target: `rtsp://steady.test:${peers.rtsp.port}/live`, ...asked });
  const native = JSON.parse(
    JSON.stringify(found.native).replaceAll('steady.test', 'turn-0.test'),
  ) as typeof found.native;
  const channels = [
    { channelNo: 1, channelId: 'c1', record: { quality: 0, retentionDays: 1 }, backfillFrom: null } as const,
  ];
  const device: DeviceAssignment = {
    deviceSerial: 'TURN',
    driver: found.driver,
    native,
    ...ACCOUNT,
    isOperatorAddress: false,
    channels: [...channels],
  };
  const before = peers.names.lookups.get('turn-0.test') ?? 0;
  await site.ok('assign', { devices: [device], settings: site.settings });
  await waitFor(
    'the device to be looked up again and again',
    () => {
      peers.rtsp.hangUp();
      return (peers.names.lookups.get('turn-0.test') ?? 0) >= before + 6;
    },
    60_000,
  );
  await site.ok('assign', { devices: [], settings: site.settings });
}

async function main(): Promise<void> {
  const peers = await startPeers();
  const ports = { VEDETTE_PUBLIC_PORT: '8443', VEDETTE_OWN_PORTS: `8443,${peers.own.port}` };
  const server = await ServerUnderTest.start(ports);
  const site = await SiteProcess.create(ports);
  try {
    const operator = await server.setUp();
    const scripted = await ScriptedSite.dial(server);
    const accounts = ['guest', 'slow'];
    for (const username of accounts) await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
    const [guest, slow] = await Promise.all(accounts.map((name) => server.signIn(name, 'Secret-1')));
    if (!guest || !slow) throw new Error('no accounts');
    const [silent, messages, others] = await Promise.all([
      sendMessages(slow, scripted, silentPlaces(peers)),
      sendMessages(guest, scripted, changingPlaces(peers)),
      messagesMeanwhile(operator, peers),
    ]);
    const [smtp, heard] = [await sendMails(operator, peers), await hearEvents(operator, peers)];
    await scripted.hangUp();
    await site.serve();
    await site.start();
    const { own: ownPort = [], ...cameras } = await askCameras(site, peers);
    await keepCamera(site, peers);
    const { own = [], ...told } = messages;
    const ends = {
      ...told,
      silent: silent['webhook'] ?? [],
      smtp,
      mqttIn: heard,
      ...cameras,
      own: [...own, ...ownPort],
    };
    process.stdout.write(`${JSON.stringify({ ends, others, ...reached(peers) } satisfies NamesReport)}\n`);
  } finally {
    await Promise.all([site.stop(), server.stop()]);
  }
}

function reached({
  traps,
  web,
  own,
  onvif,
  broker,
  mail,
  rtsp,
  names,
}: Peers): Pick<NamesReport, 'dialled' | 'lookups'> {
  const counts = {
    webhook: web.sockets.length,
    own: own.sockets.length,
    onvif: onvif.sockets.length,
    mqtt: broker.lines.length,
    smtp: mail.mails.length,
    rtsp: rtsp.heard.length,
  };
  const protocols = Object.keys(counts) as (keyof typeof counts)[];
  const dialled = protocols.map((name) => [name, { peer: counts[name], traps: traps[name].caught }] as const);
  return { dialled: Object.fromEntries(dialled), lookups: Object.fromEntries(names.lookups) };
}

await main();
process.exit();
