// The doctor as a program: on an installation that runs, on one that does not, and on each thing that may be wrong with it.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../launcher/doctor/examine.js';
import { run } from '../../launcher/process/run.js';
import { writeCertificate } from '../../launcher/tls/certificate.js';
import { SealedFile } from '../../site/state/sealed-file.ts';
import { Launch } from '../harness/launch.ts';
import { canMount, memoryDisk } from '../harness/mounted-disk.ts';
import { copyCluster, emptyCluster } from '../harness/postgres-cluster.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const KEY = 'ab'.repeat(32);

let data: string;
let listeners: Server[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vedette-doctor-'));
});
afterEach(() => {
  for (const listener of listeners) listener.close();
  listeners = [];
  rmSync(data, { recursive: true, force: true });
});

async function doctor(folder: string, args: readonly string[] = []) {
  const all = ['launcher/doctor.js', '--port', '0', '--data', folder, '--json', ...args];
  const { code, stdout } = await run(process.execPath, all, { cwd: ROOT });
  const diagnosis = JSON.parse(stdout) as Diagnosis;
  const of = (check: string) => diagnosis.findings.filter((one) => one.check === check);
  return { code, diagnosis, of };
}

async function listening(): Promise<number> {
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  listeners.push(listener);
  await once(listener, 'listening');
  return (listener.address() as AddressInfo).port;
}

function putKey(): void {
  mkdirSync(join(data, 'keys'), { mode: 0o700 });
  writeFileSync(join(data, 'keys', 'master'), `${KEY}\n`, { mode: 0o600 });
}

describe('on an installation that runs', () => {
  let running: Launch;
  let port = '';
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-doctor-'));
    running = new Launch(['--port', '0', '--no-demo', '--data', folder]);
    ({ port } = new URL((await running.ready()).url));
  });
  afterAll(async () => {
    await running.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds its port, its database, its key and its certificate in order', async () => {
    const { code, diagnosis, of } = await doctor(folder, ['--port', port, '--rtsp-port', 'off']);
    expect(diagnosis).toMatchObject({ isRunning: true });
    const states = ['ports', 'database', 'key', 'certificate'].flatMap((check) => of(check).map(({ state }) => state));
    expect(states).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(of('database')[0]?.text).toMatch(/PostgreSQL 18\.\d+ answers/);
    expect(code).toBe(0);
  });

  it('says so where its port was given differently', async () => {
    const { of } = await doctor(folder, ['--port', String(await unusedPort()), '--rtsp-port', 'off']);
    expect(of('ports')).toMatchObject([{ state: 'warning' }]);
  });

  it('writes a support bundle with the ends of the logs, and without secrets', async () => {
    appendFileSync(join(folder, 'logs', 'server.log'), 'dialled rtsp://admin:canary-word@10.0.0.8/1\n');
    const file = join(data, 'support.tar.gz');
    await doctor(folder, ['--bundle', file]);
    const { stdout: names } = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' });
    expect(names.split('\n')).toEqual(
      expect.arrayContaining(
        ['doctor.json', 'settings.json', 'logs/postgres.log'].map((name) => `vedette-support/${name}`),
      ),
    );
    const { stdout: all } = spawnSync('tar', ['-xzOf', file], { encoding: 'utf8', maxBuffer: 1e8 });
    expect(all).toContain('dialled rtsp://admin:[secret]@10.0.0.8/1');
    expect(all).not.toContain('canary-word');
    expect(all).not.toContain(readFileSync(join(folder, 'keys', 'master'), 'utf8').trim());
  });
});

it('finds nothing wrong before the first start', async () => {
  const { code, diagnosis } = await doctor(join(data, 'not', 'there'));
  expect(diagnosis.findings.filter(({ state }) => state === 'failure')).toEqual([]);
  expect(code).toBe(0);
});

it('names the port that another program uses', async () => {
  const port = String(await listening());
  const { code, of } = await doctor(data, ['--port', port, '--rtsp-port', 'off', '--host', '127.0.0.1']);
  expect(of('ports')).toMatchObject([{ state: 'failure', text: `Port ${port} is used by another program.` }]);
  expect(code).toBe(1);
});

it('tells an expired certificate', async () => {
  putKey();
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = writeCertificate({
    subject: 'localhost',
    issuer: 'localhost',
    subjectKey: pair.publicKey,
    issuerPublicKey: pair.publicKey,
    issuerKey: pair.privateKey,
    notBefore: new Date('2020-01-01T00:00:00Z'),
    notAfter: new Date('2021-01-01T00:00:00Z'),
    names: ['localhost'],
  });
  const cert = join(data, 'server.pem');
  writeFileSync(cert, pem);
  writeFileSync(join(data, 'server.key'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const { code, of } = await doctor(data, ['--tls-cert', cert, '--tls-key', join(data, 'server.key')]);
  expect(of('certificate')).toMatchObject([{ state: 'failure', text: 'The certificate expired on 2021-01-01.' }]);
  expect(of('key')).toMatchObject([{ state: 'ok' }]);
  expect(code).toBe(1);
});

it('tells a cluster that is whole from one whose control file is damaged or gone', async () => {
  putKey();
  const cluster = join(data, 'postgres');
  copyCluster(await emptyCluster(), cluster);
  expect((await doctor(data)).of('database')).toMatchObject([{ state: 'ok' }]);
  const control = join(cluster, 'global', 'pg_control');
  const bytes = readFileSync(control);
  bytes[100] = (bytes[100] ?? 0) ^ 0xff;
  writeFileSync(control, bytes);
  const damaged = await doctor(data);
  expect(damaged.of('database')).toMatchObject([{ state: 'failure', text: expect.stringContaining('checksum') }]);
  expect(damaged.code).toBe(1);
  rmSync(control);
  expect((await doctor(data)).of('database')).toMatchObject([{ state: 'failure' }]);
});

it('tells a database without its key', async () => {
  mkdirSync(join(data, 'postgres'));
  expect((await doctor(data)).of('key')).toMatchObject([
    { state: 'failure', text: expect.stringContaining('missing') },
  ]);
});

it.skipIf(!canMount)('tells a full disk', async () => {
  const disk = memoryDisk(32);
  try {
    const { code, of } = await doctor(disk.folder);
    expect(of('disk-space')).toMatchObject([{ state: 'failure', text: expect.stringContaining('The disk is full') }]);
    expect(code).toBe(1);
  } finally {
    disk.remove();
  }
});

it('names the cameras that accept no connection, and no address', async () => {
  putKey();
  const ports = { here: await listening(), gone: await unusedPort() };
  const devices = Object.entries(ports).map(([deviceSerial, port]) => ({
    deviceSerial,
    driver: 'rtsp',
    native: { urls: [`rtsp://127.0.0.1:${port}/main`] },
    user: '',
    password: 'canary-word',
    isOperatorAddress: true,
    channels: [],
  }));
  mkdirSync(join(data, 'site'));
  const path = join(data, 'site', 'assignments.sealed');
  const file = new SealedFile({ disk: createDisk(), path, masterKey: Buffer.from(KEY, 'hex'), purpose: 'assignments' });
  await file.write({ devices, settings: null, storageIds: {} });
  const [finding] = (await doctor(data)).of('cameras');
  expect(finding).toMatchObject({ state: 'warning' });
  expect(finding?.text).toBe('1 of 2 cameras accept connections. Not: gone (unreachable).');
});

/** Nothing listens there any more. */
async function unusedPort(): Promise<number> {
  const port = await listening();
  const listener = listeners.pop();
  listener?.close();
  if (listener !== undefined) await once(listener, 'close');
  return port;
}
