// Recorder watch over a real database: what it decides when servers restart or stand still, clocks are set back, and sites leave their group.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { SecretBox } from '../../server/core/secret-box.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { devicesAway } from '../../server/database/device/recorder-group.queries.ts';
import { allAssignments } from '../../server/site-link/assignments.ts';
import { DeviceFailback } from '../../server/site-link/device-failback.ts';
import type { RecorderWatchDeps } from '../../server/site-link/recorder-watch.ts';
import type { SitePort } from '../../server/site-link/site-port.ts';
import { ScriptedSite } from './scripted-site.ts';
import { ServerUnderTest } from './server-under-test.ts';
import { WatchUnderTest } from './watch-under-test.ts';

let server: ServerUnderTest;
let opened: DatabaseConnection;
let groupId: string;
/** With the camera, and two that have room. */
let [home, first, second] = ['', '', ''];
let deviceSerial: string;
let open: WatchUnderTest[] = [];

beforeAll(async () => {
  server = await ServerUnderTest.start();
  const operator = await server.setUp();
  const local = await ScriptedSite.dial(server);
  const add = async (siteName: string) => (await operator.ok('site/add', { siteName })).site.siteId;
  [home, first, second] = [await add('Home'), await add('First'), await add('Second')];
  const target = 'rtsp://192.0.2.1/1';
  ({ deviceSerial } = (await operator.ok('device/add', { target, deviceName: 'Quay' })).device);
  const memberList = [home, first, second].map((siteId) => ({ siteId, isSpare: siteId === first, cameraMax: 4 }));
  ({ groupId } = (
    await operator.ok('site/group/save', { groupName: 'Quay', returnsByItself: true, memberList })
  ).group);
  await local.hangUp();
  // From here on the test judges alone.
  await server.end();
  opened = openDatabase({ url: server.database.url, onError: () => undefined });
}, 60_000);

afterAll(async () => {
  await opened?.database.destroy();
  await server?.stop();
});

beforeEach(async () => {
  await sql('delete from device_stay');
  await sql('update device set site_id = $1, site_epoch = 0, home_site_id = null', home);
  await sql(`update recorder_watch set holder = '', epoch = 0, beat_at = 0, since = 0, open_since = 0`);
  await sql('delete from recorder_member');
  for (const siteId of [home, first, second]) await join(siteId);
});

afterEach(async () => {
  for (const watch of open) await watch.close();
  open = [];
  await sql('delete from open_alarm');
});

async function sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return (await opened.pool.query<Record<string, unknown>>(text, values)).rows;
}

async function join(siteId: string): Promise<void> {
  const values = 'insert into recorder_member (site_id, group_id, is_spare, camera_max) values ($1, $2, $3, 4)';
  await sql(values, siteId, groupId, siteId === first);
}

const leave = (siteId: string) => sql('delete from recorder_member where site_id = $1', siteId);

function watch(deps: Partial<RecorderWatchDeps> = {}): WatchUnderTest {
  const one = new WatchUnderTest(opened, [home, first, second], deps);
  open.push(one);
  return one;
}

const siteNow = async () => (await sql('select site_id from device'))[0]?.['site_id'];
const openAlarms = async () => (await sql(`select alarm_id from open_alarm where type = 'SiteTakenOver'`)).length;

/** The camera goes from its home to the spare. */
async function taken(): Promise<WatchUnderTest> {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(8);
  expect(await siteNow()).toBe(first);
  return one;
}

async function assignedAt(siteId: string) {
  const box = new SecretBox({ masterKey: Buffer.from(server.masterKey, 'hex') });
  const deps = { database: opened.database, box, retentionDays: () => Promise.resolve(30), timeZone: 'UTC' };
  const [assignment] = await allAssignments(deps, siteId);
  return assignment;
}

it('[FT-30] gives the camera of a silent site to the spare after six seconds, and tells the spare first', async () => {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(5);
  expect(await siteNow()).toBe(home);
  await one.pass(3);
  expect(await siteNow()).toBe(first);
  // One that came back while it was judged learns at once that it has the camera no more.
  expect(one.told).toEqual([[first], [home]]);
  expect(await openAlarms()).toBe(1);
});

it('[FT-31] of two servers one decides; the other one takes the watch over and gives sites time to dial', async () => {
  const [one, other] = [watch(), watch()];
  await one.pass(8);
  other.alive.clear();
  await other.beat();
  await other.beat();
  expect(await siteNow()).toBe(home);
  await one.close();
  await other.age(10_000);
  other.alive.add(first);
  await other.pass(30);
  expect(await siteNow()).toBe(home);
  await other.pass(17);
  expect(await siteNow()).toBe(first);
});

it('[FT-31] a site that dials the server without the watch is heard by the one with it', async () => {
  const judging = watch();
  await judging.pass(8);
  judging.alive.delete(home);
  const hearing = watch();
  for (let second = 0; second < 12; second += 1) {
    await hearing.pass(1);
    await judging.pass(1);
  }
  expect(await siteNow(), 'it is connected to the other one').toBe(home);
  hearing.alive.delete(home);
  await judging.pass(8);
  expect(await siteNow()).toBe(first);
});

it('[FT-31] a server that was killed in the middle of a take-over leaves it whole: sites dial the next one, and are assigned what is stored', async () => {
  const whole = watch({ onMoved: () => Promise.reject(new Error('killed')) });
  await whole.pass(8);
  whole.alive.delete(home);
  while ((await siteNow()) === home) await whole.pass(1);
  await whole.close();
  // Nobody was told, and no alarm was written.
  expect(await openAlarms()).toBe(0);
  expect(await assignedAt(first)).toMatchObject({ deviceSerial, epoch: 1 });
  expect(await assignedAt(home)).toMatchObject({ deviceSerial, isElsewhere: true, user: '', password: '' });
  const next = watch();
  next.alive.delete(home);
  await next.age(10_000);
  await next.pass(3);
  expect(await openAlarms()).toBe(1);
  expect(await sql('select site_id from device_stay order by site_epoch')).toEqual([
    { site_id: home },
    { site_id: first },
  ]);
});

it('a site that comes back before it is judged keeps its camera, and one that comes back later leaves it', async () => {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(5);
  one.alive.add(home);
  await one.pass(10);
  expect(await siteNow()).toBe(home);
  one.alive.delete(home);
  await one.pass(8);
  one.alive.add(home);
  await one.pass(3);
  expect(await siteNow()).toBe(first);
  expect(await openAlarms()).toBe(1);
});

it('judges nobody by a moment in which the server itself stood still, and needs no more than six seconds afterwards', async () => {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(2);
  one.clock.standStill(8000);
  await one.age(8000);
  await one.pass(4);
  expect(await siteNow()).toBe(home);
  await one.pass(4);
  expect(await siteNow()).toBe(first);
});

it('a slow database delays a take-over by its beat alone', async () => {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  // Each beat comes nine seconds after the one before; the server hears its sites all the time.
  for (let late = 0; late < 2; late += 1) {
    await one.age(8000);
    await one.pass(1);
  }
  await one.pass(6);
  expect(await siteNow()).toBe(first);
});

it('a database that stands still in the middle of a beat makes nobody look silent', async () => {
  const one = watch();
  await one.pass(8);
  const { beats } = one.clock;
  const holder = await opened.pool.connect();
  await holder.query('begin');
  await holder.query('lock table recorder_watch');
  one.clock.advance(1000);
  // No site is let in meanwhile: each one is authenticated by the database.
  one.clock.advance(12_000);
  await holder.query('update recorder_member set heard_at = heard_at - 13000');
  await holder.query('commit');
  holder.release();
  await expect.poll(() => one.clock.beats).toBeGreaterThan(beats);
  expect(await siteNow()).toBe(home);
});

it('a clock of the database that was set back makes nobody look alive', async () => {
  const one = watch();
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(3);
  await one.age(-3_600_000);
  await one.pass(30);
  expect(await siteNow()).toBe(home);
  await one.pass(17);
  expect(await siteNow()).toBe(first);
});

it('a site that leaves the group while it has the camera of another keeps it until that one is back', async () => {
  const one = await taken();
  await leave(first);
  await one.pass(8);
  expect(await siteNow()).toBe(first);
  expect(await openAlarms()).toBe(1);
  // Nobody watches over it any more.
  one.alive.delete(first);
  await one.pass(8);
  expect(await siteNow()).toBe(first);
  one.alive.add(home);
  await one.pass(1);
  expect(one.returns).toMatchObject([{ from: first, to: home }]);
});

it('of a site that leaves the group while another has its camera the alarm ends, and the camera belongs to it still', async () => {
  const one = await taken();
  expect(await openAlarms()).toBe(1);
  await leave(home);
  await one.pass(1);
  expect(await openAlarms()).toBe(0);
  expect(await devicesAway(opened.database)).toMatchObject([{ siteId: first, homeSiteId: home }]);
  await join(home);
  one.alive.add(home);
  await one.pass(1);
  expect(one.returns).toMatchObject([{ from: first, to: home }]);
});

it('of a dissolved group the alarm ends, also when the server was restarted meanwhile', async () => {
  const one = await taken();
  await one.close();
  await sql('delete from recorder_member');
  const next = watch();
  await next.age(10_000);
  await next.beat();
  expect(await openAlarms()).toBe(0);
  expect(await siteNow()).toBe(first);
});

it('a site that gives a camera back records until its home does, however long that takes', async () => {
  await (await taken()).close();
  await sql('update channel set record_quality = 0');
  const [{ deviceId } = { deviceId: '' }] = await devicesAway(opened.database);
  const recording = new Set([first]);
  const clock = new FakeClock(Date.now());
  const stopped: string[][] = [];
  const call = (siteId: string) => ({
    spans: recording.has(siteId) ? [{ startTime: 0, endTime: 1, recordType: 1 }] : [],
  });
  const failback = new DeviceFailback({
    database: opened.database,
    clock,
    log: pino({ level: 'silent' }),
    sites: { at: (siteId) => ({ call: () => Promise.resolve(call(siteId)) }) as unknown as SitePort },
    sync: { devicesMoved: async (siteIds) => void stopped.push([...siteIds]) },
  });
  await failback.bring([{ deviceId, from: first, to: home }]);
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await expect.poll(() => clock.next()).not.toBeNull();
    clock.advance(5000);
  }
  expect(stopped).toEqual([[home]]);
  recording.add(home);
  await expect
    .poll(() => {
      clock.advance(5000);
      return stopped;
    })
    .toEqual([[home], [first]]);
  expect(await devicesAway(opened.database)).toEqual([]);
});

it('does not return a camera to a site whose disk takes no recordings', async () => {
  const one = watch({ canStore: (siteId) => siteId !== home });
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(8);
  one.alive.add(home);
  await one.pass(2);
  expect(one.returns).toEqual([]);
});

it('says no longer that a camera has no room once its site is back', async () => {
  const one = watch({ canStore: () => false });
  await one.pass(8);
  one.alive.delete(home);
  await one.pass(8);
  const told = () => sql('select without_room, taken_at from recorder_member where site_id = $1', home);
  expect(await told()).toMatchObject([{ without_room: 1 }]);
  one.alive.add(home);
  await one.pass(1);
  expect(await told()).toEqual([{ without_room: 0, taken_at: null }]);
});
