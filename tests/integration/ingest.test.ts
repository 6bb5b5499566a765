// Third-party cameras (GStreamer's RTSP server) over every transport: recorded by the site, relayed over RTSP, verified by ffmpeg.
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment, SiteHealth } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { openRtspSession } from '@vedette/protocols/rtsp/client.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { ensureServerCertificate } from '../../launcher/tls/local-authority.js';
import { verifyMedia, run } from '../harness/ffprobe.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const CAMERA = { user: 'viewer', password: 'camera-secret' };

let folder: string;
let site: SiteProcess;
let peer: GstreamerPeer;
let securePeer: GstreamerPeer;
const assigned: DeviceAssignment[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ingest-'));
  const { files } = ensureServerCertificate(folder, ['localhost', '127.0.0.1'], new Date());
  [site, peer, securePeer] = await Promise.all([
    SiteProcess.create({ VEDETTE_RTSP_PORT: '0', VEDETTE_RTSP_HOST: '127.0.0.1' }),
    startGstreamer(),
    startGstreamer(CAMERA, files),
  ]);
  await site.serve();
  await site.start();
});

afterAll(async () => {
  await Promise.all([site?.stop(), peer?.stop(), securePeer?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function add(target: string, account = { user: '', password: '' }): Promise<DeviceAssignment> {
  const found = await site.ok('probe', { target, ...account, isOperator: true });
  const channelId = `camera${assigned.length + 1}`;
  const record = { quality: 0, retentionDays: 30 } as const;
  const channels = [{ channelNo: 1, channelId, record, locks: [], backfillFrom: null }];
  const { driver, native, deviceSerial } = found;
  const device = { deviceSerial, driver, native, ...account, isOperatorAddress: true, channels };
  assigned.push(device);
  await site.ok('assign', { devices: assigned, settings: site.settings });
  return device;
}

type StreamHealth = SiteHealth['streams'][number];

async function streamOf({ deviceSerial }: DeviceAssignment): Promise<StreamHealth | undefined> {
  const { streams } = await site.ok('health', {});
  return streams.find((stream) => stream.deviceSerial === deviceSerial);
}

async function restreamUrl({ deviceSerial }: DeviceAssignment): Promise<string> {
  const ticket = await site.ticket({ kind: 'rtsp', deviceSerial, channelNo: 1 });
  return `rtsp://127.0.0.1:${site.rtspPort}/${ticket}`;
}

async function get(path: string): Promise<Buffer> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** What was recorded since then, as one file. */
async function recorded({ deviceSerial, channels }: DeviceAssignment, sinceMs: number, ms: number): Promise<Buffer> {
  const channelId = channels[0]?.channelId ?? '';
  const span = await waitFor(
    `${ms} ms of recording`,
    async () => {
      const range = { startTime: sinceMs - 10_000, endTime: Date.now() + 10_000 };
      const { spans } = await site.ok('recordings', { channelId, quality: 0, ...range });
      return spans.find((one) => one.endTime - one.startTime >= ms);
    },
    30_000,
  );
  const range = { startTime: span.startTime, endTime: span.endTime };
  const ticket = await site.ticket({ kind: 'fragments', deviceSerial, channelNo: 1, range });
  return await get(`/media/fragments/${ticket}`);
}

/** Copies pictures from an RTSP address as a native client does. */
async function copied(url: string, transport: 'tcp' | 'udp', pictures: number) {
  const input = ['-v', 'error', '-analyzeduration', '500000', '-rtsp_transport', transport, '-i', url];
  const output = ['-map', '0', '-c', 'copy', '-frames:v', String(pictures), '-f', 'matroska', '-'];
  const { bytes, stderr } = await run('ffmpeg', [...input, ...output]);
  return { ...(await verifyMedia('-', bytes)), stderr };
}

describe('a camera with media over UDP only', () => {
  // G.711 is served as AAC to those who cannot ask for it.
  it.concurrent.each([
    ['/udp/h264', ['h264'], ['h264']],
    ['/udp/h264-pcmu', ['h264', 'pcm_mulaw'], ['h264', 'aac']],
    ['/udp/h264-latm', ['h264', 'aac'], ['h264', 'aac']],
    ['/udp/h264-opus', ['h264', 'opus'], ['h264', 'opus']],
    ['/udp/h265', ['hevc'], ['hevc']],
    ['/udp/mjpeg', ['mjpeg'], ['mjpeg']],
  ])(
    '[LV-01] records and relays %s unchanged',
    async (path, codecs, kept) => {
      const startedAt = Date.now();
      const device = await add(peer.url(path));
      const footage = await verifyMedia('-', await recorded(device, startedAt, 2500));
      expect(footage).toMatchObject({ codecs: kept, errors: '' });
      expect(footage.frames).toBeGreaterThanOrEqual(10);
      const got = await copied(await restreamUrl(device), 'udp', 20);
      expect(got).toMatchObject({ codecs, errors: '' });
      expect(got.frames).toBeGreaterThanOrEqual(20);
      const stream = await streamOf(device);
      expect(stream?.counters).toMatchObject({ connections: 1, lostPackets: 0, damagedUnits: 0, upstreams: 1 });
    },
    60_000,
  );
});

describe('a camera with B-frames', () => {
  it('[LV-01] is recorded and relayed in presentation order', async () => {
    const startedAt = Date.now();
    const device = await add(peer.url('/h264-b'));
    const shown = ['-v', 'error', '-show_entries', 'frame=pts,pict_type', '-of', 'csv=p=0'];
    const inOrder = (lines: string): void => {
      const frames = [...lines.matchAll(/^(\d+),([IPB])/gm)].map(([, at, type]) => [at, type] as const);
      expect(new Set(frames.map(([, type]) => type))).toEqual(new Set(['I', 'P', 'B']));
      const steps = frames.map(([at], n) => Number(at) - Number(frames[n - 1]?.[0] ?? 0)).slice(1);
      expect(Math.min(...steps)).toBeGreaterThan(0);
      // No picture is shown for much longer than the others.
      expect(Math.max(...steps)).toBeLessThan(3 * Math.min(...steps));
    };
    const footage = await recorded(device, startedAt, 2500);
    expect(await verifyMedia('-', footage)).toMatchObject({ codecs: ['h264'], errors: '' });
    inOrder((await run('ffprobe', [...shown, '-'], footage)).stdout);
    const live = ['-rtsp_transport', 'tcp', '-read_intervals', '%+2', await restreamUrl(device)];
    inOrder((await run('ffprobe', [...shown, ...live])).stdout);
  });
});

describe('a camera behind an HTTP-only gateway', () => {
  it('[LV-01] records and relays RTSP over HTTP', async () => {
    const device = await add(`${peer.url('/h264-pcma')}#transport=http`);
    expect(device.native).toMatchObject({ urls: [`${peer.url('/h264-pcma')}#transport=http`] });
    const got = await copied(await restreamUrl(device), 'tcp', 20);
    expect(got).toMatchObject({ codecs: ['h264', 'pcm_alaw'], errors: '' });
  });
});

describe('a camera behind TLS', () => {
  it('[LV-01] records and relays rtsps with authentication', async () => {
    const device = await add(securePeer.url('/h264-pcma'), CAMERA);
    const got = await copied(await restreamUrl(device), 'tcp', 20);
    expect(got).toMatchObject({ codecs: ['h264', 'pcm_alaw'], errors: '' });
  });
});

const RTSPSRC = `
import sys, gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
Gst.init(None)
url, transport, pictures = sys.argv[1], sys.argv[2], sys.argv[3]
pipeline = Gst.parse_launch(f'rtspsrc location="{url}" protocols={transport} latency=200 ! rtph264depay ! h264parse ! avdec_h264 ! fakesink num-buffers={pictures}')
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(20 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
print("nothing" if message is None else message.type.first_value_nick if message.type == Gst.MessageType.EOS else message.parse_error())
pipeline.set_state(Gst.State.NULL)
`;

describe('[ST-06] a third-party native client', () => {
  it.each(['tcp', 'udp'])('GStreamer decodes the relay over %s', async (transport) => {
    const device =
      assigned.find(({ native }) => JSON.stringify(native).includes('/udp/h264"')) ??
      (await add(peer.url('/udp/h264')));
    const { stdout } = await run('/usr/bin/python3', ['-c', RTSPSRC, await restreamUrl(device), transport, '30']);
    expect(stdout.trim()).toBe('eos');
    const { restream } = await site.ok('health', {});
    expect(restream?.packets).toBeGreaterThanOrEqual(30);
    expect(restream?.bytes).toBeGreaterThan(30_000);
  });

  it('[SE-44] [SE-47] a ticket opens one stream, for RTSP alone, to one client at a time, until withdrawn', async () => {
    const [device] = assigned;
    if (!device) throw new Error('no camera');
    const { deviceSerial } = device;
    const live = await site.ticket({ kind: 'live', deviceSerial, channelNo: 1 });
    const ask = (one: string) => run('ffprobe', ['-v', 'error', `rtsp://127.0.0.1:${site.rtspPort}/${one}`]);
    expect((await ask(live)).stderr).toContain('403');
    const ticketId = 'restreamed';
    const ticket = await site.ticket({ kind: 'rtsp', deviceSerial, channelNo: 1, ticketId });
    const ended = Promise.withResolvers<number>();
    const session = await openRtspSession({
      url: `rtsp://127.0.0.1:${site.rtspPort}/${ticket}`,
      credentials: null,
      dial: dialDirect,
      clock: systemClock,
      clientNonce: () => 'abcdef',
      signal: new AbortController().signal,
      chooseTracks: (sdp) => sdp.media,
      sink: { packet: () => undefined, senderReport: () => undefined, bye: () => undefined },
      onEnded: () => ended.resolve(Date.now()),
    });
    await session.play();
    expect((await ask(ticket)).stderr).toContain('403');
    const withdrawnAt = Date.now();
    expect(await site.ok('revoke', { ticketIds: [ticketId], code: 1017 })).toEqual({ closed: 1 });
    expect((await ended.promise) - withdrawnAt).toBeLessThan(2000);
    await session.close();
    expect((await ask(ticket)).stderr).toContain('403');
    expect(site.log.join('\n')).not.toContain(ticket);
  });
});
