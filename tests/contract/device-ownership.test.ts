// Device ownership: proven by the device's acceptance of credentials. A serial reported by a foreign camera blocks and informs nobody.
import { once } from 'node:events';
import type { ServerToSite } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { candidateAt } from './candidate-at.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const PASSWORD = 'Secret-1';
const SUFFIXED = (serial: string): RegExp => new RegExp(`^${serial}[0-9A-Z]{6}$`, 'u');

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let squatter: CallClient;
let number = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  [owner, squatter] = [await tenant('owner'), await tenant('squatter')];
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});
beforeEach(async () => {
  await runSql(server, 'delete from attempt');
  site.shutOut.clear();
  site.refusals.clear();
});

async function tenant(username: string): Promise<CallClient> {
  await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return await server.signIn(username, PASSWORD);
}

/** A serial that no other test uses, and places where ONVIF devices report it. */
function shared(places: number): { serial: string; hosts: string[] } {
  number += 1;
  const serial = `CAM${String(number).padStart(6, '0')}`;
  return { serial, hosts: Array.from({ length: places }, (_, at) => reporting(serial, `198.51.${number}.${at}`)) };
}

function reporting(deviceSerial: string, host: string): string {
  const native = { url: `http://${host}/onvif/device_service`, keepHost: true };
  site.candidateOverrides.set(host, { deviceSerial, driver: 'onvif', native, address: host });
  return host;
}

const add = (client: CallClient, host = '', more: { siteId?: string } = {}) =>
  client.call('device/add', { target: `http://${host}`, user: 'admin', password: host, deviceName: 'Gate', ...more });
const added = async (client: CallClient, host = '', more: { siteId?: string } = {}) => {
  const { code, data } = await add(client, host, more);
  expect(code).toBe(200);
  return (data as { device: { deviceSerial: string; reportedSerial?: string } }).device;
};

describe('[SE-34] a serial registered by another account', () => {
  it('at another address blocks nobody: each account has its own device, and the other is unchanged', async () => {
    const { serial, hosts } = shared(2);
    const before = await added(squatter, hosts[0]);
    expect(before).toMatchObject({ deviceSerial: serial });
    expect(before).not.toHaveProperty('reportedSerial');
    const assigned = structuredClone(site.assigned.get(serial));
    const mine = await added(owner, hosts[1]);
    expect(mine).toMatchObject({ deviceSerial: expect.stringMatching(SUFFIXED(serial)), reportedSerial: serial });
    expect(site.assigned.get(mine.deviceSerial)).toMatchObject({ password: hosts[1] });
    expect((await squatter.ok('device/get', { deviceSerial: serial })).device).toEqual(before);
    expect(site.assigned.get(serial)).toEqual(assigned);
    expect((await owner.call('device/get', { deviceSerial: serial })).code).toBe(1009);
    expect((await add(owner, hosts[1])).code).toBe(2024);
    expect((await add(squatter, hosts[0])).code).toBe(2024);
    expect(site.asked, 'nobody else is asked').not.toContain(serial);
  });

  it('keeps its suffix when deleted and added again, and the plain serial when that is free', async () => {
    const { serial, hosts } = shared(2);
    await added(squatter, hosts[0]);
    const first = await added(owner, hosts[1]);
    await owner.ok('device/delete', { deviceSerial: first.deviceSerial });
    expect((await added(owner, hosts[1])).deviceSerial).toBe(first.deviceSerial);
    await owner.ok('device/delete', { deviceSerial: first.deviceSerial });
    await squatter.ok('device/delete', { deviceSerial: serial });
    expect((await added(owner, hosts[1])).deviceSerial).toBe(serial);
  });

  it('is found by the whole serial on its label, even where the suffixed name truncates it', async () => {
    const serial = '6J0C6C5PAG1234567890';
    await added(squatter, reporting(serial, '198.51.100.21'));
    const { deviceSerial } = await added(owner, reporting(serial, '198.51.100.22'));
    expect(deviceSerial).toMatch(/^6J0C6C5PAG1234[0-9A-Z]{6}$/u);
    for (const keyWord of [serial, 'pag1234567', '90', deviceSerial]) {
      const { deviceList } = await owner.ok('device/list', { keyWord });
      expect(
        deviceList.map((device) => device.deviceSerial),
        keyWord,
      ).toEqual([deviceSerial]);
      const { hitList } = await owner.ok('org/search', { keyWord });
      expect(
        hitList.filter(({ type }) => type === 'device'),
        keyWord,
      ).toHaveLength(1);
    }
  });

  it('at the same address answers 1008 while the device accepts the other account, and 200 after that', async () => {
    const { serial, hosts } = shared(1);
    await added(squatter, hosts[0]);
    expect(await add(owner, hosts[0])).toMatchObject({ code: 1008, data: null });
    expect(await add(owner, `${hosts[0]}:80/onvif/device_service`), 'written another way').toMatchObject({
      code: 1008,
    });
    site.shutOut.add(serial);
    const mine = await added(owner, hosts[0]);
    expect(mine.deviceSerial).toMatch(SUFFIXED(serial));
    expect((await squatter.ok('device/get', { deviceSerial: serial })).device.deviceName).toBe('Gate');
    expect((await add(squatter, hosts[0])).code, 'its own stays').toBe(2024);
    const third = await tenant('third');
    expect((await add(third, hosts[0])).code, 'it is the owner who is let in now').toBe(1008);
  });

  it.each([
    ['does not answer in time', { code: 2317, data: { reason: 'timeout' } }],
    ['shows another certificate to it', { code: 2316, data: { reason: 'untrusted' } }],
  ])('at the same address answers 200 where the device %s', async (_title, refusal) => {
    const { hosts } = shared(1);
    await added(squatter, hosts[0]);
    site.refusals.set('admits', refusal);
    await added(owner, hosts[0]);
  });

  it('is revealed only to accounts the device accepts', async () => {
    const { hosts } = shared(1);
    await added(squatter, hosts[0]);
    site.refusals.set('probe', { code: 2316, data: { reason: 'deviceAuth' } });
    const free = await add(owner, reporting('FREE0001', '198.51.100.200'));
    expect(await add(owner, hosts[0])).toEqual(free);
    expect(free).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
  });

  it('is revealed by a suffix twenty times an hour at most: after that free serials get one too', async () => {
    const prober = await tenant('prober');
    for (let at = 0; at < 20; at += 1) {
      const { serial, hosts } = shared(2);
      await added(squatter, hosts[0]);
      expect((await added(prober, hosts[1])).deviceSerial).toMatch(SUFFIXED(serial));
    }
    const free = shared(1);
    expect((await added(prober, free.hosts[0])).deviceSerial).toMatch(SUFFIXED(free.serial));
    expect((await add(prober, free.hosts[0])).code).toBe(2024);
    const other = shared(1);
    expect((await added(owner, other.hosts[0])).deviceSerial, 'another asker').toBe(other.serial);
  });

  it('of a shared device answers 2029 at its address alone', async () => {
    const { serial, hosts } = shared(2);
    await added(squatter, hosts[0]);
    const offer = { account: 'owner', items: [{ deviceSerial: serial }], permission: ['videoView' as const] };
    await owner.ok('share/accept', { shareId: (await squatter.ok('share/add', offer)).shareId });
    expect((await add(owner, hosts[0])).code).toBe(2029);
    expect((await added(owner, hosts[1])).deviceSerial).toMatch(SUFFIXED(serial));
  });

  it('of parallel additions one wins, and the others get the reason', async () => {
    const { serial, hosts } = shared(12);
    const all = await Promise.all(hosts.map((host, at) => add(at % 2 === 0 ? squatter : operator, host)));
    const names = all.flatMap(({ data }) => (data as { device?: { deviceSerial: string } } | null)?.device ?? []);
    // One's own that reports the serial of another of one's own may be the same at a new address.
    expect(all.map(({ code }) => code).filter((code) => code !== 2024)).toEqual([200, 200]);
    expect(names.map(({ deviceSerial }) => deviceSerial).sort()).toEqual([
      serial,
      expect.stringMatching(SUFFIXED(serial)),
    ]);
    const place = shared(1);
    const raced = await Promise.all(
      Array.from({ length: 12 }, (_, at) => add([owner, squatter, operator][at % 3] as CallClient, place.hosts[0])),
    );
    const codes = raced.map(({ code }) => code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 1008)).toHaveLength(8);
    expect(codes.filter((code) => code === 2024)).toHaveLength(3);
  });
});

describe('[SE-34] other ways to add a device', () => {
  const HEADER = 'serial,name,address,user,password';
  async function finished(client: CallClient, task: string | null) {
    const read = async () => (await client.ok('device/import/status', { task: task ?? '' })).import;
    await waitFor('the import to end', async () => (await read())?.state !== 'running');
    return (await read())?.rowList ?? [];
  }

  it('a CSV file naming a serial of another account learns nothing and takes nothing', async () => {
    const { serial, hosts } = shared(3);
    await added(squatter, hosts[0]);
    const csv = [HEADER, `${serial},One,${hosts[1]}:80,u,p`, `FREE0002,Two,198.51.100.7:80,u,p`].join('\n');
    const { import: dry } = await owner.ok('device/import', { csv });
    expect(dry.rowList.map(({ state, code }) => [state, code])).toEqual([
      ['ready', null],
      ['ready', null],
    ]);
    const begun = await owner.ok('device/import', { csv, mode: 'apply', isProbed: false });
    const rows = await finished(owner, begun.import.task);
    expect(rows.map(({ state, deviceSerial }) => [state, deviceSerial])).toEqual([
      ['added', expect.stringMatching(SUFFIXED(serial))],
      ['added', 'FREE0002'],
    ]);
    const again = (await owner.ok('device/import', { csv })).import.rowList;
    expect(again.map(({ code }) => code)).toEqual([2024, 2024]);
  });

  it('a CSV file whose devices are probed follows the same rule', async () => {
    const { serial, hosts } = shared(2);
    await added(squatter, hosts[0]);
    const same = shared(1);
    await added(squatter, same.hosts[0]);
    const csv = ['name,address', `Same,http://${same.hosts[0]}`, `Elsewhere,http://${hosts[1]}`].join('\n');
    const checked = await finished(owner, (await owner.ok('device/import', { csv, mode: 'check' })).import.task);
    expect(checked.map(({ code, deviceSerial }) => [code, deviceSerial])).toEqual([
      [1008, null],
      [null, serial],
    ]);
    const rows = await finished(owner, (await owner.ok('device/import', { csv, mode: 'apply' })).import.task);
    expect(rows.map(({ code, state }) => [code, state])).toEqual([
      [1008, 'failed'],
      [null, 'added'],
    ]);
  });

  it('a registration code belongs to its device, also by the serial on the label', async () => {
    const { serial, hosts } = shared(2);
    await added(squatter, hosts[0]);
    const { deviceSerial } = await added(owner, hosts[1]);
    await squatter.ok('device/code', { deviceSerial: serial });
    const { registrationCode } = await owner.ok('device/code', { deviceSerial });
    const taker = await tenant('taker');
    const code = registrationCode.replaceAll('-', '');
    const claim = (named: string) =>
      taker.call('device/add', { deviceSerial: named, registrationCode: code, deviceName: 'Taken' });
    expect((await claim('CAM999999')).code).toBe(1009);
    const taken = await claim(serial);
    expect(taken).toMatchObject({ code: 200, data: { device: { deviceSerial, reportedSerial: serial } } });
    expect((await owner.call('device/get', { deviceSerial })).code).toBe(1009);
    expect((await squatter.call('device/get', { deviceSerial: serial })).code).toBe(200);
    // Who gave it away is let in no longer than the taker leaves the password as it is.
    expect((await add(owner, hosts[1])).code).toBe(1008);
    site.shutOut.add(deviceSerial);
    expect((await added(owner, hosts[1])).deviceSerial).not.toBe(deviceSerial);
  });

  it('a device keeps its serial at a new address that reports the same', async () => {
    const { serial, hosts } = shared(3);
    await added(squatter, hosts[0]);
    const { deviceSerial } = await added(owner, hosts[1]);
    const { device } = await owner.ok('device/update', { deviceSerial, target: `http://${hosts[2]}` });
    expect(device).toMatchObject({ deviceSerial, reportedSerial: serial, address: hosts[2] });
    const stranger = reporting('OTHER0001', '198.51.100.9');
    const moved = { deviceSerial, target: `http://${stranger}` };
    expect(await owner.call('device/update', moved)).toMatchObject({ code: 2316, data: { reason: 'otherDevice' } });
    const other = reporting('OTHER0002', '198.51.100.10');
    await added(owner, other);
    const taken = { deviceSerial, target: `http://${other}`, isSameDevice: true };
    expect((await owner.call('device/update', taken)).code).toBe(2024);
    const confirmed = await owner.ok('device/update', { ...moved, isSameDevice: true });
    expect(confirmed.device).toMatchObject({ deviceSerial, reportedSerial: 'OTHER0001', address: stranger });
  });
});

describe('[DM-01] the connection of a device', () => {
  it('is shown without its password, and tried with other values before it is saved', async () => {
    const { serial, hosts } = shared(2);
    const { deviceSerial } = await added(owner, hosts[0]);
    const stored = { target: `http://${hosts[0]}`, user: 'admin', hasPassword: true };
    expect(await owner.ok('device/connection/get', { deviceSerial })).toEqual(stored);
    expect((await squatter.call('device/connection/get', { deviceSerial })).code).toBe(1009);

    const tried = await owner.ok('device/connection/test', { deviceSerial, user: 'viewer' });
    expect(tried).toMatchObject({ driver: 'onvif', isSameDevice: true });
    expect(site.probed.at(-1), 'the stored password').toMatchObject({ user: 'viewer', password: hosts[0] });
    const elsewhere = { deviceSerial, target: `http://${hosts[1]}` };
    expect(await owner.ok('device/connection/test', elsewhere)).toMatchObject({ isSameDevice: true });
    expect(site.probed.at(-1), 'no stored password for another address').toMatchObject({ user: '', password: '' });
    const stranger = { deviceSerial, target: `http://${reporting('OTHER0003', '198.51.100.11')}`, password: 'x' };
    expect(await owner.ok('device/connection/test', stranger)).toMatchObject({ isSameDevice: false });

    expect(await owner.ok('device/connection/get', { deviceSerial })).toEqual(stored);
    expect(site.assigned.get(deviceSerial)).toMatchObject({ user: 'admin', password: hosts[0] });
    expect(serial).toBe(deviceSerial);
  });

  it('that fails gives the reason of the device', async () => {
    const { hosts } = shared(1);
    const { deviceSerial } = await added(owner, hosts[0]);
    site.refusals.set('probe', { code: 2316, data: { reason: 'deviceAuth' } });
    const tried = await owner.call('device/connection/test', { deviceSerial, password: 'wrong' });
    expect(tried).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
  });
});

describe('[SE-34] two networks with the same addresses', () => {
  let socket: WebSocket;
  let siteId: string;
  const host = '192.168.1.64';

  beforeAll(async () => {
    const enrolled = await operator.ok('site/add', { siteName: 'Harbour' });
    siteId = enrolled.site.siteId;
    socket = server.webSocket('/site', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' });
    socket.on('message', (raw: Buffer) => answer(JSON.parse(raw.toString('utf8')) as ServerToSite));
    await once(socket, 'open');
    const said = {
      siteId: enrolled.site.serial,
      secret: 'c'.repeat(43),
      code: enrolled.registrationCode,
      version: '9.9',
    };
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, addresses: [], ...said }));
    const online = async () =>
      (await operator.ok('site/list', {})).siteList.some((one) => one.siteId === siteId && one.status === 'online');
    await waitFor('the far site', online);
  });
  afterAll(() => socket?.terminate());

  function answer(message: ServerToSite): void {
    if (message.type !== 'call') return;
    const { id, name, input } = message;
    const report = { version: 1, isDone: true, checked: 0, total: 0 };
    const found = [{ driver: 'onvif', target: `http://${host}`, endpoint: '', deviceName: '', deviceModel: '' }];
    const data =
      name === 'probe'
        ? { ...candidateAt((input as { target: string }).target), ...site.candidateOverrides.get(host) }
        : name === 'scanStart'
          ? { scanId: 'far-scan' }
          : name === 'scanRead'
            ? { ...report, found }
            : name === 'tickets'
              ? { ticketIds: [] }
              : {};
    socket.send(JSON.stringify({ type: 'answer', id, code: 200, data }));
  }

  it('hold two devices, and discovery marks those of its own network alone', async () => {
    reporting('LAN0001', host);
    await added(squatter, host);
    const searched = async () => (await operator.ok('device/discover', { siteId })).candidateList;
    expect(await searched()).toMatchObject([{ address: host, deviceSerial: null }]);
    site.candidateOverrides.set(host, { ...site.candidateOverrides.get(host), deviceSerial: 'LAN0003' });
    const near = await added(operator, host);
    expect(await searched(), 'one of the other network').toMatchObject([{ deviceSerial: null }]);
    await operator.ok('device/delete', { deviceSerial: near.deviceSerial });
    site.candidateOverrides.set(host, { ...site.candidateOverrides.get(host), deviceSerial: 'LAN0001' });
    const mine = await added(operator, host, { siteId });
    expect(mine.deviceSerial).toMatch(SUFFIXED('LAN0001'));
    expect(await searched()).toMatchObject([{ deviceSerial: mine.deviceSerial }]);
  });
});
