// WebRTC directly from a site: hostile and broken viewers end nothing but their own session.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { RTCPeerConnection, RTCRtpCodecParameters, type RtpPacket } from 'werift';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let device: DeviceAssignment;
const viewers: RTCPeerConnection[] = [];

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const { target, user, password } = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  const channels = [{ channelNo: 1, channelId: 'camera1', record, backfillFrom: null }];
  device = { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
  await site.ok('assign', { devices: [device], settings: site.settings });
});

afterAll(async () => {
  await Promise.all(viewers.map((viewer) => viewer.close()));
  await Promise.all([site?.stop(), virtual?.stop()]);
});

const ticketOf = () => site.ticket({ kind: 'whep', deviceSerial: device.deviceSerial, channelNo: 1, quality: 1 });

async function post(ticket: string, body: string, method = 'POST'): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/sdp' };
  const sent = request({ socketPath: site.socketPath, path: `/media/whep/${ticket}`, method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  let text = '';
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode ?? 0, text };
}

/** An independent stack would be better; browsers are asked in tests/browser. */
async function viewer(): Promise<{ connection: RTCPeerConnection; offer: string; packets: RtpPacket[] }> {
  const codec = {
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: 'packetization-mode=1;profile-level-id=42e01f',
  };
  const connection = new RTCPeerConnection({ iceServers: [], codecs: { video: [new RTCRtpCodecParameters(codec)] } });
  viewers.push(connection);
  const packets: RtpPacket[] = [];
  const { receiver } = connection.addTransceiver('video', { direction: 'recvonly' });
  receiver.track.onReceiveRtp.subscribe((packet) => packets.push(packet));
  connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => packets.push(packet)));
  await connection.setLocalDescription(await connection.createOffer());
  return { connection, offer: connection.localDescription?.sdp ?? '', packets };
}

it('[SE-52] a viewer gets video, one at a time per ticket, until it leaves or loses its right', async () => {
  const ticket = await ticketOf();
  const { connection, offer, packets } = await viewer();
  const { status, text } = await post(ticket, offer);
  expect(status).toBe(201);
  expect(text).toContain('H264/90000');
  expect((await post(ticket, offer)).status).toBe(403);
  await connection.setRemoteDescription({ type: 'answer', sdp: text });
  await waitFor('packets', () => packets.length > 50, 20_000);
  expect((await post(ticket, '', 'DELETE')).status).toBe(200);
  let seen = -1;
  let since = 0;
  await waitFor('700 ms of silence', () => {
    if (packets.length !== seen) [seen, since] = [packets.length, performance.now()];
    return Promise.resolve(performance.now() - since > 700);
  });
});

it('an offer is answered at once, whatever host names it contains', async () => {
  const took: number[] = [];
  for (let count = 0; count < 5; count++) {
    const { offer } = await viewer();
    const hidden = 'a=candidate:9 1 udp 2122260223 3f1c6a0e-0000-4000-8000-000000000000.local 50000 typ host\r\n';
    const named = hidden.replace(/\S+\.local/, 'spy.example');
    const ticket = await ticketOf();
    const from = performance.now();
    expect((await post(ticket, `${offer}${hidden}${named}`)).status).toBe(201);
    took.push(performance.now() - from);
    await post(ticket, '', 'DELETE');
  }
  expect(took.toSorted((one, other) => one - other)[2]).toBeLessThan(300);
});

it('[SE-52] invalid offers, wrong fingerprints and broken packets are refused, and recording continues', async () => {
  expect((await post('x'.repeat(32), 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n')).status).toBe(404);
  const ticket = await ticketOf();
  expect((await post(ticket, 'hello')).status).toBe(400);
  expect((await post(ticket, `v=0\r\nm=video ${'9'.repeat(70_000)}`)).status).toBe(400);
  expect((await post(ticket, 'v=0\r\nm=video nonsense')).status).toBe(406);

  const nameless = (await viewer()).offer.replaceAll(/^a=fingerprint:.*\r\n/gmu, '');
  expect(nameless).toContain('m=video');
  expect((await post(await ticketOf(), nameless)).status).toBe(406);

  const wrong = await viewer();
  const held = await ticketOf();
  const forged = wrong.offer.replace(
    /(a=fingerprint:sha-256 )(..)/g,
    (_all, name, byte) => `${name}${byte === '00' ? '11' : '00'}`,
  );
  const { status, text } = await post(held, forged);
  expect(status).toBe(201);
  await wrong.connection.setRemoteDescription({ type: 'answer', sdp: text });
  const port = Number(/a=candidate:.* (\d+) typ host/.exec(text)?.[1]);
  const socket = createSocket('udp4');
  for (let count = 0; count < 2000; count++) socket.send(Buffer.alloc(200, 0x80 + (count % 64)), port, '127.0.0.1');
  await waitFor('the try to be over', async () => (await post(held, wrong.offer)).status === 201, 15_000);
  expect(wrong.packets).toHaveLength(0);
  socket.close();

  const asked = { channelId: 'camera1', quality: 0, startTime: 0, endTime: Date.now() + 1000 } as const;
  const before = (await site.ok('recordings', asked)).spans.at(-1)?.endTime ?? 0;
  await waitFor('recording to go on', async () => {
    const { spans, gaps } = await site.ok('recordings', { ...asked, endTime: Date.now() + 1000 });
    expect(gaps).toEqual([]);
    return (spans.at(-1)?.endTime ?? 0) > before;
  });
});
