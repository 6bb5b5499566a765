// A third-party camera (GStreamer's RTSP server) is probed, added, viewed, recorded, played back, shared and withdrawn.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { verifyMedia, run } from '../harness/ffprobe.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const CAMERA = { user: 'viewer', password: 'camera-secret' };
const STREAMS = [
  { path: '/h264', codec: 'h264' },
  { path: '/h264-aac', codec: 'h264' },
  { path: '/h264-pcma', codec: 'h264' },
  { path: '/h265', codec: 'hevc' },
] as const;

let product: Product;
let operator: ApiClient;
let peer: GstreamerPeer;
let closedPeer: GstreamerPeer;

beforeAll(async () => {
  [product, peer, closedPeer] = await Promise.all([
    Product.start({ isFirstStart: true }),
    startGstreamer(),
    startGstreamer(CAMERA),
  ]);
  operator = await product.setUp();
}, 180_000);

afterAll(async () => {
  await Promise.all([product?.stop(), peer?.stop(), closedPeer?.stop()]);
});

async function add(target: string, deviceName: string, account?: typeof CAMERA): Promise<string> {
  const { device } = await operator.ok('device/add', { target, deviceName, ...account });
  return device.deviceSerial;
}

async function liveTicket(client: ApiClient, deviceSerial: string): Promise<string> {
  return waitFor('a live ticket', async () => (await client.ok('media/url', { deviceSerial, channelNo: 1 })).ticket);
}

/** ffmpeg, once it has got pictures from there. */
async function nativeClient(url: string): Promise<{ readonly ended: Promise<unknown> }> {
  const args = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', url, '-c', 'copy', '-f', 'mpegts', '-'];
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.resume();
  return { ended };
}

describe('a third-party camera', () => {
  it.concurrent.each(STREAMS)('[DM-01] [LV-01] [LV-06] [ST-07] $path is added, seen, recorded and played back', async ({
    path,
    codec,
  }) => {
    const { candidate } = await operator.ok('device/probe', { target: peer.url(path) });
    expect(candidate.channelList).toHaveLength(1);
    const startedAt = Date.now();
    const deviceSerial = await add(peer.url(path), `Gate ${path.slice(1)}`);

    const viewer = await LiveViewer.open(product.url, await liveTicket(operator, deviceSerial));
    await waitFor('60 live fragments', () => viewer.fragments.length >= 60, 40_000);
    viewer.close();
    const live = await verifyMedia('-', viewer.videoFile());
    expect(live).toMatchObject({ codecs: [codec], errors: '' });
    expect(live.frames).toBeGreaterThanOrEqual(60);

    const dev = { deviceSerial, channelNo: 1 };
    const span = await waitFor(
      '8 s of recording',
      async () => {
        const range = { startTime: startedAt - 60_000, endTime: Date.now() };
        const { recordList } = await operator.ok('record/query', { ...dev, ...range });
        return recordList.find((item) => item.endTime - item.startTime >= 8000);
      },
      60_000,
    );
    const { url } = await operator.ok('record/hls', { ...dev, startTime: span.startTime, endTime: span.endTime });
    const played = await verifyMedia(new URL(url, product.url).href);
    expect(played.codecs[0]).toBe(codec);
    expect(played.durationS).toBeGreaterThan(7);
  }, 120_000);

  it('[ST-06] a shell using RTSP gets a stream that native clients play, over TCP and UDP', async () => {
    const { deviceList } = await operator.ok('device/list', { pageSize: 100 });
    const deviceSerial = deviceList.find((device) => device.deviceName === 'Gate h264')?.deviceSerial ?? '';
    for (const transport of ['tcp', 'udp']) {
      const { rtspUrl } = await operator.ok('media/url', { deviceSerial, channelNo: 1 });
      expect(rtspUrl).toMatch(/^rtsp:\/\/localhost:\d+\/[\w-]{43}$/);
      const input = ['-v', 'error', '-analyzeduration', '500000', '-rtsp_transport', transport, '-i', rtspUrl];
      const { bytes } = await run('ffmpeg', [...input, '-c', 'copy', '-frames:v', '20', '-f', 'matroska', '-']);
      expect(await verifyMedia('-', bytes)).toMatchObject({ codecs: ['h264'], errors: '' });
      expect(product.log).not.toContain(new URL(rtspUrl).pathname.slice(1));
    }
  });

  it('[DM-02] the same address twice answers 2024', async () => {
    await add(peer.url('/h264'), 'Twice').catch(() => undefined);
    const answer = await operator.call('device/add', { target: peer.url('/h264'), deviceName: 'Twice again' });
    expect(answer.code).toBe(2024);
  });

  it('[ER-01] a wrong camera password answers 2316 with its reason and keeps the session', async () => {
    const answer = await operator.call('device/probe', {
      target: closedPeer.url('/h264'),
      user: CAMERA.user,
      password: 'wrong',
    });
    expect(answer).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
    expect((await operator.call('token/check', {})).code).toBe(200);
  });

  it('[ER-01] an address without answer is 2317, no video and an unknown protocol 2316', async () => {
    const silent = await operator.call('device/probe', { target: 'rtsp://127.0.0.1:9/x' });
    expect(silent.code).toBe(2317);
    const deaf = await operator.call('device/probe', { target: peer.url('/audio-only') });
    expect(deaf).toMatchObject({ code: 2316, data: { reason: 'noVideo' } });
  });

  it('[SE-29] the right camera password is accepted and never returned', async () => {
    const deviceSerial = await add(closedPeer.url('/h264'), 'Locked gate', CAMERA);
    const viewer = await LiveViewer.open(product.url, await liveTicket(operator, deviceSerial));
    await waitFor('a fragment', () => viewer.fragments.length > 0, 30_000);
    viewer.close();
    const everything = JSON.stringify(await operator.ok('device/list', { pageSize: 100 })) + product.log;
    expect(everything).not.toContain(CAMERA.password);
  });
});

describe('a channel shared with a second account', () => {
  it('[PM-03] [SH-01] [SE-33] shows that channel alone, and stops within 2 s of the withdrawal', async () => {
    const { deviceList } = await operator.ok('device/list', { pageSize: 100 });
    const deviceSerial = deviceList.find((device) => device.deviceName === 'Gate h264')?.deviceSerial ?? '';
    await operator.ok('user/add', { username: 'guest', password: 'Guest-2026', userType: 2 });
    const guest = await product.signIn('guest', 'Guest-2026');
    expect((await guest.ok('device/list', {})).total).toBe(0);
    expect((await guest.call('media/url', { deviceSerial, channelNo: 1 })).code).toBe(1009);

    const { shareId } = await operator.ok('share/add', {
      account: 'guest',
      items: [{ deviceSerial, channelNo: 1 }],
      permission: ['videoView', 'videotapeView'],
    });
    const seen = await guest.ok('device/list', {});
    expect(seen.deviceList.map((device) => device.deviceSerial)).toEqual([deviceSerial]);
    const viewer = await LiveViewer.open(product.url, await liveTicket(guest, deviceSerial));
    await waitFor('a fragment', () => viewer.fragments.length > 0, 30_000);
    const { rtspUrl } = await guest.ok('media/url', { deviceSerial, channelNo: 1 });
    const native = await nativeClient(rtspUrl);
    const range = { startTime: Date.now() - 20_000, endTime: Date.now() };
    const { url } = await guest.ok('record/hls', { deviceSerial, channelNo: 1, ...range });
    const playlist = new URL(url, product.url).href;
    expect((await fetch(playlist)).status).toBe(200);

    const withdrawnAt = Date.now();
    await operator.ok('share/delete', { shareId, shareType: 2 });
    const end = await waitFor('the end of the live picture', () => viewer.end, 5000);
    expect(end.code).toBe(1017);
    expect(end.arrivedAt - withdrawnAt).toBeLessThan(2000);
    await native.ended;
    expect(Date.now() - withdrawnAt).toBeLessThan(2500);
    await waitFor('the end of playback', async () => (await fetch(playlist)).status >= 400, 2000);
    const lastFragment = viewer.fragments.at(-1);
    expect((lastFragment?.arrivedAt ?? 0) - withdrawnAt).toBeLessThan(2000);
    expect((await guest.call('media/url', { deviceSerial, channelNo: 1 })).code).toBe(1017);
    viewer.close();
  });
});

describe('after a restart', () => {
  it('[DM-01] everything is still there and recording continues', async () => {
    const before = (await operator.ok('device/list', { pageSize: 100 })).deviceList.map((d) => d.deviceSerial).sort();
    await product.stop(true);
    product = await Product.start({ data: product.data });
    expect(product.ready.setupUrl).toBeNull();
    operator = await product.signIn('operator', 'Watch-2026');
    const after = (await operator.ok('device/list', { pageSize: 100 })).deviceList;
    expect(after.map((device) => device.deviceSerial).sort()).toEqual(before);
    const restartedAt = Date.now();
    const deviceSerial = after.find((device) => device.deviceName === 'Gate h264')?.deviceSerial ?? '';
    await waitFor(
      'a recording newer than the restart',
      async () => {
        const range = { startTime: restartedAt, endTime: Date.now() + 1000 };
        const { recordList } = await operator.ok('record/query', { deviceSerial, channelNo: 1, ...range });
        return recordList.some((item) => item.endTime > restartedAt + 2000);
      },
      40_000,
    );
  }, 120_000);
});
