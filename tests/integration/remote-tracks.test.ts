// What edge intelligence of a remote site follows reaches viewers at the server: by the socket through the relay, by HLS, and by WebRTC straight from the site.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type HlsTracks, type LiveTracks, type RtcTracks, TRACKS_CHANNEL } from '@vedette/contract/media-wire.ts';
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { RemoteSiteProcess } from '../harness/remote-site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

/** A street with people on the pavement and cars both ways: somebody comes by every few seconds. */
const STREET = '西门街道';
const SOMEBODY_MS = 90_000;
const TICKS_PER_MS = 90;
const SQUARE = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

let product: Product;
let operator: ApiClient;
let virtual: VirtualSite;
let remoteSite: RemoteSiteProcess;
let deviceSerial: string;

describe.skipIf(!hasAnalystRuntime)('tracks of a remote site', () => {
  beforeAll(async () => {
    // The console is not looked at: any folder does.
    const env = { VEDETTE_CONSOLE: new URL('../../', import.meta.url).pathname };
    [product, virtual, remoteSite] = await Promise.all([
      Product.start({ env }),
      startVirtualSite(),
      RemoteSiteProcess.create(),
    ]);
    operator = await product.setUp();
    const { siteId, serial } = (await operator.ok('site/add', { siteName: 'Harbour' })).site;
    const { registrationCode, authority } = await operator.ok('site/code', { siteId });
    await symlink(analystRuntime, join(remoteSite.data, 'analyst'));
    const server = `https://127.0.0.1:${new URL(product.url).port}`;
    const enrolment = ['--serial', serial, '--code', registrationCode, '--authority', authority ?? ''];
    await remoteSite.start(['--server', server, ...enrolment]);
    const site = async () => (await operator.ok('site/list', {})).siteList.find((one) => one.siteId === siteId);
    await waitFor('the site', async () => (await site())?.status === 'online', 60_000);
    const found = virtual.devices.find(({ name }) => name === STREET);
    if (!found) throw new Error('no street');
    const { target, user, password } = found;
    const { device } = await operator.ok('device/add', { target, user, password, siteId, deviceName: 'Street' });
    ({ deviceSerial } = device);
    const status = async () => (await operator.ok('device/get', { deviceSerial })).device.status;
    await waitFor('the camera', async () => (await status()) === 1, 60_000);
    await operator.ok('ai/task/save', {
      deviceSerial,
      channelNo: 1,
      taskName: 'Street',
      algorithm: 'intrusion',
      regionList: [{ regionId: 'all', regionName: 'All', kind: 'zone', points: SQUARE, colour: '#2f80ed' }],
      classList: ['person', 'vehicle'],
    });
  }, 180_000);
  afterAll(async () => {
    await remoteSite?.stop();
    await Promise.all([product?.stop(), virtual?.stop()]);
  });

  it('[RS-03] come by the socket of live video, in the times of its frames', async () => {
    const { ticket } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
    const viewer = await LiveViewer.open(product.url, ticket);
    await waitFor('pictures', () => viewer.fragments.length > 10, 30_000);
    viewer.follow(true);
    const told = () => viewer.notices.filter((notice) => notice.type === 'tracks');
    const seen = await waitFor('somebody', () => told().find(({ tracks }) => tracks.length > 0), SOMEBODY_MS);
    expect(['person', 'vehicle']).toContain(seen.tracks[0]?.objectClass);
    // Of a frame that came before it, some seconds old at most on a busy machine.
    const shown = viewer.fragments.map(({ wallMs }) => wallMs);
    const nearest = Math.min(...shown.map((wallMs) => Math.abs(wallMs - seen.at)));
    expect(nearest).toBeLessThan(500);
    expect(seen.at).toBeLessThanOrEqual(Math.max(...shown) + 500);
    viewer.close();
  });

  it('[RS-03] come beside the playlist of HLS, in its times', async () => {
    const { hlsUrl } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
    const url = new URL('tracks.json', hlsUrl);
    let after = 0;
    const seen = await waitFor(
      'somebody',
      async () => {
        url.searchParams.set('after', String(after));
        const { frames } = (await (await fetch(url)).json()) as HlsTracks;
        after = frames.at(-1)?.at ?? after;
        return frames.find(({ tracks }) => tracks.length > 0);
      },
      SOMEBODY_MS,
    );
    const playlist = await (await fetch(hlsUrl)).text();
    const dates = [...playlist.matchAll(/^#EXT-X-PROGRAM-DATE-TIME:(.+)$/gmu)].map(([, date = '']) => Date.parse(date));
    expect(dates.length).toBeGreaterThan(0);
    expect(Math.min(...dates.map((date) => Math.abs(date - seen.at)))).toBeLessThan(30_000);
    expect((await fetch(new URL('tracks.json?after=x', hlsUrl))).status).toBe(404);
  });

  it('[RS-03] come on the data channel of WebRTC, with the RTP time of their frame', async () => {
    const { p2pUrl, forwardUrl } = await operator.ok('media/url', { deviceSerial, channelNo: 1, quality: 1 });
    expect(p2pUrl).not.toBe(forwardUrl);
    const video = { mimeType: 'video/H264', clockRate: 90_000, parameters: 'packetization-mode=1' };
    const codecs = { video: [new RTCRtpCodecParameters(video)] };
    const connection = new RTCPeerConnection({ iceServers: [], codecs });
    const times: { rtp: number; at: number }[] = [];
    connection.addTransceiver('video', { direction: 'recvonly' });
    connection.onTrack.subscribe((track) =>
      track.onReceiveRtp.subscribe(({ header }) => times.push({ rtp: header.timestamp, at: Date.now() })),
    );
    const channel = connection.createDataChannel(TRACKS_CHANNEL);
    const told: RtcTracks[] = [];
    channel.onMessage.subscribe((text) => told.push(JSON.parse(String(text)) as RtcTracks));
    await connection.setLocalDescription(await connection.createOffer());
    const headers = { 'content-type': 'application/sdp' };
    const body = connection.localDescription?.sdp ?? '';
    const answer = await fetch(p2pUrl, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    await connection.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    await waitFor('the channel', () => channel.readyState === 'open' && times.length > 10, 20_000);
    expect(told).toEqual([]);
    channel.send('nonsense');
    channel.send('follow');
    const isSomebody = ({ tracks }: LiveTracks): boolean => tracks.length > 0;
    const seen = await waitFor('somebody', () => told.find(isSomebody), SOMEBODY_MS);
    // A frame of that RTP time, or one beside it, came about when it was captured: site and viewer are on one machine.
    const off = (rtp: number): number => Math.abs((rtp - seen.rtpTime) | 0) / TICKS_PER_MS;
    const [frame] = times.toSorted((one, other) => off(one.rtp) - off(other.rtp));
    expect(off(frame?.rtp ?? 0)).toBeLessThan(500);
    expect(Math.abs((frame?.at ?? 0) - seen.at)).toBeLessThan(5000);
    await connection.close();
  });
});
