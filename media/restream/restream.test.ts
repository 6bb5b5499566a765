// Proves the RTSP port with ffmpeg and ffprobe as clients, over TCP and UDP: what they get, what is refused, what ends a session.
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openRtspSession } from '@vedette/protocols/rtsp/client.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { verifyMedia, run } from '../../tests/harness/ffprobe.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { aacFormat, clip, g711Format, syntheticUnits } from '../recorder/synthetic-stream.fixture.ts';
import { type EncodedStream, encodeStream } from '../codec/encoded-stream.fixture.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import { StreamHub } from '../stream/hub.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import type { RestreamGrant } from './restream-grant.ts';
import { RestreamServer } from './restream-server.ts';

const TICKET = 'ticket-of-sixteen-and-more';
const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

interface Running {
  readonly url: string;
  readonly port: number;
  readonly opened: { count: number; closed: number };
  readonly ended: AbortController;
  readonly over: ReturnType<typeof vi.fn>;
  readonly consumer: () => StreamConsumer;
}

/** A camera that has sent one and a half GOPs and goes on at its pace while it is pulled. */
async function start(
  audio: AudioFormat | null = null,
  isSilent = false,
  sendUnits: (consumer: StreamConsumer) => () => void = (given) => send(given, { video: clip.format.video, audio }),
  host: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<Running> {
  const hub = new StreamHub({ clock: systemClock, lingerMs: 0, onConsumerFailure: () => undefined });
  const opened = { count: 0, closed: 0 };
  const ended = new AbortController();
  const over = vi.fn();
  let consumer: StreamConsumer | null = null;
  const open: RestreamGrant['open'] = (given) => {
    opened.count += 1;
    consumer = given;
    const stop = isSilent ? () => undefined : sendUnits(given);
    return {
      counters: createSourceCounters(),
      server: null,
      retryNow: () => undefined,
      close: async () => {
        opened.closed += 1;
        stop();
      },
    };
  };
  const server = new RestreamServer({
    hub,
    clock: systemClock,
    authorise: (ticket) =>
      ticket === TICKET
        ? { allowed: true, holder: 'account', streamKey: 'camera/1/0', open, ended: ended.signal, onEnded: over }
        : { allowed: false, isKnown: ticket.startsWith('known') },
    random32: () => 0xffff_fff0,
    limiter: null,
    udpPorts: 'any',
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const port = await server.listen(0, host);
  cleanUps.push(
    () => server.close(),
    () => hub.close(),
  );
  const url = `rtsp://${host === '::1' ? '[::1]' : host}:${port}/${TICKET}`;
  return { url, port, opened, ended, over, consumer: () => consumer as StreamConsumer };
}

function send(consumer: StreamConsumer, format: MediaFormat): () => void {
  const units = syntheticUnits({ startMs: Date.now(), seconds: 3600, audio: format.audio });
  const step = (pictures: number): void => {
    for (let sent = 0; sent < pictures; ) {
      const unit = units.next().value as AccessUnit;
      consumer.accessUnit(unit);
      if (unit.track === 'video') sent += 1;
    }
  };
  consumer.format(format);
  step(60);
  const timer = setInterval(() => step(1), 50);
  return () => clearInterval(timer);
}

async function copied(url: string, transport: 'tcp' | 'udp', pictures: number) {
  const to = ['-map', '0', '-c', 'copy', '-frames:v', String(pictures), '-f', 'matroska', '-'];
  const { bytes, stderr } = await run('ffmpeg', [
    '-v',
    'error',
    '-analyzeduration',
    '500000',
    '-rtsp_transport',
    transport,
    '-i',
    url,
    ...to,
  ]);
  return { ...(await verifyMedia('-', bytes)), stderr };
}

describe('[ST-06] a native client', () => {
  test.each([
    ['tcp', null, ['h264']],
    ['udp', null, ['h264']],
    ['tcp', aacFormat, ['h264', 'aac']],
    ['udp', g711Format, ['h264', 'pcm_alaw']],
  ] as const)(
    'gets video over %s that decodes without errors',
    async (transport, audio, codecs) => {
      const { url, opened, over } = await start(audio);
      const got = await copied(url, transport, 70);
      expect(got).toMatchObject({ codecs, errors: '' });
      expect(got.frames).toBeGreaterThanOrEqual(70);
      await vi.waitFor(() => expect(over).toHaveBeenCalledTimes(1));
      await vi.waitFor(() => expect(opened).toEqual({ count: 1, closed: 1 }));
    },
    30_000,
  );
});

/** At its pace, with frames in decoding order. */
function sendReordered(consumer: StreamConsumer, { format, samples }: EncodedStream): () => void {
  const startMs = Date.now();
  consumer.format({ video: format, audio: null });
  let next = 0;
  const timer = setInterval(() => {
    const sample = samples[next];
    if (!sample) return;
    next += 1;
    consumer.accessUnit({ track: 'video', ...sample, wallMs: startMs + (sample.dts + sample.ctsOffset) / 90 });
  }, 40);
  return () => clearInterval(timer);
}

test.each([
  'tcp',
  'udp',
] as const)('frames that are shown in another order than they are sent arrive with the times at which they are shown, over %s', async (transport) => {
  const encoder = ['-c:v', 'libx264', '-preset', 'medium', '-bf', '3', '-b_strategy', '0', '-g', '25'];
  const stream = await encodeStream({ codec: 'h264', size: '320x180', seconds: 12, fps: 25, encoder });
  expect(
    stream.samples.filter(({ ctsOffset }, at) => ctsOffset < (stream.samples[at - 1]?.ctsOffset ?? 0)).length,
  ).toBeGreaterThan(50);
  const { url } = await start(null, false, (consumer) => sendReordered(consumer, stream));
  const probing = ['-v', 'error', '-rtsp_transport', transport, '-show_entries', 'packet=pts', '-of', 'csv=p=0'];
  const { stdout, stderr } = await run('ffprobe', [...probing, '-read_intervals', '%+#60', url]);
  expect(stderr).toBe('');
  const times = stdout.split('\n').map((line) => Number.parseInt(line, 10));
  const wanted = stream.samples.map(({ dts, ctsOffset }) => dts + ctsOffset);
  // ffmpeg knows no time of the frame with which it begins; it counts from there.
  const found = times.filter((time) => !Number.isNaN(time));
  expect(found.length).toBeGreaterThan(50);
  expect(found).toEqual(wanted.slice(1, found.length + 1).map((time) => time - (wanted[0] ?? 0)));
}, 30_000);

test('a client that takes the IPv6 address of this machine gets video over UDP', async () => {
  const { url } = await start(null, false, undefined, '::1');
  const got = await copied(url, 'udp', 70);
  expect(got).toMatchObject({ codecs: ['h264'], errors: '' });
  expect(got.frames).toBeGreaterThanOrEqual(70);
}, 30_000);

// Copied undecoded, ffmpeg 5 warns of the first times of any RTP stream, that of its own sender included: RTP carries no
// decode times, and it loses the time of the first frame.
test.each(['tcp', 'udp'] as const)('ffmpeg decodes reordered frames without a warning, over %s', async (transport) => {
  const encoder = ['-c:v', 'libx264', '-preset', 'medium', '-bf', '3', '-b_strategy', '0', '-g', '25'];
  const stream = await encodeStream({ codec: 'h264', size: '320x180', seconds: 12, fps: 25, encoder });
  const { url } = await start(null, false, (consumer) => sendReordered(consumer, stream));
  const args = ['-loglevel', 'warning', '-nostdin', '-rtsp_transport', transport, '-i', url];
  const { stderr, code } = await run('ffmpeg', [...args, '-frames:v', '60', '-f', 'mp4', '-y', '/dev/null']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}, 30_000);

async function play(url: string, transport: 'tcp-only' | 'udp' = 'tcp-only') {
  const packets: { track: number; sequence: number; atMs: number }[] = [];
  const reports: number[] = [];
  const ended = vi.fn();
  const session = await openRtspSession({
    url,
    credentials: null,
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => 'abcdef',
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media,
    transport,
    sink: {
      packet: (track, header) => packets.push({ track, sequence: header.sequence, atMs: performance.now() }),
      senderReport: (_, report) => reports.push(report.ntpMs),
      bye: () => undefined,
    },
    onEnded: ended,
  });
  cleanUps.push(() => session.close());
  await session.play();
  return { session, packets, reports, ended };
}

test('many clients share one pull; each starts at once at the newest keyframe, without a gap', async () => {
  const { url, opened } = await start();
  const [first, second] = [await play(url), await play(url)];
  await vi.waitFor(() => expect(Math.min(first.packets.length, second.packets.length)).toBeGreaterThan(25), 5000);
  for (const { packets, session, reports } of [first, second]) {
    for (const [index, { sequence }] of packets.entries()) {
      expect(sequence).toBe(((packets[0]?.sequence ?? 0) + index) & 0xffff);
    }
    // Twenty pictures since the newest keyframe came at once, not at their pace.
    expect((packets[19]?.atMs ?? Infinity) - (packets[0]?.atMs ?? 0)).toBeLessThan(500);
    expect(session.tracks[0]?.startRtpTime).not.toBeNull();
    expect(Math.abs((reports[0] ?? 0) - Date.now())).toBeLessThan(10_000);
  }
  expect(opened.count).toBe(1);
});

test.each([
  'tcp-only',
  'udp',
] as const)('a right that is withdrawn ends the session within 2 s, over %s', async (transport) => {
  const { url, ended, over } = await start();
  const client = await play(url, transport);
  await vi.waitFor(() => expect(client.packets.length).toBeGreaterThan(5));
  const withdrawnAt = performance.now();
  ended.abort();
  await vi.waitFor(() => expect(client.ended).toHaveBeenCalledTimes(1), { timeout: 2000 });
  expect(performance.now() - withdrawnAt).toBeLessThan(2000);
  expect(over).toHaveBeenCalledTimes(1);
  expect((client.packets.at(-1)?.atMs ?? 0) - withdrawnAt).toBeLessThan(2000);
});

async function ask(port: number, requests: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  cleanUps.push(() => void socket.destroy());
  await once(socket, 'connect');
  const answers: string[] = [];
  for (const [index, request] of requests.entries()) {
    socket.write(`${request} RTSP/1.0\r\nCSeq: ${index + 1}\r\n\r\n`);
    const [bytes] = (await Promise.race([
      once(socket, 'data'),
      once(socket, 'close').then(() => [Buffer.from('closed')]),
    ])) as [Buffer];
    answers.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
    if (socket.destroyed) break;
  }
  return answers;
}

test('[SE-50] refuses publishing, and any path without a valid ticket', async () => {
  const { port, opened } = await start();
  const url = `rtsp://127.0.0.1:${port}`;
  expect(await ask(port, [`ANNOUNCE ${url}/${TICKET}`, `RECORD ${url}/${TICKET}`])).toEqual([
    'RTSP/1.0 405 Method Not Allowed',
    'RTSP/1.0 405 Method Not Allowed',
  ]);
  expect(
    await ask(port, [`DESCRIBE ${url}/`, `DESCRIBE ${url}/../${TICKET}`, `DESCRIBE ${url}/known-but-not-for-this`]),
  ).toEqual(['RTSP/1.0 404 Not Found', 'RTSP/1.0 404 Not Found', 'RTSP/1.0 403 Forbidden']);
  expect(opened.count).toBe(0);
});

test('[SE-43] closes a connection that guesses tickets', async () => {
  const { port } = await start();
  const guess = (n: number): string => `DESCRIBE rtsp://127.0.0.1:${port}/guess-number-${String(n).padStart(8, '0')}`;
  const answers = await ask(port, [1, 2, 3, 4].map(guess));
  expect(answers).toEqual(['RTSP/1.0 404 Not Found', 'RTSP/1.0 404 Not Found', 'closed']);
});

test('a changed picture size goes on with its parameter sets in the stream; another codec ends the session', async () => {
  const { url, consumer } = await start();
  const client = await play(url);
  await vi.waitFor(() => expect(client.packets.length).toBeGreaterThan(5));
  const { video } = clip.format;
  if (!video) throw new Error('the clip has no video');
  const [key] = clip.pictures;
  const again = { ...video, codecString: 'avc1.other', config: Buffer.from(video.config) };
  consumer().format({ video: again, audio: null });
  const count = client.packets.length;
  consumer().accessUnit({
    track: 'video',
    data: key?.data ?? Buffer.alloc(0),
    isKey: true,
    dts: 9e9,
    ctsOffset: 0,
    wallMs: Date.now(),
  });
  await vi.waitFor(() => expect(client.packets.length).toBeGreaterThan(count));
  expect(client.ended).not.toHaveBeenCalled();
  consumer().format({
    video: { ...again, codec: 'mjpeg', codecString: 'mjpeg', config: Buffer.alloc(0) },
    audio: null,
  });
  await vi.waitFor(() => expect(client.ended).toHaveBeenCalledTimes(1));
});

test('a client that leaves, with or without TEARDOWN, releases the camera', async () => {
  const { url, opened, over } = await start();
  const polite = await play(url);
  await polite.session.close();
  await vi.waitFor(() => expect(opened).toEqual({ count: 1, closed: 1 }));
  const rude = connect(Number(new URL(url).port), '127.0.0.1');
  await once(rude, 'connect');
  rude.write(`DESCRIBE ${url} RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
  await once(rude, 'data');
  rude.resetAndDestroy();
  await vi.waitFor(() => expect(opened).toEqual({ count: 2, closed: 2 }));
  expect(over).toHaveBeenCalledTimes(2);
});
