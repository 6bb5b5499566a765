// npm run master-key: the key of an installation that stood still is changed, killed after each step, and goes on by itself or by the next start.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FolderStore } from '../../launcher/backup-store/folder-store.js';
import { readBackupState } from '../../launcher/backup/backup-state.js';
import { readManifest } from '../../launcher/backup/manifest.js';
import { backupKey, writeRecoveryKey } from '../../launcher/backup/recovery-key.js';
import { SealedFile } from '../../site/state/sealed-file.ts';
import { CDN_PROVIDER } from '../contract/inputs/input-fixture.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const OPERATOR = ['operator', 'Watch-2026'] as const;
/** What the command says after each step, in their order. */
const STEPS = [/the change has begun/, /secrets of the database/, /secrets of the site/, /files of the backups/];

let home: string;
let data: string;
let cameras: VirtualSite;
let product: Product;
let providerId: string;
let firstKey: string;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** `killAt`: what it says is the end of it. */
async function change(killAt: RegExp | null, env: Record<string, string> = {}, more: readonly string[] = []) {
  const child = spawn(process.execPath, [join(ROOT, 'launcher/master-key.js'), 'change', '--data', data, ...more], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, said] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  createInterface({ input: child.stderr }).on('line', (line) => {
    said += `${line}\n`;
    if (killAt?.test(line)) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, said } satisfies Ended;
}

const masterKey = () => readFileSync(join(data, 'keys', 'master'), 'utf8').trim();
const isUnfinished = () => existsSync(join(data, 'keys', 'master-change'));

/** Passwords of cameras at site and server, and a key that the server alone keeps. */
async function everythingWorks(): Promise<void> {
  const operator = await product.signIn(...OPERATOR);
  await waitFor(
    'the cameras, signed in with their passwords',
    async () => (await operator.ok('device/list', { status: 1 })).total === cameras.devices.length,
    60_000,
  );
  const { providerList } = await operator.ok('cdn/provider/list', {});
  expect(providerList.map((one) => one.providerId)).toEqual([providerId]);
  const file = new SealedFile({
    disk: createDisk(),
    path: join(data, 'site', 'assignments.sealed'),
    masterKey: Buffer.from(masterKey(), 'hex'),
    purpose: 'assignments',
  });
  const opened = await file.read((error) => {
    throw error;
  });
  expect(opened).toMatchObject({ devices: expect.any(Array) });
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vedette-key-'));
  cameras = await startVirtualSite(['--scale', '1', '--bitrate', '256']);
  product = await Product.start({ env: { VEDETTE_BACKUP_TO: join(home, 'backups') } });
  data = product.data;
  const operator = await product.setUp(...OPERATOR);
  await addAll(operator, cameras.devices);
  providerId = (await operator.ok('cdn/provider/save', CDN_PROVIDER)).provider.providerId;
  await everythingWorks();
  firstKey = masterKey();
}, 180_000);

afterAll(async () => {
  await product?.stop(false);
  await cameras?.stop();
  for (const folder of [home, data]) if (folder) rmSync(folder, { recursive: true, force: true });
});

it('is refused while it runs', async () => {
  const refused = await change(null);
  expect([refused.code, refused.said.includes('(dataFolderInUse)')], refused.said).toEqual([1, true]);
  expect([masterKey(), isUnfinished()]).toEqual([firstKey, false]);
  await product.stop(true);
});

it('goes on after a kill at each step', async () => {
  const keys = new Set([firstKey]);
  for (const step of STEPS) {
    const killed = await change(step);
    expect(killed.said).toMatch(step);
    expect([killed.code, isUnfinished()], killed.said).toEqual([null, true]);
    const went = await change(null);
    expect([went.code, isUnfinished()], went.said).toEqual([0, false]);
    expect(went.said).toContain('it goes on');
    expect(went.out.trim().split('\n').at(-1)).toBe(writeRecoveryKey(masterKey()));
    keys.add(masterKey());
  }
  expect(keys.size).toBe(STEPS.length + 1);
  expect(statSync(join(data, 'keys', 'master')).mode & 0o077).toBe(0);
}, 240_000);

it('goes on by the next start, and everything opens with the new key', async () => {
  const killed = await change(/secrets of the database/);
  expect([killed.code, isUnfinished()], killed.said).toEqual([null, true]);
  product = await Product.start({ data, env: { VEDETTE_BACKUP_TO: join(home, 'backups') } });
  expect(isUnfinished()).toBe(false);
  await everythingWorks();
  const { folder } = await waitFor('a backup with the new key', () => readBackupState(data).good ?? false);
  const backup = { store: new FolderStore(dirname(folder)), name: basename(folder) };
  expect(await readManifest(backup, backupKey(masterKey()))).toMatchObject({ files: expect.any(Array) });
  await product.stop(true);
}, 180_000);

it('a key that the operator keeps is changed for another one that the operator gives', async () => {
  const env = { VEDETTE_KEY: masterKey(), VEDETTE_NEW_KEY: randomBytes(32).toString('hex') };
  rmSync(join(data, 'keys', 'master'));
  const alone = await change(null, { VEDETTE_KEY: env.VEDETTE_KEY });
  expect([alone.code, alone.said.includes('(usage)')], alone.said).toEqual([2, true]);
  const killed = await change(/secrets of the database/, env);
  expect([killed.code, isUnfinished()], killed.said).toEqual([null, true]);
  const note = readFileSync(join(data, 'keys', 'master-change'), 'utf8');
  expect(note, 'the key is not on the disk').not.toContain(env.VEDETTE_NEW_KEY);
  await expect(Product.start({ data, env: { VEDETTE_KEY: env.VEDETTE_NEW_KEY } })).rejects.toThrow(
    /masterKeyChangeUnfinished/,
  );
  const went = await change(null, env);
  expect([went.code, existsSync(join(data, 'keys', 'master'))], went.said).toEqual([0, false]);
  await expect(Product.start({ data, env: { VEDETTE_KEY: env.VEDETTE_KEY } })).rejects.toThrow(/otherMasterKey/);
  const files = [went.said, killed.said].join('\n');
  expect(files.includes(env.VEDETTE_NEW_KEY) || files.includes(env.VEDETTE_KEY), 'no key is in what it says').toBe(
    false,
  );
}, 180_000);
