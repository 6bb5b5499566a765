// Forty-four hostile cameras beside a good one: each offline with a reason or harmless, memory bounded, the good one recorded without a gap.
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { HOSTILE_VARIANTS, HostileCameras } from '../peers/hostile-camera.ts';

/** Growth of the whole site while all of them are at work. */
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;

let site: SiteProcess;
let good: CountedCamera;
let hostile: HostileCameras[];
let goodDevice: DeviceAssignment;

beforeAll(async () => {
  [site, good, hostile] = await Promise.all([SiteProcess.create(), startCountedCamera(), HostileCameras.listen()]);
  await site.serve();
  await site.start();
  const found = await site.ok('probe', { target: good.url(), ...CAMERA_ACCOUNT, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  goodDevice = {
    deviceSerial: found.deviceSerial,
    driver: found.driver,
    native: found.native,
    ...CAMERA_ACCOUNT,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: 'good', record, backfillFrom: null }],
  };
});

afterAll(async () => {
  await site?.stop();
  await good?.stop();
  for (const camera of hostile ?? []) await camera.close();
});

const serialOf = (index: number): string => `HOSTILE${index}`;

function hostileDevice(camera: HostileCameras, index: number): DeviceAssignment {
  const record = { quality: 0, retentionDays: 30 } as const;
  return {
    deviceSerial: serialOf(index),
    driver: 'rtsp',
    native: { urls: [camera.url] },
    user: 'admin',
    password: 'hostile-secret',
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: `hostile${index}`, record, backfillFrom: null }],
  };
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${site.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function reasonOf(index: number): string | null {
  const last = site.events.findLast((event) => event.kind === 'deviceStatus' && event.deviceSerial === serialOf(index));
  return last?.kind === 'deviceStatus' && last.status === 0 ? (last.reason ?? 'none') : null;
}

async function goodSpanMs(): Promise<number> {
  const range = { startTime: 0, endTime: Date.now() + 1000 };
  const { spans } = await site.ok('recordings', { channelId: 'good', quality: 0, ...range });
  expect(spans.length).toBeLessThanOrEqual(1);
  return spans.reduce((sum, span) => sum + span.endTime - span.startTime, 0);
}

it(`[SE-79] [SE-80] [SE-81] ${HOSTILE_VARIANTS.length} hostile cameras are offline with a reason or harmless; a good one beside them is recorded without a gap`, async () => {
  await site.ok('assign', { devices: [goodDevice], settings: site.settings });
  await waitFor('the good camera', async () => (await goodSpanMs()) > 1000, 20_000);
  const before = await residentBytes();
  const devices = [goodDevice, ...hostile.map(hostileDevice)];
  await site.ok('assign', { devices, settings: site.settings });
  const mute = HOSTILE_VARIANTS.flatMap((variant, index) => (variant.isOnline ? [] : [index]));
  let most = before;
  await waitFor(
    'every hostile camera to have its reason',
    async () => {
      most = Math.max(most, await residentBytes());
      const open = mute.filter((index) => reasonOf(index) === null);
      if (open.length > 0) throw new Error(open.map((index) => HOSTILE_VARIANTS[index]?.name).join(', '));
      return true;
    },
    60_000,
  );
  const spanBefore = await goodSpanMs();
  await waitFor('five more seconds of the good camera', async () => {
    most = Math.max(most, await residentBytes());
    return (await goodSpanMs()) > spanBefore + 5000;
  });
  const reasons = Object.fromEntries(mute.map((index) => [HOSTILE_VARIANTS[index]?.name, reasonOf(index)]));
  process.stdout.write(
    `hostile-camera: ${JSON.stringify({ variants: HOSTILE_VARIANTS.length, offlineWithReason: mute.length, grewMB: Math.round((most - before) / 1e6) })}\n`,
  );
  expect(Object.values(reasons)).not.toContain('none');
  expect(reasons).toMatchObject({ 'refuses every sign-in': 'deviceAuth', silent: 'timeout' });
  expect(most - before).toBeLessThan(MEMORY_MAX_BYTES);
  // Nothing was thrown that nobody caught, and no password reached the log.
  expect(site.log.filter((line) => /uncaught|unhandled/i.test(line))).toEqual([]);
  expect(site.log.join('\n')).not.toContain('hostile-secret');
}, 120_000);

const HTTP_ANSWERS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['a header without end', (socket) => repeat(socket, 'X: ', 'a'.repeat(60_000))],
  [
    'Content-Length of 2^63',
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n'),
  ],
  ['a body without end', (socket) => repeat(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(60_000))],
  ['a byte now and then', (socket) => repeat(socket, 'H', 'T', 500)],
  [
    'a gzip bomb',
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      socket.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
          bomb,
        ]),
      );
    },
  ],
  [
    'chunks that are none',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\nx'),
  ],
  [
    'a DOCTYPE with entities',
    (socket) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
      ),
  ],
  [
    'elements without end',
    (socket) => void socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'<a>'.repeat(100_000)}`),
  ],
];

function repeat(socket: Socket, first: string, more: string, everyMs = 20): void {
  socket.write(first);
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else if (!socket.writableNeedDrain) socket.write(more);
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

it("[SE-78] [SE-79] hostile web services are told from cameras in time, and the site's memory does not grow", async () => {
  const before = await residentBytes();
  const answers = await Promise.all(
    HTTP_ANSWERS.map(async ([name, act]) => {
      const server = createServer((socket) => {
        socket.on('error', () => socket.destroy());
        socket.once('data', () => act(socket));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const target = `http://127.0.0.1:${port}/onvif/device_service`;
      const { code } = await site.call('probe', { target, ...CAMERA_ACCOUNT, isOperator: true });
      server.close();
      return [name, code] as const;
    }),
  );
  expect(answers.filter(([, code]) => code !== 2316 && code !== 2317)).toEqual([]);
  expect((await residentBytes()) - before).toBeLessThan(MEMORY_MAX_BYTES);
});
