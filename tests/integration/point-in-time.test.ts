// Restore to a named instant from a backup and the archived write-ahead log: exactly what was committed by then, and what is refused.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FolderStore } from '../../launcher/backup-store/folder-store.js';
import { backupsIn } from '../../launcher/backup/choose-backup.js';
import { removeOldSegments } from '../../launcher/backup/retention.js';
import { readManifest, writeManifest } from '../../launcher/backup/manifest.js';
import { backupKey, writeRecoveryKey } from '../../launcher/backup/recovery-key.js';
import { makeRunFolder } from '../../launcher/data/run-folder.js';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { clusterAddress } from '../../launcher/postgres/cluster.js';
import { run } from '../../launcher/process/run.js';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const OPERATOR = ['operator', 'Watch-2026'] as const;

let home: string;
let backups: string;
let store: FolderStore;
let product: Product;
let key: Buffer;
let recoveryKey: string;
/** Between the organisations Kept and Later. */
let instant: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vedette-instant-'));
  backups = join(home, "it's 100% mine");
  store = new FolderStore(backups);
  product = await Product.start({ env: { VEDETTE_BACKUP_TO: backups } });
  const master = readFileSync(join(product.data, 'keys', 'master'), 'utf8').trim();
  key = backupKey(master);
  recoveryKey = writeRecoveryKey(master);
  const operator = await product.setUp(...OPERATOR);
  await operator.ok('org/add', { organizationName: 'Before' });
  // The one of the start may be older than the operator.
  await waitFor('the first backup', async () => (await backupsIn(store)).length > 0);
  await operator.ok('org/add', { organizationName: 'Kept' });
  instant = new Date(await databaseTime(product.data)).toISOString();
  await waitFor('a later instant', async () => (await databaseTime(product.data)) > Date.parse(instant) + 1);
  await operator.ok('org/add', { organizationName: 'Later' });
  await archiveNow(product.data);
});

afterAll(async () => {
  await product?.stop(false);
  rmSync(home, { recursive: true, force: true });
});

function ask(data: string, sql: string): Promise<Record<string, unknown>> {
  return asking(data, async (client) => (await client.query(sql)).rows[0] as Record<string, unknown>);
}

async function asking<T>(data: string, look: (client: pg.Client) => Promise<T>): Promise<T> {
  const { url } = clusterAddress({ programs: findPostgres(ROOT), runFolder: makeRunFolder(data) });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await look(client);
  } finally {
    await client.end();
  }
}

async function databaseTime(data: string): Promise<number> {
  return Number((await ask(data, 'select extract(epoch from clock_timestamp()) * 1000 as ms'))['ms']);
}

/** Everything that was committed by now is in the folder of the backups. */
async function archiveNow(data: string): Promise<void> {
  const { name } = await ask(data, 'select pg_walfile_name(pg_switch_wal()) as name');
  await waitFor('the segment to be archived', () => existsSync(join(backups, 'wal', `${String(name)}.gz.sealed`)));
}

/** Path of the oldest. */
async function firstBackup(): Promise<string> {
  const [first] = await backupsIn(store);
  return store.pathOf(first?.name ?? '');
}

async function restore(to: string | null, into: string, from = backups) {
  const args = ['launcher/restore.js', '--from', from, '--data', into, ...(to === null ? [] : ['--to', to])];
  const env = { ...process.env, VEDETTE_RECOVERY_KEY: recoveryKey };
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, env });
  return { code, said: stderr + stdout };
}

/** What somebody finds who signs in there. */
async function organisationsOf(data: string, env: Record<string, string> = {}, look = async () => {}) {
  const restored = await Product.start({ data, env });
  try {
    expect(restored.ready.setupUrl).toBeNull();
    const client = await restored.signIn(...OPERATOR);
    await look();
    return (await client.ok('org/list', {})).orgList.map(({ organizationName }) => organizationName).toSorted();
  } finally {
    await restored.stop(true);
  }
}

it('takes a backup when the operator asks for one, and proves each month that the newest can be restored', async () => {
  const operator = await product.signIn(...OPERATOR);
  const backup = async () => {
    const { partList } = await operator.ok('system/health/get', {});
    return partList.find(({ part }) => part === 'backup')?.figureList ?? [];
  };
  const valueOf = async (figure: string) => (await backup()).find((one) => one.figure === figure)?.value ?? 0;
  await waitFor('the first check', async () => (await valueOf('lastBackupCheck')) > 0, 60_000);
  const before = (await backupsIn(store)).length;
  await operator.ok('system/backup/start', {});
  await waitFor('another backup', async () => (await backupsIn(store)).length > before, 60_000);
});

it('brings back exactly what was committed by then, and goes on as a history of its own', async () => {
  const into = join(home, 'restored');
  expect(await restore(instant, into)).toMatchObject({ code: 0 });
  const history = join(backups, 'wal', '00000002.history.gz.sealed');
  expect(existsSync(history)).toBe(false);
  // It archives into the same folder: its log takes a new timeline, and overwrites nothing of the old one.
  const names = await organisationsOf(into, { VEDETTE_BACKUP_TO: backups }, async () => {
    await waitFor('the history of its timeline', () => existsSync(history));
  });
  expect(names).toEqual(['Before', 'Kept']);
});

it('brings back everything that is archived, where that is asked for', async () => {
  const into = join(home, 'latest');
  // From the backup of the first timeline: the installation above added one of the second.
  const first = await firstBackup();
  expect(await restore('latest', into, first)).toMatchObject({ code: 0 });
  expect(await organisationsOf(into)).toEqual(['Before', 'Kept', 'Later']);
});

it('refuses an instant before the first backup, one after the log, and a time without its zone', async () => {
  const into = join(home, 'never');
  const first = await firstBackup();
  expect((await restore('2020-01-01T00:00:00Z', into)).said).toContain('cannot restore (backupTooNew)');
  const late = await restore(new Date(Date.now() + 3_600_000).toISOString(), into, first);
  expect(late.said).toContain('cannot restore (backupEndsBefore): the backup holds changes up to 20');
  expect((await restore('2026-11-26T12:00:00', into)).code).toBe(2);
  expect([existsSync(into), existsSync(`${into}.restoring`)]).toEqual([false, false]);
});

it('refuses a log that was changed, and leaves nothing', async () => {
  const spoilt = join(home, 'spoilt');
  cpSync(backups, spoilt, { recursive: true });
  for (const name of readdirSync(join(spoilt, 'wal')).filter((one) => /^[0-9A-F]{24}\.gz/.test(one))) {
    const file = join(spoilt, 'wal', name);
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }
  const into = join(home, 'never');
  expect((await restore(instant, into, spoilt)).said).toContain('cannot restore (backupDamaged)');
  expect([existsSync(into), existsSync(`${into}.restoring`)]).toEqual([false, false]);
});

it('removes the log before the oldest backup, and no other', async () => {
  const kept = join(home, 'kept');
  cpSync(backups, kept, { recursive: true });
  const place = new FolderStore(kept);
  const [first] = await backupsIn(place);
  if (first === undefined) throw new Error('no backup');
  const facts = await readManifest(first, key);
  const segments = () => readdirSync(join(kept, 'wal')).filter((name) => /^[0-9A-F]{24}\.gz/.test(name));
  const before = segments();
  expect(before.length).toBeGreaterThan(0);
  await removeOldSegments(place, key);
  expect(segments()).toEqual(before.filter((name) => name.slice(0, 24) >= String(facts.walFirst)));
  // As if it had been taken later.
  await writeManifest(first, { ...facts, walFirst: '0000000F0000000000000000' }, key);
  await removeOldSegments(place, key);
  expect(segments()).toEqual([]);
  expect(existsSync(join(kept, 'wal', '00000002.history.gz.sealed'))).toBe(true);
});
