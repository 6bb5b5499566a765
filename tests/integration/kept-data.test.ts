// This version opens the data folder of an earlier one: it starts, migrates, and everybody gets to see what they saw there.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FolderStore } from '../../launcher/backup-store/folder-store.js';
import { backupsIn, newestOf } from '../../launcher/backup/choose-backup.js';
import { backupKey } from '../../launcher/backup/recovery-key.js';
import { restoreBackup } from '../../launcher/backup/restore-backup.js';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { SecretBox } from '../../server/core/secret-box.ts';
import { listMigrations } from '../../server/database/migrate.ts';
import { answersOf } from '../fixtures/data-answers.ts';
import { signIn } from '../fixtures/fill-product.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { KeptDataFolder } from '../harness/kept-data-folder.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

let kept: KeptDataFolder;
let product: Product;
let operator: ApiClient;
/** By account; a code of a second factor is taken once. */
const clients = new Map<string, ApiClient>();
let opened: Awaited<ReturnType<KeptDataFolder['moveAssignments']>>;
let secrets: Secrets;
/** Of the database as that version left it. */
let before: Awaited<ReturnType<typeof rowsOf>>;
/** What a start says that cannot make its backup. */
let refusal: string;

beforeAll(async () => {
  kept = new KeptDataFolder('data-0.1.0');
  opened = await kept.moveAssignments();
  await kept.makeCluster(async (client) => {
    secrets = await openSecrets(client);
    before = await rowsOf(client);
  });
  const inTheWay = join(kept.data, 'before-upgrade');
  writeFileSync(inTheWay, '');
  refusal = await Product.start({ data: kept.data, env: { VEDETTE_CONSOLE: ROOT } }).then(
    async (started) => `started ${await started.stop()}`,
    (error: Error) => error.message,
  );
  rmSync(inTheWay);
  product = await Product.start({ data: kept.data, env: { VEDETTE_CONSOLE: ROOT } });
  for (const one of kept.facts.users) clients.set(one.account, await signIn(product, one));
  operator = client('operator');
});
afterAll(async () => {
  await product?.stop();
  kept?.remove();
});

function user(account: string) {
  const found = kept.facts.users.find((one) => one.account === account);
  if (found === undefined) throw new Error(`no ${account} among the users of the folder`);
  return found;
}

function client(account: string): ApiClient {
  const found = clients.get(account);
  if (found === undefined) throw new Error(`${account} is not signed in`);
  return found;
}

it('starts as the product that it was, and asks nobody to set it up', () => {
  expect(product.ready.setupUrl).toBeNull();
});

it('answers each user as the version did that made the folder: users, devices, alarms, shares, rules, rights', async () => {
  const accounts = Object.keys(kept.facts.answers);
  expect(accounts.sort()).toEqual(['guard', 'manager', 'operator', 'partner']);
  for (const account of accounts) {
    const answers = await answersOf(client(account), kept.facts.recorded.deviceSerial);
    const { 'quota/list': quotas, ...others } = answers;
    const { 'quota/list': knownQuotas = [], ...known } = kept.facts.answers[account] ?? {};
    expect(others, account).toEqual(known);
    // A later version may limit more kinds of things, and so counts more.
    expect(quotas, account).toEqual(expect.arrayContaining(knownQuotas.filter((line) => !line.startsWith('.total '))));
  }
  const { deviceList } = await operator.ok('device/list', {});
  const { userList } = await operator.ok('user/list', {});
  expect([deviceList.length, userList.length]).toEqual([2, 4]);
});

it('opens what was sealed: cameras, channels of alarms, settings, a link, a second factor, the assignment of the site', async () => {
  const passwords = opened.devices.map(({ deviceSerial, password }) => [deviceSerial, password]);
  expect(passwords.length).toBe(2);
  expect(secrets.devices).toEqual(Object.fromEntries(passwords));
  expect(secrets.channel).toEqual({ secret: 'whsec_c2VjcmV0' });
  expect((await operator.ok('system/account/get', {})).secretList).toEqual(['mailPassword']);
  const { linkList } = await operator.ok('share/link/list', {});
  expect(linkList.map(({ linkId }) => linkId)).toEqual([kept.facts.linkId]);
  // A second factor is asked for, and its code is taken.
  expect(user('manager').totpSecret).not.toBeNull();
  const { password } = user('manager');
  const input = { account: 'manager', password, browserId: 'another', clientType: 'web' } as const;
  expect((await client('partner').call('account/login', input)).code).toBe(2076);
});

it('lists and plays what was recorded', async () => {
  const { deviceSerial, startTime, endTime } = kept.facts.recorded;
  const range = { deviceSerial, channelNo: 1, startTime, endTime };
  const { recordList } = await waitFor('the recordings to be listed', async () => {
    const answer = await operator.call('record/time', range);
    return answer.code === 200 && answer.data.total > 0 ? answer.data : undefined;
  });
  expect(recordList[0]?.startTime).toBe(startTime);
  expect(recordList.at(-1)?.endTime).toBeGreaterThanOrEqual(endTime - 1000);
  const { url } = await operator.ok('record/hls', range);
  const playlist = await (await fetch(url)).text();
  const [map = ''] = /(?<=EXT-X-MAP:URI=")[^"]+/.exec(playlist) ?? [];
  const [segment = ''] = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const name of [map, segment]) {
    const answer = await fetch(new URL(name, url));
    expect(answer.status, name).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(500);
  }
});

it('takes the events that the site had kept while there was no server', async () => {
  const { deviceSerial, at } = kept.facts.spooled;
  const alarm = await waitFor('the kept event', async () => {
    const { alarmList } = await operator.ok('alarm/list', { types: ['Offline'], devices: [{ deviceSerial }] });
    return alarmList.find((one) => one.time === at);
  });
  expect(alarm.type).toBe('Offline');
});

it('finds the chain of the audit log whole, from the first line to those of today', async () => {
  expect(await operator.ok('audit/verify', {})).toMatchObject({ isWhole: true, brokenAt: null });
});

it('reports nothing as failed or unreadable', () => {
  expect(existsSync(`${kept.data}/recordings/vedette-storage.json`)).toBe(true);
  expect(product.log.split('\n').filter((line) => /"level":(50|60)|could not be/.test(line))).toEqual([]);
});

it('has brought the database up to date', async () => {
  const later = listMigrations().filter((name) => !kept.schemaSql.includes(`'${name}'`));
  expect(later.length).toBeGreaterThan(0);
  await product.stop();
  await kept.withCluster(async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from migration order by name');
    expect(rows.map(({ name }) => name)).toEqual(listMigrations());
  });
});

it('goes back: the backup from before the first step holds every row as it was', async () => {
  expect(refusal).toContain('cannot start (upgradeBackupFailed)');
  const masterKey = kept.masterKey.toString('hex');
  const data = `${kept.data}-before`;
  const store = new FolderStore(join(kept.data, 'before-upgrade'));
  await restoreBackup({
    from: newestOf(store, await backupsIn(store)),
    data,
    masterKey,
    key: backupKey(masterKey),
    // Those of the version before.
    migrations: before['migration']?.names ?? [],
    programs: findPostgres(ROOT),
    to: 'backup',
  });
  await kept.withCluster(async (client) => expect(await rowsOf(client)).toEqual(before), data);
});

/** Of each table, how many rows there are and a digest of them. */
async function rowsOf(client: pg.Client) {
  const tables = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const found: Record<string, { count: number; digest: string | null; names: string[] }> = {};
  for (const { name } of tables.rows) {
    const names = name === 'migration' ? 'array_agg(name order by name)' : "'{}'::text[]";
    const { rows } = await client.query(
      `select count(*)::int, md5(string_agg(t::text, '|' order by t::text)) as digest, ${names} as names from "${name}" t`,
    );
    found[name] = rows[0];
  }
  return found;
}

interface Secrets {
  /** Password by serial. */
  readonly devices: Readonly<Record<string, string>>;
  readonly channel: unknown;
}

/** As the server opens them, from rows that no server has touched since. */
async function openSecrets(client: pg.Client): Promise<Secrets> {
  const box = new SecretBox({ masterKey: kept.masterKey });
  const devices = await client.query<{ device_id: string; device_serial: string; credentials: Buffer }>(
    'select device_id, device_serial, credentials from device',
  );
  const channels = await client.query<{ channel_id: string; sealed: Buffer }>(
    'select channel_id, sealed from alarm_channel',
  );
  const [channel] = channels.rows;
  return {
    devices: Object.fromEntries(
      devices.rows.map((row) => [
        row.device_serial,
        (JSON.parse(box.open(row.credentials, row.device_id)) as { password: string }).password,
      ]),
    ),
    channel: channel === undefined ? null : JSON.parse(box.open(channel.sealed, channel.channel_id)),
  };
}
