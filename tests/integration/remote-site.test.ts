// A remote site that dials the server over TLS: enrolled once, viewed through the relay, disconnected and back.
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { TALK_FRAME_BYTES } from '@vedette/contract/talk-wire.ts';
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { WebSocket } from 'ws';
import type { ApiClient } from '../harness/api-client.ts';
import { RemoteSiteProcess, ConnectionRelay } from '../harness/remote-site-process.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let product: Product;
let operator: ApiClient;
let virtual: VirtualSite;
let remoteSite: RemoteSiteProcess;
let relay: ConnectionRelay;
let authority: string;
let siteId: string;
let serial: string;
/** Of the camera at the remote site. */
let deviceSerial: string;

beforeAll(async () => {
  // The console is not looked at: any folder does.
  const env = { VEDETTE_CONSOLE: new URL('../../', import.meta.url).pathname };
  [product, virtual, remoteSite] = await Promise.all([
    Product.start({ env }),
    startVirtualSite(),
    RemoteSiteProcess.create(),
  ]);
  operator = await product.setUp();
  relay = await ConnectionRelay.to(Number(new URL(product.url).port));
  authority = await readFile(join(product.data, 'tls', 'ca.pem'), 'utf8');
  const added = await operator.ok('site/add', { siteName: 'Harbour' });
  ({ siteId, serial } = added.site);
});

afterAll(async () => {
  await remoteSite?.stop();
  await Promise.all([relay?.close(), product?.stop(), virtual?.stop()]);
});

/** Says hello as a site would; answers the code with which the server hangs up. */
async function dialWithCode(code: string): Promise<number> {
  const socket = new WebSocket(`wss://127.0.0.1:${relay.port}/site`, { ca: authority });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, siteId: serial, secret: 'x'.repeat(43), code }));
  const [closedWith] = (await once(socket, 'close')) as [number];
  return closedWith;
}

async function siteNow() {
  const { siteList } = await operator.ok('site/list', {});
  return siteList.find((site) => site.siteId === siteId);
}

it('refuses a wrong code, any code after five attempts, and a site without TLS', async () => {
  const { registrationCode } = await operator.ok('site/code', { siteId });
  for (let attempt = 0; attempt < 5; attempt++) expect(await dialWithCode('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')).toBe(4401);
  expect(await dialWithCode(registrationCode)).toBe(4401);
  expect(await siteNow()).toMatchObject({ status: 'waiting', codeUntil: null });
  const plain = new WebSocket(`${product.url.replace('http', 'ws')}/site`);
  const [error] = (await once(plain, 'error')) as [Error];
  expect(error.message).toContain('404');
});

it('[FT-29] enrols over TLS by serial and code, once, and reconnects by itself', async () => {
  const { registrationCode, authority: fingerprint, command } = await operator.ok('site/code', { siteId });
  expect(command).toContain(`--serial ${serial} --code ${registrationCode} --authority ${fingerprint}`);
  const place = ['--server', `https://127.0.0.1:${relay.port}`, '--serial', serial, '--authority', fingerprint];
  await remoteSite.start([...place, '--code', registrationCode.toLowerCase()]);
  const site = await waitFor('the site', async () => ((await siteNow())?.status === 'online' ? siteNow() : false));
  expect(site).toMatchObject({ siteName: 'Harbour', isLocal: false, codeUntil: null, address: '127.0.0.1' });
  expect(site?.version).not.toBe('');
  expect(await dialWithCode(registrationCode)).toBe(4401);
  await remoteSite.end('SIGTERM');
  await waitFor('the site to be gone', async () => (await siteNow())?.status === 'offline');
  await remoteSite.start();
  await waitFor('the site to be back', async () => (await siteNow())?.status === 'online');
});

it('[ST-06] adds a camera there, and relays its live stream once for all viewers', async () => {
  const { target, user, password } = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  const { candidate } = await operator.ok('device/probe', { target, user, password, siteId });
  const picture = await fetch(candidate.snapshotUrl ?? '');
  expect(picture.headers.get('content-type')).toBe('image/jpeg');
  const { device } = await operator.ok('device/add', { target, user, password, siteId, deviceName: 'Quay' });
  ({ deviceSerial } = device);
  await waitFor('the camera', async () => (await operator.ok('device/get', { deviceSerial })).device.status === 1);

  const viewers = [];
  for (let count = 0; count < 2; count++) {
    const { ticket } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
    viewers.push(await LiveViewer.open(product.url, ticket));
  }
  for (const viewer of viewers) await waitFor('pictures', () => viewer.fragments.length > 40, 20_000);
  expect(await verifyMedia('-', viewers[0]?.videoFile())).toMatchObject({ codecs: ['h264'], errors: '' });
  for (const viewer of viewers) viewer.close();
});

it('[LV-07] serves a stream of CDN live through the relay, for caches and pages of others', async () => {
  const origin = { providerName: 'Origin', kind: 'origin', validMinutes: 60 } as const;
  const { provider } = await operator.ok('cdn/provider/save', origin);
  const { url } = await operator.ok('cdn/live/get', { deviceSerial, channelNo: 1, protocol: 1 });
  expect(new URL(url).pathname).toContain(`/media/cdn/far-${siteId}-`);
  const { liveId } = await operator.ok('cdn/live/start', { url });
  const playlist = await fetch(url);
  expect(Object.fromEntries(playlist.headers)).toMatchObject({
    'cache-control': 'public, max-age=1, stale-while-revalidate=4',
    'access-control-allow-origin': '*',
  });
  const name = /^[^#].*\.m4s$/mu.exec(await playlist.text())?.[0] ?? '';
  expect((await fetch(new URL(name, url))).headers.get('cache-control')).toBe('public, max-age=60');
  await operator.ok('cdn/live/stop', { liveId });
  expect((await fetch(url)).status).toBe(404);
  await operator.ok('cdn/provider/delete', { providerId: provider.providerId });
});

it('plays its recordings through the relay, and ends a live view within two seconds of its withdrawal', async () => {
  // The camera's card holds the minutes before: what the site itself recorded is asked for by name.
  const ours = { deviceSerial, channelNo: 1, srcType: RECORD_SOURCE.cloud };
  const range = await waitFor(
    'a recording',
    async () => {
      const asked = { ...ours, startTime: Date.now() - 600_000, endTime: Date.now() };
      const { recordList } = await operator.ok('record/query', asked);
      return recordList.find(({ startTime, endTime }) => endTime - startTime > 4000);
    },
    30_000,
  );
  // Well before the edge, where the recording still grows.
  const window = { startTime: range.startTime, endTime: range.endTime - 1000 };
  const { url } = await operator.ok('record/hls', { ...ours, ...window });
  expect(new URL(url).pathname).toContain(`/far-${siteId}-`);
  const judged = await verifyMedia(url);
  // Its G.711 as AAC.
  expect(judged).toMatchObject({ codecs: ['h264', 'aac'], errors: '' });
  expect(judged.durationS).toBeGreaterThan(2);

  await operator.ok('user/add', { username: 'partner', password: 'Partner-1', userType: 2 });
  const items = [{ deviceSerial, channelNo: 1 }];
  const { shareId } = await operator.ok('share/add', { account: 'partner', items, permission: ['videoView'] });
  const partner = await product.signIn('partner', 'Partner-1');
  await partner.ok('share/accept', { shareId });
  const { ticket } = await partner.ok('media/url', { deviceSerial, channelNo: 1 });
  const viewer = await LiveViewer.open(product.url, ticket);
  await waitFor('pictures', () => viewer.fragments.length > 5, 20_000);
  const withdrawnAt = Date.now();
  await operator.ok('share/delete', { shareId, shareType: 2 });
  const end = await waitFor('the end', () => viewer.end);
  expect(end.code).toBe(1017);
  expect(end.arrivedAt - withdrawnAt).toBeLessThan(2000);
  expect((await partner.call('site/list', {})).data?.siteList.map((site) => site.siteId)).toEqual(['local']);
  viewer.close();
}, 120_000);

it("plays recordings on its camera's card through the relay, fetched there", async () => {
  const card = { deviceSerial, channelNo: 1, srcType: RECORD_SOURCE.local };
  const asked = { startTime: Date.now() - 7_200_000, endTime: Date.now() - 300_000 };
  const { recordList } = await operator.ok('record/query', { ...card, ...asked });
  const kept = recordList.find(({ startTime, endTime }) => endTime - startTime > 60_000);
  if (!kept) throw new Error('the card holds nothing long enough');
  const window = { startTime: kept.startTime + 20_000, endTime: kept.startTime + 40_000 };
  const { url, srcType } = await operator.ok('record/hls', { ...card, ...window });
  expect(srcType).toBe(RECORD_SOURCE.local);
  // It names what was fetched so far: until all of it is there a player would take it for a live stream.
  await waitFor('the whole window', async () => (await (await fetch(url)).text()).includes('#EXT-X-ENDLIST'), 30_000);
  const judged = await verifyMedia(url);
  expect(judged).toMatchObject({ codecs: ['h264'], errors: '' });
  expect(judged.durationS).toBeGreaterThanOrEqual(20);
});

it('[FT-29] continues recording while disconnected, says so, and reports missed events once afterwards', async () => {
  await control('events', { watchesScenes: false });
  const cutAt = Date.now();
  relay.cut();
  await waitFor('the server to notice', async () => (await siteNow())?.status === 'offline');
  await control('raise', { topic: 'tns1:VideoSource/MotionAlarm', key: 'cut' });
  const refused = await waitFor(
    'a refusal',
    async () => {
      const answer = await operator.call('media/url', { deviceSerial, channelNo: 1 });
      return answer.code === 2317 ? answer : undefined;
    },
    20_000,
  );
  expect(refused.data).toMatchObject({ reason: 'siteAway' });
  await waitFor(
    'the camera to be unknown',
    async () => (await operator.ok('device/get', { deviceSerial })).device.statusReason === 'siteAway',
    20_000,
  );
  relay.restore();
  const mendedAt = Date.now();
  await waitFor('the site to be back', async () => (await siteNow())?.status === 'online', 30_000);
  const status = async () => (await operator.ok('device/get', { deviceSerial })).device.status;
  await waitFor('the camera', async () => (await status()) === 1, 30_000);
  const motions = await waitFor('the alarm of the cut', async () => {
    // Of this kind alone: what the product tells of its sites and devices stands in the same list.
    const { alarmList } = await operator.ok('alarm/list', { types: ['MotionAlarm'] });
    const found = alarmList.filter(({ time }) => time >= cutAt && time <= mendedAt);
    return found.length > 0 ? found : undefined;
  });
  expect(motions).toHaveLength(1);
  const spans = await waitFor(
    'one recording over the cut',
    async () => {
      const asked = { deviceSerial, channelNo: 1, startTime: cutAt - 1000, endTime: mendedAt + 1000 };
      const { recordList, gapList } = await operator.ok('record/query', asked);
      const last = recordList.at(-1)?.endTime ?? 0;
      return last >= mendedAt ? { recordList, gapList } : undefined;
    },
    20_000,
  );
  expect(spans.gapList).toEqual([]);
  const { ticket } = await operator.ok('media/url', { deviceSerial, channelNo: 1 });
  const viewer = await LiveViewer.open(product.url, ticket);
  await waitFor('pictures after it', () => viewer.fragments.length > 5, 30_000);
  viewer.close();
}, 120_000);

it('[LV-04] talks through the relay, with the whole tone', async () => {
  const { url, codec } = await operator.ok('talk/url', { deviceSerial, channelNo: 1 });
  const [address = '', ticket = ''] = url.split('#');
  expect(new URL(address).pathname).toContain(`/far-${siteId}-`);
  const socket = new WebSocket(address);
  const notices: unknown[] = [];
  socket.on('message', (data) => notices.push(JSON.parse(String(data))));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'open', ticket }));
  await waitFor('the camera to listen', () => notices.length > 0);
  expect(notices).toEqual([{ type: 'ready', codec }]);
  let sent = 0;
  const speaking = setInterval(() => {
    for (let frame = 0; frame < 3; frame++) {
      const tone = Int16Array.from({ length: TALK_FRAME_BYTES }, (_, n) =>
        Math.round(12_000 * Math.sin((2 * Math.PI * 500 * (sent + n)) / 8000)),
      );
      socket.send(encodeG711(codec, tone));
      sent += TALK_FRAME_BYTES;
    }
  }, 60);
  try {
    const heard = await waitFor('a second of sound', async () => {
      const { devices } = (await (await fetch(`${virtual.controlUrl}/state`)).json()) as {
        devices: { serial: string; heard: Record<string, { samples: number; pitchHz: number; level: number }> }[];
      };
      const now = devices.find(({ serial: own }) => own === deviceSerial)?.heard['1'];
      return now && now.samples >= 8000 ? now : undefined;
    });
    expect(heard.pitchHz).toBeCloseTo(500, -1);
    expect(heard.level).toBeGreaterThan(0.2);
  } finally {
    clearInterval(speaking);
    socket.close();
  }
});

it('exports its recordings, downloaded through the relay', async () => {
  const ours = { deviceSerial, channelNo: 1, srcType: RECORD_SOURCE.cloud };
  const { recordList } = await operator.ok('record/query', {
    ...ours,
    startTime: Date.now() - 600_000,
    endTime: Date.now(),
  });
  const span = recordList.find(({ startTime, endTime }) => endTime - startTime > 5000);
  if (!span) throw new Error('nothing long enough was recorded');
  const range = { deviceSerial, channelNo: 1, startTime: span.startTime, endTime: span.startTime + 4000 };
  const { task } = await operator.ok('record/export/start', { items: [range] });
  const done = await waitFor('the export', async () => {
    const now = await operator.ok('record/export/status', { task });
    expect(now.state).not.toBe('failed');
    return now.state === 'finished' ? now : undefined;
  });
  const file = Buffer.from(await (await fetch(done.url)).arrayBuffer());
  expect(createHash('sha256').update(file).digest('hex')).toBe(done.sha256);
  const judged = await verifyMedia('-', file);
  expect(judged).toMatchObject({ errors: '' });
  expect(judged.codecs[0]).toBe('h264');
  expect(judged.durationS).toBeGreaterThan(3);
});

it('[LV-03] saves a preset there, and shows its snapshot through the relay', async () => {
  const roof = virtual.devices.find(({ name }) => name === 'Roof') as VirtualDevice;
  const { target, user, password } = roof;
  const { device } = await operator.ok('device/add', { target, user, password, siteId, deviceName: 'Crane' });
  const crane = { deviceSerial: device.deviceSerial, channelNo: 1 };
  await waitFor(
    'the camera',
    async () => (await operator.ok('device/get', { deviceSerial: crane.deviceSerial })).device.status === 1,
  );
  await operator.ok('preset/add', { ...crane, name: 'Hook' });
  // The view is taken a moment after the head has come to rest.
  const picture = await waitFor('the picture of the preset', async () => {
    const { presetList } = await operator.ok('preset/list', crane);
    const { image = '' } = presetList.find(({ name }) => name === 'Hook') ?? {};
    const answer = await fetch(new URL(image, product.url));
    return answer.headers.get('content-type') === 'image/jpeg' ? answer : undefined;
  });
  expect(picture.url).toContain(`/far-${siteId}-`);
  expect(Buffer.from(await picture.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  await operator.ok('device/delete', { deviceSerial: device.deviceSerial });
});

/** The table of faults asks for both ways; a usual run takes the one that the server must find out by itself. */
it(`[FT-29] a connection that passes one direction alone counts as cut on both sides; the site keeps recording and reconnects within ten seconds`, async () => {
  for (let round = 0; round < faultRounds(1, 6); round++) {
    const mutedAt = Date.now();
    relay.mute(round % 2 === 0 ? 'toServer' : 'toSite');
    await waitFor('the server to notice', async () => (await siteNow())?.status === 'offline', 20_000);
    relay.restore();
    const mendedAt = Date.now();
    await waitFor('the site to be back', async () => (await siteNow())?.status === 'online', 20_000);
    expect(Date.now() - mendedAt).toBeLessThan(10_000);
    const { gapList } = await waitFor('the recording over it', async () => {
      const asked = { deviceSerial, channelNo: 1, startTime: mutedAt - 1000, endTime: mendedAt };
      const answer = await operator.call('record/query', asked);
      return (answer.data?.recordList?.at(-1)?.endTime ?? 0) >= mendedAt - 1500 ? answer.data : undefined;
    });
    expect(gapList).toEqual([]);
  }
}, 300_000);

it('deletes a site without devices, and refuses its machine from then on', async () => {
  expect((await operator.call('site/delete', { siteId })).code).toBe(1016);
  await operator.ok('device/delete', { deviceSerial });
  await operator.ok('site/delete', { siteId });
  expect(await siteNow()).toBeUndefined();
  await waitFor('the site to be refused', () =>
    remoteSite.log.some((line) => line.includes('the server refused this site')),
  );
});

async function control(command: string, input: object): Promise<void> {
  const state = (await (await fetch(`${virtual.controlUrl}/state`)).json()) as { devices: { serial: string }[] };
  const own = state.devices.find((device) => device.serial === deviceSerial)?.serial ?? '';
  const answer = await fetch(`${virtual.controlUrl}/devices/${own}/${command}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
