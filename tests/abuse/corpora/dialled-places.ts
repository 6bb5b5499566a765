// Inner addresses, given to every call that dials what it is told while one waits: nothing on this machine is connected to.
import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, isIP } from 'node:net';
import type { ApiClient } from '../../harness/api-client.ts';
import type { AttackTarget } from '../attack.ts';
import { newTenant } from '../tenants.ts';
import { type Attempts, forEachInLanes, spread } from './attempts.ts';
import { HERE_HOSTS, INSIDE_HOSTS } from './inner-addresses.ts';

/** Answers whether somebody was reached there. */
type Place = (url: string) => Promise<boolean>;

const STORE = { region: 'eu-1', bucket: 'b', isPathStyle: true, accessKey: 'K', secretKey: 'secret', prefix: 'p' };
const DIRECTORY = {
  security: 'plain',
  authority: '',
  searchBase: 'dc=example',
  userFilter: '(uid={username})',
  idAttribute: 'entryUUID',
  nameAttribute: 'uid',
  mailAttribute: 'mail',
  groupsBy: 'memberOf',
  groupBase: '',
};
const CHANNELS = ['webhook', 'slack', 'ntfy'] as const;
/** So many messages of an account are tried within a minute. */
const TRIED_BY_ACCOUNT = 15;
const CAMERA_SCHEMES = ['http', 'rtsp', 'https'];

/** Messages of accounts, which lead neither here nor inside. Answers hosts that were not refused as addresses. */
async function messagesTo(place: AttackTarget, hosts: readonly string[], port: number): Promise<string[]> {
  const reached: string[] = [];
  let tenant: ApiClient | null = null;
  for (const [at, host] of hosts.entries()) {
    if (tenant === null || at % TRIED_BY_ACCOUNT === 0) tenant = (await newTenant(place)).client;
    const kind = CHANNELS[at % CHANNELS.length] ?? 'webhook';
    const settings = { url: `http://${host}:${port}/${kind}` };
    const { channel } = await tenant.ok('alarm/channel/save', { kind, name: 'Inside', isEnabled: true, settings });
    const { reason } = await tenant.ok('alarm/channel/test', { channelId: channel.channelId });
    if (reason !== 'address') reached.push(`${kind} ${host}: ${reason ?? 'done'}`);
    await tenant.ok('alarm/channel/delete', { channelId: channel.channelId });
  }
  return reached;
}

/** Cameras of an account, and what the operator names, may be inside: they lead not here. */
function herePlaces(tenant: ApiClient, operator: ApiClient): Record<string, Place> {
  const isReached = async (client: ApiClient, path: string, input: object): Promise<boolean> =>
    (await client.raw(path, input)).code === 200;
  const probes = CAMERA_SCHEMES.map((scheme): [string, Place] => [
    `device/probe ${scheme}`,
    (url) =>
      isReached(tenant, 'device/probe', { target: url.replace('http:', `${scheme}:`), user: 'u', password: 'p' }),
  ]);
  const bucket = (url: string) => ({ ...STORE, endpoint: url.replace(/\/$/u, '') });
  return {
    ...Object.fromEntries(probes),
    'cloud/store/probe': (url) => isReached(operator, 'cloud/store/probe', bucket(url)),
    'backup/plan/probe': (url) =>
      isReached(operator, 'backup/plan/probe', { target: { kind: 'bucket', ...bucket(url) } }),
  };
}

/** Providers of identities may stand on this machine (decision 90), and not at a port of the product. */
function ownPortPlaces(operator: ApiClient): Record<string, Place> {
  const isAsked = async (input: object): Promise<boolean> => {
    const { code, data } = await operator.raw('identity/provider/test', input);
    return code === 200 && (data as { reason: unknown }).reason !== 'identityRefusedAddress';
  };
  return {
    'identity/provider/test': (url) => isAsked({ issuer: url.replace('http:', 'https:') }),
    'identity/provider/test ldap': async (url) => {
      const host = url.slice('http://'.length, -1);
      // A directory is no web address: what a browser reads as an address may be a name that nobody has here.
      const input = { clientId: 'u', clientSecret: 'p', directory: { ...DIRECTORY, hosts: [host] } };
      return (await isAsked(input)) && (await leadsSomewhere(host.replace(/:\d+$/u, '')));
    },
  };
}

async function leadsSomewhere(host: string): Promise<boolean> {
  const name = host.replace(/^\[(.*)\]$/u, '$1');
  if (isIP(name) !== 0) return true;
  return await lookup(name).then(
    () => true,
    () => false,
  );
}

export async function dialledPlaces(place: AttackTarget): Promise<Attempts> {
  const { client: tenant } = await newTenant(place);
  const trap = createServer((socket) => socket.destroy());
  let caught = 0;
  trap.on('connection', () => {
    caught += 1;
  });
  trap.listen(0);
  await once(trap, 'listening');
  const { port } = trap.address() as AddressInfo;
  const broken: string[] = [];
  const places = herePlaces(tenant, place.owner);
  const ownPlaces = ownPortPlaces(place.owner);
  const ownPort = new URL(place.url).port;
  try {
    broken.push(...(await messagesTo(place, spread([...HERE_HOSTS, ...INSIDE_HOSTS], place), port)));
    for (const [name, isReached] of Object.entries(places)) {
      await forEachInLanes(spread(HERE_HOSTS, place), async (host) => {
        if (await isReached(`http://${host}:${port}/`)) broken.push(`${name} took ${host}`);
      });
      if (caught > 0) broken.push(`${caught} connections to this machine until ${name}`);
      caught = 0;
    }
    for (const [name, isReached] of Object.entries(ownPlaces)) {
      await forEachInLanes(spread(HERE_HOSTS, place), async (host) => {
        if (await isReached(`http://${host}:${ownPort}/`)) broken.push(`${name} took ${host}`);
      });
    }
  } finally {
    trap.close();
  }
  const names = [...CHANNELS, ...Object.keys({ ...places, ...ownPlaces })].join(', ');
  return { tried: `${HERE_HOSTS.length + INSIDE_HOSTS.length} inner hosts at ${names}`, broken };
}
