// The demo is created once; secrets are encrypted at rest; searches use their index; a killed server recovers.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';
import { type OwnDatabase, startTestDatabase } from './test-database.ts';

let server: ServerUnderTest<OwnDatabase>;
let site: ScriptedSite;
let operator: CallClient;
let client: pg.Client;
const demoFile = join('/tmp', `vdt-demo-${process.pid}.json`);
const device = (name: string, kind: string, path: string, organization: string[]) => ({
  name,
  kind,
  target: kind === 'offline' ? `http://127.0.0.1:9${path}` : `rtsp://127.0.0.1:554${path}`,
  user: 'admin',
  password: 'demo-secret',
  organization,
});
const devices = [
  device('Gate', 'camera', '/a', ['Harbour', 'North']),
  device('Quay', 'camera', '/b', ['Harbour', 'North']),
  device('Store', 'recorder', '/4', ['Harbour']),
  device('Lost', 'offline', '/onvif', ['Harbour', 'South']),
];

/** A connection of the test's own; the tests below cut it as well. */
async function connect(): Promise<void> {
  client = new pg.Client({ connectionString: server.database.url });
  client.on('error', () => undefined);
  await client.connect();
}

beforeAll(async () => {
  writeFileSync(demoFile, JSON.stringify({ event: 'ready', devices, controlUrl: 'http://127.0.0.1:1' }));
  server = await ServerUnderTest.over(await startTestDatabase(), { VEDETTE_DEMO: demoFile });
  site = await ScriptedSite.dial(server);
  operator = await server.setUp();
  await connect();
});
afterAll(async () => {
  rmSync(demoFile, { force: true });
  await client?.end();
  await site?.hangUp();
  await server?.stop();
});

async function names(): Promise<string[]> {
  const { resourceList } = await operator.ok('org/resource/list', {});
  return resourceList.map((row) =>
    row.resourceType === 'organization' ? `/${row.organization.organizationName}` : row.device.deviceName,
  );
}

describe('the demo', () => {
  it('[DM-01] [DM-03] adds its devices to their organisations, including the offline one', async () => {
    await waitFor('all devices', async () => (await operator.ok('device/list', {})).total === 4);
    expect(await names()).toEqual(['/Harbour', '/North', '/South', 'Gate', 'Lost', 'Quay', 'Store']);
    const { deviceList } = await operator.ok('device/list', { keyWord: 'Store' });
    expect(deviceList).toMatchObject([{ organizationName: 'Harbour', channelTotal: 4 }]);
    const lost = (await operator.ok('device/list', { keyWord: 'Lost' })).deviceList[0];
    const answer = await operator.call('media/url', { deviceSerial: lost?.deviceSerial ?? '', channelNo: 1 });
    expect(answer.code).toBe(2317);
    const history = [...site.assigned.values()].flatMap((one) => one.channels.map((channel) => channel.backfillFrom));
    expect(history).toHaveLength(7);
    expect(history.every((from) => from !== null && Math.abs(from - (Date.now() - 6 * 3_600_000)) < 60_000)).toBe(true);
    expect([...site.assigned.values()].every((one) => one.isOperatorAddress)).toBe(true);
  });

  it('[LV-05] a camera that was offline when added gets its streams once it is online', async () => {
    const deviceSerial = (await operator.ok('device/list', { keyWord: 'Lost' })).deviceList[0]?.deviceSerial ?? '';
    site.report({ kind: 'deviceStatus', deviceSerial, status: 1, reason: null, at: Date.now() });
    await waitFor('its live picture', async () => {
      const answer = await operator.call('media/url', { deviceSerial, channelNo: 1 });
      return answer.code === 200;
    });
  });

  it('[DM-01] is not created twice, and a deleted device stays deleted', async () => {
    const gone = (await operator.ok('device/list', { keyWord: 'Quay' })).deviceList[0]?.deviceSerial ?? '';
    await operator.ok('device/delete', { deviceSerial: gone });
    await server.end();
    await server.run();
    site = await ScriptedSite.dial(server);
    operator = await server.signIn(OPERATOR.username, OPERATOR.password);
    expect(await names()).toEqual(['/Harbour', '/North', '/South', 'Gate', 'Lost', 'Store']);
    expect(site.assigned.size).toBe(3);
  });
});

describe('at rest', () => {
  it('[SE-97] [SE-98] [GO-16] no passwords, tokens or tickets are readable in the database or the log', async () => {
    const gate = [...site.assigned.values()].find((one) => one.channels.length === 1 && one.driver === 'rtsp');
    const { ticket } = await operator.ok('media/url', { deviceSerial: gate?.deviceSerial ?? '', channelNo: 1 });
    const { rows } = await client.query<{ relname: string }>(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const secrets = ['demo-secret', OPERATOR.password, operator.accessToken ?? '', ticket, server.masterKey];
    for (const { relname } of rows) {
      const dump = JSON.stringify((await client.query(`select t::text from "${relname}" t`)).rows);
      for (const secret of secrets) {
        expect(dump.includes(secret), `${relname} holds a secret`).toBe(false);
        expect(dump.includes(Buffer.from(secret).toString('hex')), `${relname} holds a secret`).toBe(false);
      }
    }
    for (const secret of secrets) expect(server.log.join('\n')).not.toContain(secret);
    expect(gate?.password).toBe('demo-secret');
  });

  it('a search for two Chinese characters among many names uses the index', async () => {
    await client.query(`
      insert into organization (organization_id, owner_id, organization_name, path, created_at)
      select 'x' || n, (select account_id from account limit 1), '组织' || n || chr(19968 + n % 5000) || chr(20000 + n % 4999),
        array['x' || n], 0 from generate_series(1, 20000) n`);
    await client.query('analyze organization');
    const word = `${String.fromCodePoint(19968 + 1234)}${String.fromCodePoint(20000 + 1234)}`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select * from organization where name_bigrams @> bigrams('${word}')`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('organization_bigrams');
    expect((await operator.ok('org/search', { keyWord: word, types: ['organization'] })).total).toBe(1);
    await client.query("delete from organization where organization_id like 'x%'");
  });
});

describe('failures', () => {
  it('[FT-18] a killed server comes back with sessions, devices and rights', async () => {
    const before = await names();
    await server.end('SIGKILL');
    await server.run();
    site = await ScriptedSite.dial(server);
    expect((await operator.call('token/check', {})).code).toBe(200);
    expect(await names()).toEqual(before);
  });

  it('[FT-22] a database that cuts every connection causes no restart', async () => {
    const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';
    await client.query(cut);
    await waitFor('an answer again', async () => (await operator.call('account/info', {})).code === 200, 5000);
    await operator.ok('user/add', { username: 'late', password: 'Secret-1', userType: 2 });
    const late = await server.signIn('late', 'Secret-1');
    const socket = server.webSocket('/ws');
    const heard: { type: string }[] = [];
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as { type: string }));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: late.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    await late.ok('account/logout', {});
    await waitFor('the end of the session', () => heard.some((one) => one.type === 'end'), 2000);
  });

  it('[FT-22] [FT-24] without a database calls fail at once, and recover when it is back', async () => {
    const socket = server.webSocket('/ws');
    const heard: { type: string; event?: { kind: string } }[] = [];
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as { type: string }));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: operator.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    await client.end();
    await server.database.down();
    const startedAt = performance.now();
    expect(await operator.call('account/info', {})).toMatchObject({ code: 1012, data: null });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(JSON.parse((await server.send({ path: '/readyz' })).body)).toMatchObject({ missing: ['database'] });
    expect((await server.send({ path: '/healthz' })).status).toBe(200);
    await server.database.up();
    await waitFor('an answer', async () => (await operator.call('account/info', {})).code === 200);
    await operator.ok('org/add', { organizationName: 'After' });
    await waitFor('word of it on the same socket', () => heard.some((one) => one.event?.kind === 'resourcesChanged'));
    const again = await server.signIn(OPERATOR.username, OPERATOR.password);
    await again.ok('account/logout', {});
    const lines = server.log.filter((line) => line.includes('listener'));
    expect(lines.length).toBeLessThan(200);
    await connect();
    socket.close();
  });

  it('ends in order on SIGTERM and when its parent exits', async () => {
    expect(await server.end('SIGTERM')).toBe(0);
    await server.run();
    site = await ScriptedSite.dial(server);
  });
});
