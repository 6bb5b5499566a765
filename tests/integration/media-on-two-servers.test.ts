// Two whole products on one database: what a remote site at one of them records and shows is watched through either.
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { nodeOfTicket } from '@vedette/contract/node-ticket.ts';
import { startTestDatabase } from '../contract/test-database.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { ConnectionRelay, RemoteSiteProcess } from '../harness/remote-site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { freePort } from '../harness/free-port.ts';

const ACCOUNT = ['operator', 'Watch-2026'] as const;
const KEY = randomBytes(32).toString('hex');

let database: Awaited<ReturnType<typeof startTestDatabase>>;
let products: readonly [Product, Product];
let operators: readonly [ApiClient, ApiClient];
let virtual: VirtualSite;
let remoteSite: RemoteSiteProcess;
let relay: ConnectionRelay;
let siteId: string;
let deviceSerial: string;

/** `like`: the one whose certificate authority it shares, so that remote sites know both by one fingerprint. */
async function startOne(like?: Product): Promise<Product> {
  const data = await mkdtemp(join(tmpdir(), 'vedette-test-'));
  await mkdir(join(data, 'tls'), { mode: 0o700 });
  if (like !== undefined)
    for (const name of ['ca.pem', 'ca.key']) await copyFile(join(like.data, 'tls', name), join(data, 'tls', name));
  const env = {
    DATABASE_URL: database.url,
    VEDETTE_KEY: KEY,
    // The console is not looked at: any folder does.
    VEDETTE_CONSOLE: new URL('../../', import.meta.url).pathname,
  };
  return await Product.start({ data, env, args: ['--node-address', `127.0.0.1:${await freePort()}`] });
}

async function siteStatus(at: 0 | 1): Promise<string | undefined> {
  const { siteList } = await operators[at].ok('site/list', {});
  return siteList.find((site) => site.siteId === siteId)?.status;
}

beforeAll(async () => {
  database = await startTestDatabase();
  const first = await startOne();
  const operator = await first.setUp(...ACCOUNT);
  const second = await startOne(first);
  products = [first, second];
  operators = [operator, await second.signIn(...ACCOUNT)];
  [virtual, remoteSite] = await Promise.all([startVirtualSite(), RemoteSiteProcess.create()]);
  relay = await ConnectionRelay.to(Number(new URL(second.url).port));
  const added = await operators[1].ok('site/add', { siteName: 'Harbour' });
  ({ siteId } = added.site);
  const { authority } = await operators[1].ok('site/code', { siteId });
  const { registrationCode } = await operators[1].ok('site/code', { siteId });
  const place = ['--server', `https://127.0.0.1:${relay.port}`, '--serial', added.site.serial];
  await remoteSite.start([...place, '--authority', authority, '--code', registrationCode]);
  for (const at of [0, 1] as const)
    await waitFor(`server ${at} to know of the site`, async () => (await siteStatus(at)) === 'online', 60_000);
}, 180_000);

afterAll(async () => {
  await remoteSite?.stop();
  await Promise.all([relay?.close(), virtual?.stop(), ...(products ?? []).map((product) => product.stop(false))]);
  await database?.stop();
});

it('shows its camera live through either server, by a ticket that names the one that has the site', async () => {
  const { target, user, password } = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  ({ deviceSerial } = (
    await operators[0].ok('device/add', { target, user, password, siteId, deviceName: 'Quay' })
  ).device);
  await waitFor(
    'the camera',
    async () => (await operators[0].ok('device/get', { deviceSerial })).device.status === 1,
    30_000,
  );
  const named = new Set<string | null>();
  for (const at of [0, 1] as const) {
    // A load balancer may send the viewer to either.
    for (const { url } of products) {
      const { ticket } = await operators[at].ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
      named.add(nodeOfTicket(ticket));
      const viewer = await LiveViewer.open(url, ticket);
      await waitFor(
        `pictures at ${url}`,
        () => {
          if (viewer.end) throw new Error(`it ended: ${JSON.stringify(viewer.end)}`);
          return viewer.fragments.length > 20;
        },
        30_000,
      );
      viewer.close();
    }
  }
  expect(named.size).toBe(1);
  expect(named.has(null)).toBe(false);
}, 120_000);

it('plays its recordings and gives its pictures through either', async () => {
  const ours = { deviceSerial, channelNo: 1, srcType: RECORD_SOURCE.cloud };
  const range = await waitFor(
    'a recording',
    async () => {
      const asked = { ...ours, startTime: Date.now() - 600_000, endTime: Date.now() };
      const { recordList } = await operators[0].ok('record/query', asked);
      return recordList.find(({ startTime, endTime }) => endTime - startTime > 4000);
    },
    60_000,
  );
  const window = { startTime: range.startTime, endTime: range.endTime - 1000 };
  for (const operator of operators) {
    const { url } = await operator.ok('record/hls', { ...ours, ...window });
    expect(await verifyMedia(url)).toMatchObject({ errors: '' });
    const { url: picture } = await operator.ok('capture/get', { deviceSerial, channelNo: 1 });
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/jpeg');
  }
}, 120_000);

it('goes dark within two seconds of a sign-out at the other server', async () => {
  const session = await products[0].signIn(...ACCOUNT);
  const { ticket } = await session.ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
  const viewer = await LiveViewer.open(products[0].url, ticket);
  await waitFor('pictures', () => viewer.fragments.length > 5, 30_000);
  const leaving = await products[1].signIn(...ACCOUNT);
  leaving.accessToken = session.accessToken;
  const before = Date.now();
  await leaving.ok('account/logout', {});
  const end = await waitFor('the end', () => viewer.end, 10_000);
  expect(end.arrivedAt - before).toBeLessThan(2000);
  viewer.close();
}, 60_000);

it('takes a ticket of nobody for none, and one of a server that is not there for one to try again', async () => {
  const unknown = await LiveViewer.open(products[0].url, `on-${'0'.repeat(24)}-${'x'.repeat(43)}`);
  expect((await waitFor('an answer', () => unknown.end, 10_000)).code).toBe(1012);
  const { ticket } = await operators[0].ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
  const forged = await LiveViewer.open(products[0].url, `${ticket.slice(0, 28)}${'x'.repeat(43)}`);
  expect((await waitFor('an answer', () => forged.end, 10_000)).code).toBe(1001);
  const answer = await fetch(`${products[0].url}/media/hls/on-${'0'.repeat(24)}-${'x'.repeat(43)}/index.m3u8`);
  expect(answer.status).toBe(502);
}, 60_000);

it('ends what is watched from a server that is gone, and shows it again as soon as the site has dialled the other one', async () => {
  const { ticket } = await operators[0].ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
  const viewer = await LiveViewer.open(products[0].url, ticket);
  await waitFor('pictures', () => viewer.fragments.length > 5, 30_000);
  await products[1].stop(true);
  expect((await waitFor('the end', () => viewer.end, 20_000)).code).toBe(1012);
  viewer.close();
  relay.moveTo(Number(new URL(products[0].url).port));
  const again = await waitFor(
    'pictures from the other server',
    async () => {
      const answer = await operators[0].call('media/url', { deviceSerial, channelNo: 1, quality: 1 });
      if (answer.code !== 200) return undefined;
      const watched = await LiveViewer.open(products[0].url, (answer.data as { ticket: string }).ticket);
      await waitFor('pictures or the end', () => watched.fragments.length > 5 || watched.end, 10_000);
      return watched.end === undefined && watched;
    },
    60_000,
  );
  again.close();
}, 120_000);
