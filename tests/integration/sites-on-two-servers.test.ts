// Two servers on one database with a line between them: a site may be connected to either, and answers calls of both.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceEvent, type FarHello, ScriptedSite } from '../contract/scripted-site.ts';
import { OPERATOR } from '../contract/server-under-test.ts';
import { LinkedServers } from '../harness/linked-servers.ts';
import { waitFor } from '../harness/wait-for.ts';

const MOTION = 'tns1:VideoSource/MotionAlarm';

let linked: LinkedServers;
let named: FarHello & { readonly id: string };
let site: ScriptedSite;
let deviceSerial: string;

beforeAll(async () => {
  linked = await LinkedServers.start();
  named = await linked.addSite('Harbour');
}, 120_000);
afterAll(async () => await linked?.stop());

async function isOnline(at: 0 | 1): Promise<boolean> {
  return (await linked.statusOf(at, named.id)) === 'online';
}

it('a site that is connected to one server answers calls of the other', async () => {
  site = await linked.dial(1, named);
  for (const at of [0, 1] as const) await waitFor(`server ${at} to know of it`, async () => await isOnline(at));
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Crane', siteId: named.id };
  ({ deviceSerial } = (await linked.operators[0].ok('device/add', order)).device);
  expect(site.probed.map(({ target }) => target)).toEqual(['rtsp://192.0.2.1/1']);
  await waitFor('the assignment', () => site.assigned.has(deviceSerial));
}, 60_000);

it('errors of the site and of its device pass unchanged, and its time runs out as at the server that has it', async () => {
  const refusal = { code: 2316, data: { reason: 'deviceAuth' } };
  site.refusals.set('reboot', refusal);
  const refused = await Promise.all(
    linked.operators.map(async (one) => await one.call('device/reboot', { deviceSerial })),
  );
  expect(refused.map(({ code, data }) => ({ code, data }))).toEqual([refusal, refusal]);
  site.refusals.clear();
  site.silent.add('reboot');
  const late = await Promise.all(
    linked.operators.map(async (one) => await one.call('device/reboot', { deviceSerial })),
  );
  const timeout = { code: 2317, data: { reason: 'timeout' } };
  expect(late.map(({ code, data }) => ({ code, data }))).toEqual([timeout, timeout]);
  site.silent.clear();
  for (const one of linked.operators) await one.ok('device/reboot', { deviceSerial });
}, 60_000);

it('what is changed at either server is brought to the site, and what was changed while the line was cut', async () => {
  const setReserve = async (reserveBytes: number): Promise<void> => {
    const { config, version } = await linked.operators[0].ok('system/config/get', {});
    const changed = { ...config, storage: { ...config.storage, reserveBytes } };
    await linked.operators[0].ok('system/config/set', { config: changed, version });
  };
  const isTold = (reserveBytes: number) => () => site.settings?.storage.reserveBytes === reserveBytes;
  await setReserve(1_000_000_001);
  await waitFor('the settings', isTold(1_000_000_001));
  await linked.gateways[1]?.stop();
  await waitFor('the loss of the line', () => linked.hasLogged(0, 'the line to another server is lost'));
  await setReserve(1_000_000_002);
  expect(isTold(1_000_000_002)()).toBe(false);
  const lines = linked.servers[0].log.length;
  await linked.restartGateway(1);
  await waitFor('the line again', () => linked.hasLogged(0, 'another server is connected', lines));
  await waitFor('what was missed', isTold(1_000_000_002));
}, 60_000);

it('a session that ends at one server ends its tickets at a site of the other', async () => {
  const { username, password } = OPERATOR;
  const session = await linked.servers[0].signIn(username, password);
  await session.ok('capture/get', { deviceSerial, channelNo: 1 });
  const [ticketId = ''] = [...site.tickets.keys()].slice(-1);
  await session.ok('account/logout', {});
  await waitFor('the ticket to end', () => site.revoked.some((one) => one.ticketId === ticketId));
}, 60_000);

it('a site that dials the other server is called there by both, and its former connection ends', async () => {
  const former = site;
  site = await linked.dial(0, named, former);
  await former.closed;
  for (const one of linked.operators) {
    const before = site.asks('reboot');
    await one.ok('device/reboot', { deviceSerial });
    expect(site.asks('reboot')).toBe(before + 1);
  }
  expect(await Promise.all([isOnline(0), isOnline(1)])).toEqual([true, true]);
}, 60_000);

it('a frozen server that thaws stores nothing of a site that went elsewhere', async () => {
  const motion = (key: string) => deviceEvent(deviceSerial, { topic: MOTION, key, eventId: key });
  const [frozen] = linked.servers;
  const former = site;
  process.kill(frozen.processId, 'SIGSTOP');
  try {
    former.report(motion('told to the frozen one'));
    site = await linked.dial(1, named, former);
    await waitFor('the other to have it', async () => await isOnline(1));
    await site.reportStored(motion('told to the other'));
  } finally {
    process.kill(frozen.processId, 'SIGCONT');
  }
  await former.closed;
  expect(former.acknowledged).toEqual([]);
  await waitFor('the frozen one to know', async () => await isOnline(0));
  const { rows } = await sql<{ event_id: string }>`
    select event_id from taken_event where event_id like 'told to%'`.execute(linked.connection.database);
  expect(rows).toEqual([{ event_id: `told to the other ${named.id}` }]);
  await linked.operators[0].ok('device/reboot', { deviceSerial });
}, 60_000);

it('a call waits for a site that is about to be back, and one that is connected nowhere is away at once', async () => {
  await site.hangUp();
  await waitFor('both to know', async () => !(await isOnline(0)) && !(await isOnline(1)));
  const waiting = linked.operators[0].call('device/reboot', { deviceSerial });
  site = await linked.dial(1, named, site);
  expect((await waiting).code).toBe(200);
  await site.hangUp();
  const away = { code: 2317, data: { reason: 'siteAway' } };
  expect(await linked.operators[0].call('device/reboot', { deviceSerial })).toMatchObject(away);
  const from = performance.now();
  expect(await linked.operators[0].call('device/reboot', { deviceSerial })).toMatchObject(away);
  expect(performance.now() - from).toBeLessThan(2000);
}, 60_000);

it('the local site is the one beside the first server, and the second one hands its own no cameras', async () => {
  const local = await ScriptedSite.dial(linked.servers[0]);
  const target = 'rtsp://192.0.2.9/1';
  const { device } = await linked.operators[1].ok('device/add', { target, deviceName: 'Door' });
  expect(local.probed.map((one) => one.target)).toEqual([target]);
  await waitFor('its assignment', () => local.assigned.has(device.deviceSerial));
  const beside = await ScriptedSite.dial(linked.servers[1]);
  await waitFor('an assignment', () => beside.settings !== null);
  await linked.operators[1].ok('device/reboot', { deviceSerial: device.deviceSerial });
  expect([local.asks('reboot'), beside.asks('reboot'), beside.assigned.size]).toEqual([1, 0, 0]);
  await beside.hangUp();
  await local.hangUp();
}, 60_000);

it('a killed server loses its sites to the other one, where they answer at once', async () => {
  const [killed] = linked.servers;
  site = await linked.dial(0, named, site);
  await waitFor('the other to know', async () => await isOnline(1));
  const lines = linked.servers[1].log.length;
  await killed.end('SIGKILL');
  await site.closed;
  const from = performance.now();
  site = await linked.dial(1, named, site);
  await linked.operators[1].ok('device/reboot', { deviceSerial });
  process.stdout.write(`callable again after ${Math.round(performance.now() - from)} ms\n`);
  const since = killed.log.length;
  await killed.run();
  await waitFor(
    'the lines again',
    () =>
      linked.hasLogged(1, 'another server is connected', lines) &&
      linked.hasLogged(0, 'another server is connected', since),
  );
  await waitFor('it to know the site', async () => await isOnline(0));
  await linked.operators[0].ok('device/reboot', { deviceSerial });
}, 120_000);

it('a site that is deleted at one server is let go by the other', async () => {
  const gone = await linked.addSite('Pier');
  const scripted = await linked.dial(1, gone);
  await waitFor('both to know', async () => (await linked.statusOf(0, gone.id)) === 'online');
  await linked.operators[0].ok('site/delete', { siteId: gone.id });
  await scripted.closed;
}, 60_000);
