// Impostor cameras and DNS rebinding: refused, reported, and never given the password.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureServerCertificate } from '../../launcher/tls/local-authority.js';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type Certificate, ImpostorCamera } from '../peers/impostor-camera.ts';

const ACCOUNT = { user: 'admin', password: 'canary-camera-66' };
const HOOK = new URL('../peers/rebinding-resolver.js', import.meta.url).pathname;
/** What names lead to in turn: the camera, and a machine nobody may be sent to. */
const OPEN = '127.0.0.2';
const CLOSED = '127.0.0.1';

let site: SiteProcess;
let folder: string;
let certificates: Certificate[];
const cameras: ImpostorCamera[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untrusted-'));
  certificates = await Promise.all(['first', 'second'].map((name) => makeCertificate(join(folder, name))));
  site = await SiteProcess.create({ NODE_OPTIONS: `--import=${HOOK}`, TURNING_NAMES: [OPEN, CLOSED, CLOSED].join() });
  await site.serve();
  await site.start();
});

afterAll(async () => {
  await site?.stop();
  for (const camera of cameras) await camera.close();
  await rm(folder, { recursive: true, force: true });
});

async function makeCertificate(at: string): Promise<Certificate> {
  const { files } = ensureServerCertificate(at, ['localhost'], new Date());
  return { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
}

async function startCamera(certificate?: Certificate): Promise<ImpostorCamera> {
  const camera = await ImpostorCamera.listen('127.0.0.1', certificate);
  cameras.push(camera);
  return camera;
}

async function looked(serial: string, camera: ImpostorCamera): Promise<DeviceAssignment> {
  const { driver, native } = await site.ok('probe', { target: camera.url(), ...ACCOUNT, isOperator: true });
  const channels = [{ channelNo: 1, channelId: serial, record: null, backfillFrom: null }];
  return { deviceSerial: serial, driver, native, ...ACCOUNT, isOperatorAddress: true, channels };
}

function statusOf(serial: string): { status: number; reason: string | null } | undefined {
  const last = site.events.findLast((event) => event.kind === 'deviceStatus' && event.deviceSerial === serial);
  return last?.kind === 'deviceStatus' ? { status: last.status, reason: last.reason } : undefined;
}

const alarmsOf = (serial: string) =>
  site.events.filter((event) => event.kind === 'deviceEvent' && event.deviceSerial === serial);

const assign = (devices: DeviceAssignment[]) => site.ok('assign', { devices, settings: site.settings });

describe('a camera replaced by an impostor', () => {
  const turns = [
    { name: 'shows another certificate', breach: 'certificate', isSecure: true },
    { name: 'asks for the bare password where it took a digest', breach: 'weakerLine', isSecure: false },
    { name: 'leads from TLS to an open line', breach: 'weakerLine', isSecure: true },
  ] as const;

  it.each(
    turns.map((turn, index) => ({ ...turn, index })),
  )('[SE-66] that $name is offline with an alarm, receives no password, and is accepted when its credentials are entered again', async ({
    isSecure,
    breach,
    index,
  }) => {
    const serial = `TURNCOAT${index}`;
    const camera = await startCamera(isSecure ? certificates[0] : undefined);
    const device = await looked(serial, camera);
    await assign([device]);
    await waitFor('the camera online', () => statusOf(serial)?.status === 1);
    expect(alarmsOf(serial)).toEqual([]);

    // It turns while nobody looks: the site starts again, as after a power cut.
    await assign([]);
    if (index === 0 && certificates[1]) camera.setCertificate(certificates[1]);
    if (index > 0) camera.side = index === 1 ? 'basic' : 'plain';
    camera.hangUp();
    const before = camera.requests.length;
    await assign([device]);
    await waitFor('the camera refused', () => statusOf(serial)?.reason === 'untrusted');
    expect(statusOf(serial)).toEqual({ status: 0, reason: 'untrusted' });
    expect(alarmsOf(serial)).toMatchObject([
      { topic: 'tnsvdt:Alarm/AttackDetected', phase: 'pulse', data: { breach } },
    ]);
    const since = camera.requests.slice(before);
    expect(since.filter((head) => /Authorization/i.test(head))).toEqual([]);
    // With another certificate not a byte is said.
    if (breach === 'certificate') expect(since).toEqual([]);

    if (index === 2) return;
    const again = await looked(serial, camera);
    await assign([again]);
    await waitFor('the camera online again', () => statusOf(serial)?.status === 1);
  });

  it('[SE-66] a certificate first seen after the device was added is pinned over a restart too', async () => {
    const serial = 'TURNCOAT3';
    const camera = await startCamera(certificates[0]);
    const { native, ...rest } = await looked(serial, camera);
    const device = { ...rest, native: { ...native, trust: {} } };
    await assign([device]);
    await waitFor('the camera online', () => statusOf(serial)?.status === 1);
    await site.kill('SIGTERM');
    if (certificates[1]) camera.setCertificate(certificates[1]);
    camera.hangUp();
    const before = camera.requests.length;
    const eventCount = site.events.length;
    await site.start();
    await waitFor(
      'the camera refused',
      () => site.events.length > eventCount && statusOf(serial)?.reason === 'untrusted',
    );
    expect(camera.requests.slice(before)).toEqual([]);
    // Looked at anew it is taken, although nothing else of it has changed.
    await assign([{ ...(await looked(serial, camera)), native: { ...native, trust: { lookedMs: 1 } } }]);
    await waitFor('the camera online again', () => statusOf(serial)?.status === 1);
  });

  it('[SE-66] its password is in no log line', () => {
    expect(site.log.join('\n')).not.toContain(ACCOUNT.password);
  });
});

describe('a host name with DNS rebinding', () => {
  it('[SE-67] is dialled at the checked address, and the machine behind the other address receives nothing', async () => {
    const camera = await ImpostorCamera.listen(OPEN);
    cameras.push(camera);
    const trap = createServer();
    let caught = 0;
    trap.on('connection', (socket) => {
      caught += 1;
      socket.destroy();
    });
    await listenOn(trap, camera.port);
    try {
      await site.ok('assign', { devices: [], settings: { ...site.settings, cameraNetworks: [`${OPEN}/32`] } });
      const target = camera.url('gate.turning.test');
      const reasons: unknown[] = [];
      for (let look = 0; look < 6; look++) {
        const answer = await site.call('probe', { target, ...ACCOUNT, isOperator: false });
        const { reason } = answer.data as { reason?: string };
        reasons.push(answer.code === 200 ? 200 : reason);
      }
      expect(camera.requests.length).toBeGreaterThan(0);
      expect(reasons).toContain('refusedAddress');
      expect(caught).toBe(0);
    } finally {
      trap.close();
    }
  });
});

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, CLOSED);
  await once(server, 'listening');
}
