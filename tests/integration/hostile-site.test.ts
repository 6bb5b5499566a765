// A remote site that enrols through the public entry over TLS and then lies in a loop, beside a real site whose cameras another tenant watches.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiClient } from '../harness/api-client.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { LyingSite, SILENCE } from '../harness/lying-site.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const MOTION = 'tns1:VideoSource/MotionAlarm';

let product: Product;
let operator: ApiClient;
let tenant: ApiClient;
let virtual: VirtualSite;
let far: LyingSite;
let siteId: string;
/** Of the camera beside the server, and by which the tenant watches it. */
let deviceSerial: string;
let shareId: string;

beforeAll(async () => {
  // The console is not looked at: any folder does.
  const env = { VEDETTE_CONSOLE: new URL('../../', import.meta.url).pathname };
  [product, virtual] = await Promise.all([Product.start({ env }), startVirtualSite()]);
  operator = await product.setUp();
  const authority = await readFile(join(product.data, 'tls', 'ca.pem'), 'utf8');
  const { site, registrationCode } = await operator.ok('site/add', { siteName: 'Harbour' });
  ({ siteId } = site);
  const { port } = new URL(product.url);
  const dial = () => new WebSocket(`wss://127.0.0.1:${port}/site`, { ca: authority });
  far = new LyingSite(dial, { siteId: site.serial, code: registrationCode });
  await far.connect();
  await waitFor('the far site', isOnline);
  await operator.ok('user/add', { username: 'tenant', password: 'Tenant-1', userType: 2 });
  tenant = await product.signIn('tenant', 'Tenant-1');
  await addCamera();
});

afterAll(async () => {
  far?.close();
  await Promise.all([product?.stop(), virtual?.stop()]);
});

/** Cameras on loopback are the operator's to add: it is shared with the tenant. */
async function addCamera(): Promise<void> {
  const { target, user, password } = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  const { device } = await operator.ok('device/add', { target, user, password, deviceName: 'Near' });
  ({ deviceSerial } = device);
  const isThere = async () => (await operator.ok('device/get', { deviceSerial })).device.status === 1;
  await waitFor('the camera', isThere);
  const items = [{ deviceSerial, channelNo: 1 }];
  ({ shareId } = await operator.ok('share/add', { account: 'tenant', items, permission: ['videoView'] }));
  await tenant.ok('share/accept', { shareId });
}

async function isOnline(): Promise<boolean> {
  return (await operator.ok('site/list', {})).siteList.some((one) => one.siteId === siteId && one.status === 'online');
}

/** One of each: of the tenant's camera, of nobody's, malformed, of years to come, unasked, huge. */
function lieOnce(round: number): void {
  const at = Date.now();
  const event = { kind: 'deviceEvent', topic: MOTION, phase: 'pulse', channelNo: 1, key: '', source: {}, data: {} };
  for (let count = 0; count < 50; count += 1) {
    const eventId = `${round}-${count}`;
    far.tell({ ...event, deviceSerial, eventId, at, deviceAt: 1 });
    far.tell({ ...event, deviceSerial: `NOBODY${count}`, eventId, at: 8e15, deviceAt: null });
    far.tell({ kind: 'deviceStatus', deviceSerial, status: 0, reason: 'fault', at: at + 1e12 });
    far.tell({ kind: 'deviceStatus', deviceSerial, status: 1e308, reason: [], at: 'now' });
    far.send({ type: 'direct', at, isConnected: count % 2 === 0 });
  }
  far.send({ type: 'answer', id: round, code: 200, data: 'x'.repeat(500_000) });
}

it('[SE-82] lies without end, while pictures, alarms, calls and withdrawals beside the server stay as they were', async () => {
  for (const name of ['revoke', 'tickets', 'assignOne', 'exportStatus', 'health'] as const)
    far.lies.set(name, () => SILENCE);
  const dev = { deviceSerial, channelNo: 1 };
  const { ticket } = await tenant.ok('media/url', dev);
  const viewer = await LiveViewer.open(product.url, ticket);
  await waitFor('pictures', () => viewer.fragments.length > 5, 20_000);
  let rounds = 0;
  const lying = setInterval(() => {
    if (far.socket.readyState !== far.socket.OPEN || far.socket.bufferedAmount > 8_000_000) return;
    rounds += 1;
    lieOnce(rounds);
  }, 50);
  try {
    const begunAt = Date.now();
    const seen = viewer.fragments.length;
    await waitFor('a hundred rounds of lies', () => rounds >= 100, 60_000);
    const passedS = (Date.now() - begunAt) / 1000;
    // The camera sends 25 a second at best, 10 at least.
    expect((viewer.fragments.length - seen) / passedS).toBeGreaterThan(8);
    expect((await tenant.ok('device/get', { deviceSerial })).device.status).toBe(1);
    const raised = await fetch(`${virtual.controlUrl}/devices/${deviceSerial}/raise`, {
      method: 'POST',
      body: JSON.stringify({ topic: MOTION, key: 'a true one' }),
    });
    expect(raised.ok).toBe(true);
    await waitFor('the true alarm', async () => (await alarms()).some(({ type }) => type === 'MotionAlarm'), 10_000);
    expect((await alarms()).filter(({ type }) => type === 'ClockWrong')).toEqual([]);
    const withdrawnAt = Date.now();
    await operator.ok('share/delete', { shareId, shareType: 2 });
    const end = await waitFor('the end of the view', () => viewer.end);
    expect(end.code).toBe(1017);
    expect(end.arrivedAt - withdrawnAt).toBeLessThan(2000);
  } finally {
    clearInterval(lying);
    viewer.close();
  }
}, 120_000);

async function alarms() {
  const { alarmList } = await operator.ok('alarm/list', { pageSize: 200 });
  return alarmList.filter((one) => one.deviceSerial === deviceSerial);
}
