// What is tried with changing names: messages, mail, events of a broker, and cameras, each at every name; answers what came of each.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { ScriptedSite } from '../contract/scripted-site.ts';
import type { CallClient } from '../contract/server-under-test.ts';
import { FORBIDDEN, LINK_LOCAL, type NamedEnd } from './changing-names.ts';
import { LEADS, namesOf, type Peers } from './name-peers.ts';
import type { SiteProcess } from './site-process.ts';
import { waitFor } from './wait-for.ts';

const ACCOUNT = { user: 'admin', password: 'canary-camera-67' };
const ALARMS = 4;
const SILENT = ['silent-0.test', 'silent-1.test', 'silent-2.test', 'silent-3.test'];

type Place = readonly [protocol: string, name: string, url: string];

export function changingPlaces({ web, own, broker }: Peers): Place[] {
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

export const silentPlaces = ({ web }: Peers): Place[] =>
  SILENT.map((name): Place => ['webhook', name, `http://${name}:${web.port}/`]);

/** Alarms of an account whose channels lead to all of these places at once. */
export async function sendMessages(client: CallClient, site: ScriptedSite, places: readonly Place[]) {
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
    await site.reportEvent(device.deviceSerial, { topic: 'tnsvdt:Alarm/GlassBreak', key: `k${count}`, phase: 'pulse' });
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
export async function messagesMeanwhile(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
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

export async function sendMails(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
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

export async function hearEvents(operator: CallClient, peers: Peers): Promise<NamedEnd[]> {
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

export async function askCameras(site: SiteProcess, peers: Peers): Promise<Record<string, NamedEnd[]>> {
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
export async function keepCamera(site: SiteProcess, peers: Peers): Promise<void> {
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
