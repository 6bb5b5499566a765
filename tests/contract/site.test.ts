// Several sites at one server: each sees and reports its own devices alone, and who may use which.
import { once } from 'node:events';
import type { ServerToSite, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { waitFor } from '../harness/wait-for.ts';
import { candidateAt } from './candidate-at.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let local: ScriptedSite;
let siteId: string;
let siteSerial: string;
/** Of the remote site. */
let socket: WebSocket;
const heard: Extract<ServerToSite, { type: 'call' }>[] = [];
/** Calls that the remote site answers once the test lets it. */
const held = new Map<string, Promise<void>>();
/** Tickets that it says it has. */
const ticketIds: string[] = [];
/** At the remote site, and beside the server. */
let farSerial: string;
let nearSerial: string;

const OUTSIDE = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-vedette-loopback': '0' };
const CREDENTIAL = 'c'.repeat(43);

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  local = await ScriptedSite.dial(server);
  const { site, registrationCode } = await operator.ok('site/add', { siteName: 'Harbour' });
  ({ siteId, serial: siteSerial } = site);
  await dial(site.serial, registrationCode);
  await waitFor('the far site', async () => (await statusOf()) === 'online');
  const add = async (target: string, at: object) =>
    (await operator.ok('device/add', { target, deviceName: 'Camera', ...at })).device.deviceSerial;
  nearSerial = await add('rtsp://192.0.2.1/1', {});
  farSerial = await add('rtsp://192.0.2.2/1', { siteId });
});

afterAll(async () => {
  socket?.terminate();
  await server?.stop();
});

async function dial(serial: string, code: string): Promise<void> {
  socket = server.webSocket('/site', OUTSIDE);
  socket.on('message', (raw: Buffer) => void answer(JSON.parse(raw.toString('utf8')) as ServerToSite));
  await once(socket, 'open');
  const addresses = ['192.168.7.7', 'nonsense'];
  const said = { siteId: serial, secret: CREDENTIAL, code, version: '9.9', addresses };
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, ...said }));
}

async function answer(message: ServerToSite): Promise<void> {
  if (message.type !== 'call') return;
  heard.push(message);
  await held.get(message.name);
  const { id, name, input } = message;
  const data =
    name === 'probe'
      ? candidateAt((input as { target: string }).target)
      : name === 'tickets'
        ? { ticketIds }
        : name === 'exportStatus'
          ? { exports: [] }
          : name === 'revoke'
            ? { closed: 0 }
            : {};
  socket.send(JSON.stringify({ type: 'answer', id, code: 200, data }));
}

async function statusOf(): Promise<string | undefined> {
  return (await operator.ok('site/list', {})).siteList.find((site) => site.siteId === siteId)?.status;
}

const report = (seq: number, event: SiteEvent): void => socket.send(JSON.stringify({ type: 'event', seq, event }));

it("each site is assigned its own devices, and calls are routed to the device's site", async () => {
  const assigned = heard.filter(({ name }) => name === 'assignOne').map(({ input }) => input);
  expect(assigned).toEqual([expect.objectContaining({ deviceSerial: farSerial })]);
  expect([...local.assigned.keys()]).toEqual([nearSerial]);
  await operator.ok('keyframe/invoke', { deviceSerial: farSerial, channelNo: 1 });
  expect(heard.at(-1)).toMatchObject({ name: 'keyframe', input: { deviceSerial: farSerial } });
  expect((await operator.ok('site/list', {})).siteList).toMatchObject([
    { siteId: 'local', isLocal: true, cameraTotal: 1 },
    { siteId, siteName: 'Harbour', version: '9.9', address: '203.0.113.9', cameraTotal: 1 },
  ]);
});

it('events of a site about a device of another site are dropped', async () => {
  const status = { kind: 'deviceStatus', status: 1, reason: null, at: Date.now() } as const;
  report(1, { ...status, deviceSerial: nearSerial });
  report(2, { ...status, deviceSerial: farSerial });
  const statusOfDevice = async (deviceSerial: string) =>
    (await operator.ok('device/get', { deviceSerial })).device.status;
  await waitFor('its own', async () => (await statusOfDevice(farSerial)) === 1);
  expect(await statusOfDevice(nearSerial)).toBe(-1);
});

it('[ST-06] [LV-08] a live stream of a remote camera gets a relay ticket, recordings and direct media a ticket of the site', async () => {
  const dev = { deviceSerial: farSerial, channelNo: 1 };
  const { p2pUrl, forwardUrl, ticket } = await operator.ok('media/url', { ...dev, codecs: ['h264'] });
  expect(forwardUrl).toBe(`ws://localhost:8443/media/live#${ticket}`);
  expect(p2pUrl).toMatch(new RegExp(`^http://localhost:8443/media/whep/far-${siteId}-`));
  const live = [...local.tickets.values()].find(({ kind }) => kind === 'live');
  expect(live).toMatchObject({ siteId, deviceSerial: farSerial });
  expect(heard.at(-1)).toMatchObject({ name: 'ticket', input: { grants: [{ kind: 'whep' }] } });
  expect((await operator.ok('capture/get', dev)).url).toContain(`/media/snapshot/far-${siteId}-`);
  expect(await operator.ok('nat/factor', { deviceSerial: farSerial })).toMatchObject({ mode: 2, factor: 40 });
  socket.send(JSON.stringify({ type: 'direct', at: 1, isConnected: false }));
  await waitFor('the try', async () => (await operator.ok('nat/factor', { deviceSerial: farSerial })).mode === 3);
  const again = await operator.ok('media/url', dev);
  expect(again.p2pUrl).toBe(again.forwardUrl);
  const { natList } = await operator.ok('nat/list', {});
  expect(natList.map(({ deviceSerial, mode }) => [deviceSerial, mode]).toSorted()).toEqual(
    [
      [nearSerial, 0],
      [farSerial, 3],
    ].toSorted(),
  );
});

it('[DM-01] devices of a CSV file are probed and added in the network of the chosen site', async () => {
  const csv = 'name,address\nPier,rtsp://192.0.2.1/1\nQuay,rtsp://192.0.2.41/1';
  const dryRun = async (at: object) => (await operator.ok('device/import', { csv, ...at })).import.rowList;
  // The same address in another network is another device.
  expect((await dryRun({})).map(({ code }) => code)).toEqual([2024, null]);
  expect((await dryRun({ siteId })).map(({ code }) => code)).toEqual([null, null]);
  const quay = 'name,address\nQuay,rtsp://192.0.2.41/1';
  for (const mode of ['check', 'apply'] as const) {
    const probes = () => heard.filter(({ name }) => name === 'probe').length;
    const before = probes();
    const begun = (await operator.ok('device/import', { csv: quay, mode, siteId })).import;
    const status = async () => (await operator.ok('device/import/status', { task: begun.task ?? '' })).import;
    await waitFor('the import to end', async () => (await status())?.state === 'finished');
    expect((await status())?.rowList.map(({ state }) => state)).toEqual([mode === 'check' ? 'ready' : 'added']);
    expect(probes()).toBe(before + 1);
  }
  expect(local.probed.some(({ target }) => target.includes('192.0.2.41'))).toBe(false);
  const [added] = (await operator.ok('device/list', { keyWord: 'Quay' })).deviceList;
  await waitFor('it to be handed over', () =>
    heard.some(({ name, input }) => name === 'assignOne' && JSON.stringify(input).includes(added?.deviceSerial ?? '-')),
  );
});

it('[SE-20] another account neither sees nor uses the site, nor scans its network', async () => {
  await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
  const stranger = await server.signIn('stranger', 'Secret-1');
  expect((await stranger.ok('site/list', {})).siteList.map((site) => site.siteId)).toEqual(['local']);
  const target = 'rtsp://192.0.2.9/1';
  expect((await stranger.call('device/probe', { target, siteId })).code).toBe(1007);
  expect((await stranger.call('device/add', { target, siteId, deviceName: 'Theirs' })).code).toBe(1007);
  expect((await stranger.call('device/discover', { siteId })).code).toBe(1007);
  expect((await stranger.call('device/import', { csv: `address\n${target}`, siteId })).code).toBe(1007);
  expect((await stranger.call('site/add', { siteName: 'Mine' })).code).toBe(1004);
  expect((await stranger.call('nat/factor', { deviceSerial: farSerial })).code).toBe(1009);
  expect((await stranger.ok('nat/list', {})).total).toBe(0);
});

it('checking a file reports when its site is offline', async () => {
  const csv = 'name,address\nBuoy,rtsp://192.0.2.51/1';
  const isAway = async () => (await operator.ok('device/import', { csv, siteId })).import.isSiteAway;
  expect(await isAway()).toBe(false);
  socket.terminate();
  await waitFor('the site to be missed', async () => (await statusOf()) !== 'online');
  expect(await isAway()).toBe(true);
});

it('settings changed while a site connects reach it, and later changes reach each online site', async () => {
  const setNetworks = async (...cameraNetworks: string[]): Promise<void> => {
    const { config, version } = await operator.ok('system/config/get', {});
    await operator.ok('system/config/set', { config: { ...config, network: { cameraNetworks } }, version });
  };
  const isTold = (of: string) => heard.some((call) => JSON.stringify(call.input).includes(of));
  const { promise, resolve: take } = Promise.withResolvers<void>();
  held.set('assign', promise);
  const before = heard.length;
  await dial(siteSerial, '');
  await waitFor('its assignment', () => heard.slice(before).some(({ name }) => name === 'assign'));
  await setNetworks('198.51.100.0/24');
  expect(isTold('198.51.100.0')).toBe(false);
  take();
  await waitFor('the settings of meanwhile', () => isTold('198.51.100.0'));
  await waitFor('the site', async () => (await statusOf()) === 'online');
  await setNetworks('203.0.113.0/24');
  expect(isTold('203.0.113.0')).toBe(true);
});

it('[SE-33] rights withdrawn while a site connects end there, even after its tickets were checked', async () => {
  const received = async <N extends 'ticket' | 'revoke'>(name: N, since: number) => {
    const call = await waitFor(name, () => heard.slice(since).find((one) => one.name === name));
    return call.input as SiteCalls[N]['input'];
  };
  const watching = async () => {
    const session = await server.signIn(OPERATOR.username, OPERATOR.password);
    const since = heard.length;
    await session.ok('capture/get', { deviceSerial: farSerial, channelNo: 1 });
    const { grants } = await received('ticket', since);
    return { session, ids: grants.map(({ ticketId }) => ticketId) };
  };
  const [first, second] = [await watching(), await watching()];
  ticketIds.push(...first.ids, ...second.ids);
  socket.terminate();
  await waitFor('the site to be missed', async () => (await statusOf()) !== 'online');
  await first.session.ok('account/logout', {});
  const { promise, resolve: revoke } = Promise.withResolvers<void>();
  held.set('revoke', promise);
  const since = heard.length;
  await dial(siteSerial, '');
  expect((await received('revoke', since)).ticketIds).toEqual(first.ids);
  // One beside the server shows that the withdrawal has been heard.
  await second.session.ok('capture/get', { deviceSerial: nearSerial, channelNo: 1 });
  const near = [...local.tickets.keys()].at(-1) ?? '';
  await second.session.ok('account/logout', {});
  await waitFor('the withdrawal', () => !local.tickets.has(near));
  revoke();
  const isToldOf = (ticketId: string | undefined) =>
    heard.slice(since).some(({ name, input }) => name === 'revoke' && JSON.stringify(input).includes(ticketId ?? '-'));
  await waitFor('the second', () => isToldOf(second.ids[0]), 2000);
});
