// A day of the demo in a few minutes, in the current network namespace: all steps of a viewer, each reported as a line.
import { setTimeout } from 'node:timers/promises';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift';
import type { ApiClient } from './api-client.ts';
import { RemoteSiteProcess } from './remote-site-process.ts';
import { verifyMedia, run } from './ffprobe.ts';
import { LiveViewer } from './live-viewer.ts';
import { Product } from './product.ts';
import { startVirtualSite } from './virtual-site.ts';
import type { DayStep } from './day-step.ts';
import { waitFor } from './wait-for.ts';

/** Longer than all that the product does again and again while nobody is there: health, knocking, statuses. */
const IDLE_MS = 15_000;
const LIVE_FRAGMENTS = 20;

type Camera = { readonly deviceSerial: string; readonly channelNo: number };

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - from);
  process.stdout.write(`${JSON.stringify({ step: name, endedAt: Date.now(), ms } satisfies DayStep)}\n`);
  return result;
}

async function watchLive(operator: ApiClient, url: string, camera: Camera): Promise<void> {
  const asked = { ...camera, quality: 1 as const };
  const { ticket, hlsUrl, rtspUrl } = await waitFor('a stream', () => operator.ok('media/url', asked));
  const viewer = await LiveViewer.open(url, ticket);
  await waitFor('live pictures', () => viewer.fragments.length > LIVE_FRAGMENTS, 30_000);
  viewer.close();
  await waitFor('a playlist', async () => (await fetch(new URL(hlsUrl, url))).ok, 20_000);
  await run('ffmpeg', ['-v', 'error', '-rtsp_transport', 'udp', '-i', rtspUrl, '-t', '1', '-f', 'null', '-']);
  const { url: still } = await waitFor('a still', () => operator.ok('capture/get', camera));
  await (await fetch(still)).arrayBuffer();
}

async function playBack(operator: ApiClient, camera: Camera): Promise<void> {
  // What the camera's own card holds is exported otherwise.
  const ours = { ...camera, srcType: RECORD_SOURCE.cloud };
  const range = await waitFor(
    'a recording',
    async () => {
      const asked = { ...ours, startTime: Date.now() - 600_000, endTime: Date.now() };
      const { recordList } = await operator.ok('record/query', asked);
      return recordList.find(({ startTime, endTime }) => endTime - startTime > 4000);
    },
    60_000,
  );
  const clip = { ...camera, startTime: range.endTime - 4000, endTime: range.endTime - 1000 };
  await verifyMedia((await operator.ok('record/hls', { ...clip, srcType: RECORD_SOURCE.cloud })).url);
  const { task } = await operator.ok('record/export/start', { items: [clip] });
  const done = await waitFor(
    'the export',
    async () => {
      const status = await operator.ok('record/export/status', { task });
      return status.url === '' ? undefined : status;
    },
    60_000,
  );
  await (await fetch(done.url)).arrayBuffer();
}

async function watchDirect(operator: ApiClient, url: string, camera: Camera): Promise<void> {
  const codec = { mimeType: 'video/H264', clockRate: 90_000, parameters: 'packetization-mode=1' };
  const connection = new RTCPeerConnection({ iceServers: [], codecs: { video: [new RTCRtpCodecParameters(codec)] } });
  let packets = 0;
  connection
    .addTransceiver('video', { direction: 'recvonly' })
    .receiver.track.onReceiveRtp.subscribe(() => (packets += 1));
  connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe(() => (packets += 1)));
  const offer = await connection.createOffer();
  // The viewer's own library asks a public server too, unless it has none: this watch is for the product.
  for (const { connection: ice } of connection.iceTransports) delete ice.stunServer;
  await connection.setLocalDescription(offer);
  const { deviceSerial } = camera;
  await waitFor('the straight way', async () => (await operator.ok('nat/factor', { deviceSerial })).mode === 2, 60_000);
  const asked = { ...camera, quality: 1 as const, codecs: ['h264' as const] };
  const { p2pUrl } = await waitFor('a stream', () => operator.ok('media/url', asked));
  const body = connection.localDescription?.sdp ?? '';
  const sdp = await step('direct-answer', async () => {
    const headers = { 'content-type': 'application/sdp' };
    const answer = await fetch(new URL(p2pUrl, url), { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`the offer was answered ${answer.status} ${text}`);
    return text;
  });
  await connection.setRemoteDescription({ type: 'answer', sdp });
  await waitFor('pictures straight from the site', () => packets > LIVE_FRAGMENTS, 30_000);
  await connection.close();
}

async function remoteSiteDay(operator: ApiClient, remoteSite: RemoteSiteProcess, url: string): Promise<string> {
  const { site } = await operator.ok('site/add', { siteName: 'Harbour' });
  const { registrationCode, authority } = await operator.ok('site/code', { siteId: site.siteId });
  const server = `https://127.0.0.1:${new URL(url).port}`;
  const place = ['--server', server, '--serial', site.serial, '--authority', authority, '--code', registrationCode];
  await remoteSite.start(place);
  const isOnline = ({ siteId, status }: { siteId: string; status: string }) =>
    siteId === site.siteId && status === 'online';
  await waitFor('the far site', async () => (await operator.ok('site/list', {})).siteList.some(isOnline), 60_000);
  return site.siteId;
}

const far = await RemoteSiteProcess.create();
const quay = await startVirtualSite(['--cameras', '1']);
const product = await step('start', () => Product.start({ demo: true }));
try {
  const { url } = product;
  const operator = await step('set-up', () => product.setUp());
  await step('demo', () =>
    waitFor('the demo', async () => (await operator.ok('device/list', { status: 1 })).total === 9, 90_000),
  );
  const [device] = (await operator.ok('device/list', { status: 1 })).deviceList;
  const camera = { deviceSerial: device?.deviceSerial ?? '', channelNo: 1 };
  await step('live', () => watchLive(operator, url, camera));
  await step('playback', () => playBack(operator, camera));
  await step('alarms', () => operator.ok('alarm/list', {}));
  const siteId = await step('far-site', () => remoteSiteDay(operator, far, url));
  const { target = '', user = '', password = '' } = quay.devices.find(({ kind }) => kind === 'camera') ?? {};
  const order = { target, user, password, siteId, deviceName: 'Quay' };
  const added = await waitFor('the camera there', () => operator.ok('device/add', order));
  const { deviceSerial } = added.device;
  await waitFor('it', async () => (await operator.ok('device/get', { deviceSerial })).device.status === 1, 60_000);
  await step('direct', () => watchDirect(operator, url, { deviceSerial, channelNo: 1 }));
  await step('idle', () => setTimeout(IDLE_MS));
  const { scanId } = await operator.ok('device/discover', { waitMs: 5000 });
  await step('discovery', () => operator.ok('device/discover', { scanId, waitMs: 5000 }));
  // What the watch must see, or it sees nothing: a look-up of nobody's name.
  await step('planted', () => run('getent', ['ahosts', 'planted.example']));
} finally {
  await far.stop();
  await Promise.all([product.stop(), quay.stop()]);
}
