// The plan of the backups by calls: saved with the version that was seen, tried first, its secret never given back, and read as the launcher reads it.
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planText, readConsolePlan } from '../../launcher/backup/console-plan.js';
import { OBJECT_STORE } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const { secretKey: _known, ...PLACE } = OBJECT_STORE;
const secretKey = 'a-key-of-this-test';
const BUCKET = { kind: 'bucket', ...PLACE } as const;

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});
beforeEach(() => {
  site.probedStores.length = 0;
});
afterEach(async () => {
  site.storeProbe = { step: null, reason: null };
  await save({ kind: 'none' });
});

const plan = async () => (await operator.ok('backup/plan/get', {})).plan;
type Target = Parameters<typeof operator.ok<'backup/plan/save'>>[1]['target'];
const save = async (target: Target) =>
  (await operator.ok('backup/plan/save', { version: (await plan()).version, target, hours: 12, keep: 3 })).plan;
const ofLauncher = () => readConsolePlan(planText(server.dataFolder), server.masterKey);

describe('a bucket', () => {
  it('is saved for the launcher, which reads its key; calls and files do not tell it', async () => {
    const saved = await save({ ...BUCKET, secretKey });
    expect(saved).toMatchObject({ target: BUCKET, hours: 12, keep: 3, startPlace: null });
    expect(JSON.stringify([saved, await plan()])).not.toContain('secretKey');
    expect(ofLauncher()).toEqual({
      to: 's3://recordings/vedette?endpoint=https%3A%2F%2Fobjects.example&region=eu-1&style=path',
      everyMs: 12 * 3_600_000,
      keep: 3,
      keys: { accessKey: 'KEY', secretKey },
    });
    expect(planText(server.dataFolder)).not.toContain(secretKey);
    expect((await stat(join(server.dataFolder, 'keys', 'backup-plan.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps its key when the rest is changed, and sends it nowhere else', async () => {
    await save({ ...BUCKET, secretKey });
    await save({ ...BUCKET, prefix: 'other' });
    expect(site.probedStores.at(-1)).toMatchObject({ prefix: 'other', secretKey });
    expect(ofLauncher()?.keys).toEqual({ accessKey: 'KEY', secretKey });
    const { version } = await plan();
    for (const other of [{ endpoint: 'https://other.example' }, { bucket: 'another' }, { accessKey: 'NOBODY' }]) {
      const target = { ...BUCKET, ...other };
      for (const [path, input] of [
        ['backup/plan/probe', { target }],
        ['backup/plan/save', { version, target, hours: 12, keep: 3 }],
      ] as const)
        expect(await operator.raw(path, input)).toMatchObject({ code: 1003, data: { secretKey: 'required' } });
    }
    expect(site.probedStores).toHaveLength(2);
  });

  it('is not saved where it fails its probe, which says at which step', async () => {
    site.storeProbe = { step: 'delete', reason: 'denied' };
    const target = { ...BUCKET, secretKey };
    expect(await operator.ok('backup/plan/probe', { target })).toEqual({ step: 'delete', reason: 'denied' });
    const { version } = await plan();
    const answer = await operator.raw('backup/plan/save', { version, target, hours: 12, keep: 3 });
    expect(answer).toMatchObject({ code: 1003, data: { accessKey: 'notAllowed' } });
    expect((await plan()).target).toEqual({ kind: 'none' });
  });

  it('takes an address without path and keys alone', async () => {
    for (const endpoint of ['https://objects.example/path', 'https://user:word@objects.example'])
      expect(await operator.raw('backup/plan/probe', { target: { ...BUCKET, secretKey, endpoint } })).toMatchObject({
        code: 1003,
        data: { endpoint: 'format' },
      });
  });

  it('leaves its words in the audit log, and no key', async () => {
    await save({ ...BUCKET, secretKey });
    const { auditList } = await operator.ok('audit/list', { pageSize: 5 });
    expect(auditList[0]).toMatchObject({ call: 'backup/plan/save', object: 'recordings' });
    expect(JSON.stringify(auditList)).not.toContain(secretKey);
    expect(server.log.join('\n')).not.toContain(secretKey);
  });
});

describe('a folder', () => {
  it('is tried with a file that does not stay, and saved', async () => {
    const folder = join(server.database.folder, 'backups');
    await mkdir(folder);
    const target = { kind: 'folder', folder } as const;
    expect(await operator.ok('backup/plan/probe', { target })).toEqual({ step: null, reason: null });
    expect(await readdir(folder)).toEqual([]);
    expect((await save(target)).target).toEqual(target);
    expect(ofLauncher()).toEqual({ to: folder, everyMs: 12 * 3_600_000, keep: 3, keys: null });
  });

  it('is refused where it is absent, a file, or inside the data folder', async () => {
    const file = join(server.dataFolder, 'keys', 'backup-plan.json');
    for (const [folder, reason] of [
      [join(server.database.folder, 'absent'), 'folderAbsent'],
      [file, 'folderAbsent'],
      [server.dataFolder, 'folderInside'],
      [join(server.dataFolder, 'keys'), 'folderInside'],
      ['/proc', 'folderAbsent'],
    ] as const) {
      const probe = await operator.ok('backup/plan/probe', { target: { kind: 'folder', folder } });
      expect([folder, probe]).toEqual([folder, { step: 'write', reason }]);
    }
    expect(await readdir(join(server.dataFolder, 'keys'))).toEqual(['backup-plan.json']);
  });

  it.runIf(process.getuid?.() !== 0)('is refused where nobody may write', async () => {
    const folder = join(server.database.folder, 'barred');
    await mkdir(folder);
    await chmod(folder, 0o500);
    const probe = await operator.ok('backup/plan/probe', { target: { kind: 'folder', folder } });
    expect(probe).toEqual({ step: 'write', reason: 'folderDenied' });
  });
});

it('refuses an edit of an older version with the newer plan, and one of two at the same time', async () => {
  const before = await plan();
  const newer = await save({ ...BUCKET, secretKey });
  const input = { target: { kind: 'none' }, hours: 1, keep: 1 } as const;
  const stale = await operator.raw('backup/plan/save', { ...input, version: before.version });
  expect(stale).toMatchObject({ code: 1010, data: newer });
  const both = [1, 2].map(() => operator.raw('backup/plan/save', { ...input, version: newer.version }));
  expect((await Promise.all(both)).map(({ code }) => code).toSorted()).toEqual([1010, 200]);
});

it('belongs to the start where that named a place', async () => {
  const fixed = await ServerUnderTest.start({ VEDETTE_BACKUP_TO: '/mnt/backups' });
  try {
    const client = await fixed.setUp();
    expect((await client.ok('backup/plan/get', {})).plan.startPlace).toBe('/mnt/backups');
    const input = { version: 0, target: { kind: 'none' }, hours: 1, keep: 1 } as const;
    expect((await client.raw('backup/plan/save', input)).code).toBe(1006);
    expect(await readFile(join(fixed.dataFolder, 'keys', 'backup-plan.json')).catch(() => null)).toBeNull();
  } finally {
    await fixed.stop();
  }
});
