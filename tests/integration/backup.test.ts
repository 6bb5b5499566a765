// Backup and restore of a whole installation: taken while it runs and records, refused where it can't be trusted, adopted by newer recordings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderStore } from '../../launcher/backup-store/folder-store.js';
import { readManifest, writeManifest } from '../../launcher/backup/manifest.js';
import { backupKey, readRecoveryKey, writeRecoveryKey } from '../../launcher/backup/recovery-key.js';
import type { ApiClient } from '../harness/api-client.ts';
import { Bucket } from '../harness/bucket.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const OPERATOR = ['operator', 'Watch-2026'] as const;

let home: string;
let data: string;
let backups: string;
let cameras: VirtualSite;
let product: Product;
let camera: { deviceSerial: string; channelNo: number };
let recoveryKey: string;
let backup: string;

interface Ended {
  readonly code: number | null;
  readonly answer: Record<string, unknown> | null;
  readonly said: string;
}

async function run(
  command: 'backup' | 'restore',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, 'launcher', `${command}.js`), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const line = out.split('\n').find((one) => one.startsWith('{'));
  return { code, answer: line === undefined ? null : JSON.parse(line), said: said + out };
}

const restore = (from: string, into: string, key = recoveryKey) =>
  run('restore', ['--from', from, '--data', into], { VEDETTE_RECOVERY_KEY: key });

async function newestRecording(operator: ApiClient): Promise<number> {
  const asked = {
    ...camera,
    startTime: Date.now() - 3_600_000,
    endTime: Date.now() + 60_000,
    quality: 0,
    srcType: 0,
  } as const;
  const { recordList } = await operator.ok('record/query', asked);
  return Math.max(0, ...recordList.map(({ endTime }) => endTime));
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vedette-backup-'));
  backups = join(home, 'backups');
  cameras = await startVirtualSite(['--scale', '1', '--bitrate', '256']);
  product = await Product.start();
  data = product.data;
  const operator = await product.setUp(...OPERATOR);
  const [added] = await addAll(operator, cameras.devices);
  if (added === undefined) throw new Error('no camera');
  camera = added;
  await waitFor('a recording', async () => (await newestRecording(operator)) > 0, 60_000);
}, 180_000);

afterAll(async () => {
  await product?.stop(true);
  await cameras?.stop();
  for (const folder of [home, data]) if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  it('is taken while the installation runs, sealed, without keys and recordings', async () => {
    const operator = await product.signIn(...OPERATOR);
    await operator.ok('org/add', { organizationName: 'Before' });
    const shown = await run('backup', ['--data', data, '--show-recovery-key']);
    recoveryKey = shown.said.trim();
    const master = readFileSync(join(data, 'keys', 'master'), 'utf8').trim();
    expect(recoveryKey).toBe(writeRecoveryKey(master));
    const taken = await run('backup', ['--data', data, '--to', backups]);
    expect(taken, taken.said).toMatchObject({ code: 0, answer: { event: 'backup', removed: [] } });
    backup = String(taken.answer?.['folder']);
    expect(readdirSync(backup).toSorted()).toEqual(['data.tar.sealed', 'database.tar.sealed', 'manifest.json']);
    for (const name of readdirSync(backup)) {
      const bytes = readFileSync(join(backup, name));
      for (const secret of ['Before', 'organization', master])
        expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false);
    }
    expect(readFileSync(join(backup, 'data.tar.sealed')).length, 'recordings are not in it').toBeLessThan(2_000_000);
    expect(existsSync(join(data, 'backup-work'))).toBe(false);
    const { partList } = await operator.ok('system/health/get', {});
    expect(partList.find(({ part }) => part === 'backup')).toMatchObject({
      state: 'good',
      figureList: [{ figure: 'lastBackup' }, { figure: 'backupBytes', value: taken.answer?.['bytes'] }],
    });
  });

  it('is proven to be one that can be restored, with its log, and nothing of that stays', async () => {
    const checked = await run('backup', ['--data', data, '--to', backups, '--check']);
    expect(checked, checked.said).toMatchObject({ code: 0, answer: { event: 'checked', folder: backup } });
    const spoilt = join(home, 'spoilt');
    cpSync(backups, spoilt, { recursive: true });
    flip(join(spoilt, basename(backup), 'database.tar.sealed'), 3_000_000);
    const operator = await product.signIn(...OPERATOR);
    const health = async () =>
      (await operator.ok('system/health/get', {})).partList.find(({ part }) => part === 'backup');
    expect(await health()).toMatchObject({ state: 'good' });
    const failed = await run('backup', ['--data', data, '--to', spoilt, '--check']);
    expect([failed.code, failed.said.includes('(backupDamaged)')]).toEqual([1, true]);
    expect(await health()).toMatchObject({ state: 'bad', reason: 'backupCheckFailed' });
    expect(readdirSync(data).filter((name) => name.startsWith('backup-'))).toEqual([]);
    rmSync(spoilt, { recursive: true });
  });

  it('of an installation that stands still starts the database alone, and several are kept', async () => {
    const operator = await product.signIn(...OPERATOR);
    await operator.ok('org/add', { organizationName: 'After' });
    const recordedBefore = await newestRecording(operator);
    await waitFor('newer recordings', async () => (await newestRecording(operator)) > recordedBefore + 2000, 60_000);
    await product.stop(true);
    // The clock of its name counts seconds.
    await waitFor('the next second', () => Date.now() - Date.parse(nameTime(backup)) > 1000);
    const taken = await run('backup', ['--data', data, '--to', backups, '--keep', '2']);
    expect(taken, taken.said).toMatchObject({ code: 0, answer: { event: 'backup', removed: [] } });
    expect(readdirSync(backups).length).toBe(2);
  });

  it('[FT-53] older than the recordings adopts what is newer and deletes none, and nobody has to set it up again', async () => {
    renameSync(data, join(home, 'lost'));
    mkdirSync(data);
    renameSync(join(home, 'lost', 'recordings'), join(data, 'recordings'));
    const files = filesBelow(join(data, 'recordings'));
    const restored = await restore(backup, data);
    expect(restored, restored.said).toMatchObject({ code: 0, answer: { event: 'restored', data, from: backup } });
    product = await Product.start({ data });
    expect(product.ready.setupUrl).toBeNull();
    const operator = await product.signIn(...OPERATOR);
    const { orgList } = await operator.ok('org/list', {});
    expect(orgList.map(({ organizationName }) => organizationName)).toEqual(['Before']);
    const cut = (await readManifest(stored(backup), backupKey(readRecoveryKey(recoveryKey)))).endedAt;
    expect(await newestRecording(operator)).toBeGreaterThan(cut + 1000);
    const now = new Set(filesBelow(join(data, 'recordings')));
    expect(files.filter((file) => file.endsWith('.mp4') && !now.has(file))).toEqual([]);
    // Its password was sealed in the database: the camera answers, so it could be opened.
    const restoredAt = Date.now();
    await waitFor(
      'the camera to be recorded again',
      async () => (await newestRecording(operator)) > restoredAt,
      60_000,
    );
  });
});

describe('a backup in a bucket', () => {
  let bucket: Bucket;
  let to: string;
  const keysOf = ({ accessKey, secretKey }: Bucket['keys']) => ({
    VEDETTE_BACKUP_ACCESS_KEY: accessKey,
    VEDETTE_BACKUP_SECRET_KEY: secretKey,
  });
  const restoreFrom = (from: string, env: Record<string, string> = {}) =>
    run('restore', ['--from', from, '--data', join(home, 'of-bucket')], {
      VEDETTE_RECOVERY_KEY: recoveryKey,
      ...keysOf(bucket.keys),
      ...env,
    });

  beforeAll(async () => {
    bucket = await Bucket.start();
    to = bucket.address('of/home');
  });
  afterAll(async () => await bucket?.stop());

  it('is taken with keys that were tried and saved sealed, checked, and restored', async () => {
    const save = (keys: Record<string, string>) => run('backup', ['--data', data, '--to', to, '--save-keys'], keys);
    const wrong = await save(keysOf({ accessKey: 'OWNER', secretKey: 'wrong' }));
    expect([wrong.code, wrong.said.includes('(storeKeysWrong)')]).toEqual([1, true]);
    expect((await run('backup', ['--data', data, '--to', to])).said).toContain('(storeKeysMissing)');
    expect(await save(keysOf(bucket.keys))).toMatchObject({ code: 0, answer: { event: 'keysSaved' } });
    expect(readFileSync(join(data, 'keys', 'backup-store.sealed'), 'utf8')).not.toContain(bucket.keys.secretKey);
    const taken = await run('backup', ['--data', data, '--to', to]);
    expect(taken, taken.said).toMatchObject({ code: 0, answer: { event: 'backup', removed: [] } });
    expect(String(taken.answer?.['folder'])).toMatch(/^s3:\/\/backups\/of\/home\/vedette-/);
    const checked = await run('backup', ['--data', data, '--to', to, '--check']);
    expect(checked, checked.said).toMatchObject({ code: 0, answer: { folder: taken.answer?.['folder'] } });
    const restored = await restoreFrom(to);
    expect(restored, restored.said).toMatchObject({ code: 0, answer: { from: taken.answer?.['folder'] } });
    expect(existsSync(join(home, 'of-bucket', 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(home, 'of-bucket', 'keys', 'backup-store.sealed'))).toBe(false);
    rmSync(join(home, 'of-bucket'), { recursive: true });
    for (const secret of Object.values(bucket.keys))
      expect(taken.said + checked.said + restored.said).not.toContain(secret);
  });

  it('is refused where a piece was changed or lost, and with the key of another installation', async () => {
    const whole = [...bucket.objects].filter(([key]) => key.includes('database.tar.sealed'));
    expect(whole.length).toBeGreaterThan(1);
    const [key = '', piece] = whole.at(-1) ?? [];
    if (piece === undefined) throw new Error('no piece');
    const changed = Buffer.from(piece.bytes);
    changed[9] = (changed[9] ?? 0) ^ 1;
    bucket.objects.set(key, { ...piece, bytes: changed });
    expect((await restoreFrom(to)).said).toContain('cannot restore (backupDamaged)');
    bucket.objects.delete(key);
    expect((await restoreFrom(to)).said).toContain('cannot restore (backupDamaged)');
    bucket.objects.set(key, piece);
    const other = { VEDETTE_RECOVERY_KEY: writeRecoveryKey('ab'.repeat(32)) };
    expect((await restoreFrom(to, other)).said).toContain('cannot restore (backupKeyWrong)');
    expect(existsSync(join(home, 'of-bucket'))).toBe(false);
  });
});

describe('a restore is refused, and leaves nothing,', () => {
  const cases: readonly [string, string, (folder: string) => void | Promise<void>][] = [
    ['where a file was changed', 'backupDamaged', (folder) => flip(join(folder, 'database.tar.sealed'), 5_000_000)],
    ['where a file was cut', 'backupDamaged', (folder) => truncateSync(join(folder, 'database.tar.sealed'), 5_000_000)],
    ['where a file is longer', 'backupDamaged', (folder) => appendFileSync(join(folder, 'data.tar.sealed'), 'x')],
    ['where a file is missing', 'backupDamaged', (folder) => rmSync(join(folder, 'data.tar.sealed'))],
    ['where the manifest is none', 'backupDamaged', (folder) => writeFileSync(join(folder, 'manifest.json'), '{}')],
    ['where the manifest was changed', 'backupKeyWrong', (folder) => changeManifest(folder)],
    ['of a newer version', 'backupNewer', (folder) => makeNewer(folder)],
    ['where there is no backup', 'backupMissing', (folder) => rmSync(join(folder, 'manifest.json'))],
  ];

  it.each(cases)('%s', async (_, code, spoil) => {
    const folder = join(home, 'spoilt');
    cpSync(backup, folder, { recursive: true });
    await spoil(folder);
    const into = join(home, 'never');
    const ended = await restore(folder, into);
    expect(ended.code).toBe(1);
    expect(ended.said).toContain(`cannot restore (${code})`);
    expect([existsSync(into), existsSync(`${into}.restoring`)]).toEqual([false, false]);
    rmSync(folder, { recursive: true });
  });

  it('with a wrong key, without one, into a folder in use, and a backup into the data folder itself', async () => {
    const into = join(home, 'never');
    const other = writeRecoveryKey('ab'.repeat(32));
    expect((await restore(backup, into, other)).said).toContain('(backupKeyWrong)');
    expect((await restore(backup, into, recoveryKey.slice(1))).said).toContain('(recoveryKeyInvalid)');
    expect((await restore(backup, data)).said).toContain('(dataFolderUsed)');
    expect(existsSync(into)).toBe(false);
    expect((await run('backup', ['--data', data, '--to', join(data, 'b')])).said).toContain('(backupInside)');
    expect((await run('backup', ['--data', data])).code).toBe(2);
  });
});

function nameTime(folder: string): string {
  const [, day = '', time = ''] = /vedette-(\d{4}-\d\d-\d\d)T(.+)Z$/.exec(folder) ?? [];
  return `${day}T${time.replaceAll('-', ':')}Z`;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function changeManifest(folder: string): void {
  const file = join(folder, 'manifest.json');
  const { facts, hmac } = JSON.parse(readFileSync(file, 'utf8')) as { facts: string; hmac: string };
  writeFileSync(file, JSON.stringify({ facts: facts.replace('0.', '1.'), hmac }));
}

function stored(folder: string) {
  return { store: new FolderStore(dirname(folder)), name: basename(folder) };
}

async function makeNewer(folder: string): Promise<void> {
  const key = backupKey(readRecoveryKey(recoveryKey));
  const facts = await readManifest(stored(folder), key);
  await writeManifest(stored(folder), { ...facts, migration: '9999_of_a_later_version.sql' }, key);
}
