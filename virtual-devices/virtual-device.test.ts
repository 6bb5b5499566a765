// Proves a whole virtual device over its wires: ONVIF with its sign-in and faults, snapshots, live RTSP, replay, control port.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { onvifPrefixes } from '@vedette/protocols/onvif/namespaces.ts';
import { type Envelope, readEnvelope, writeEnvelope } from '@vedette/protocols/soap/envelope.ts';
import { usernameTokenHeader } from '@vedette/protocols/soap/ws-security.ts';
import { readReplayExtension } from '@vedette/protocols/rtp/packet.ts';
import { openRtspSession, type RtspSession } from '@vedette/protocols/rtsp/client.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import type { RtspMediaSink } from '@vedette/protocols/rtsp/media-channel.ts';
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import { element, type XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { startDemo } from './demo.ts';
import { recordedSpans } from './recordings/recorded-pattern.ts';
import type { ReadyDevice, RunningDevices } from './control/ready-line.ts';
import { readStripFromLuma } from './scene/painting/strip.ts';

const PASSWORD = 'a "quoted" pass';
const clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

let demo: RunningDevices;
let camera: ReadyDevice;
let serial: string;

interface State {
  readonly devices: readonly {
    readonly serial: string;
    readonly target: string;
    readonly rtspPort: number;
    readonly streams: Readonly<Record<string, { url: string; clients: number; pictures: number; keyPictures: number }>>;
  }[];
}

async function state(): Promise<State['devices'][number]> {
  const all = (await (await fetch(`${demo.ready.controlUrl}/state`)).json()) as State;
  const found = all.devices.find((device) => device.target === camera.target);
  if (found === undefined) throw new Error('the camera is not in the state');
  return found;
}

async function control(command: string, input: object = {}): Promise<Response> {
  return await fetch(`${demo.ready.controlUrl}/devices/${serial}/${command}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
}

beforeAll(async () => {
  const report = (error: unknown) => {
    throw error;
  };
  demo = await startDemo({ host: '127.0.0.1', port: 0, password: PASSWORD, clock, utcOffset: () => 0, report });
  camera = demo.ready.devices[0] as ReadyDevice;
  serial = (await state()).serial;
});
afterAll(() => demo.stop());

interface Asked {
  readonly status: number;
  readonly envelope: Envelope;
}

async function ask(
  body: XmlNode,
  password: string | null = PASSWORD,
  nonce = randomBytes(16),
  at = Date.now(),
): Promise<Asked> {
  const header = password === null ? [] : [usernameTokenHeader({ user: 'admin', password, createdMs: at, nonce })];
  const response = await fetch(camera.target, {
    method: 'POST',
    body: writeEnvelope({ header, body, prefixes: onvifPrefixes }),
  });
  return { status: response.status, envelope: readEnvelope(await response.text()) };
}

function subcodes({ envelope }: Asked): string[] {
  return (envelope.fault?.subcodes ?? []).map((code) => code.name);
}

test('the ready line names eight cameras, a recorder and an address that refuses', async () => {
  const kinds = demo.ready.devices.map((device) => device.kind);
  expect(kinds.filter((kind) => kind === 'camera')).toHaveLength(8);
  expect(kinds.slice(8)).toEqual(['recorder', 'offline']);
  expect(new Set(demo.ready.devices.map((device) => device.target)).size).toBe(10);
  await expect(fetch(demo.ready.devices[9]?.target ?? '')).rejects.toThrow('fetch failed');
});

describe('ONVIF', () => {
  test('the time needs no sign-in, everything else does', async () => {
    expect((await ask(element('tds:GetSystemDateAndTime'), null)).status).toBe(200);
    const refused = await ask(element('tds:GetDeviceInformation'), null);
    expect(refused.status).toBe(401);
    expect(subcodes(refused)).toEqual(['NotAuthorized']);
    const answer = await ask(element('tds:GetDeviceInformation'));
    expect(answer.envelope.body?.child('SerialNumber')?.text).toBe(serial);
  });

  test('a wrong password, an old message and a repeated one are refused', async () => {
    const request = element('tds:GetDeviceInformation');
    expect(subcodes(await ask(request, 'wrong'))).toEqual(['NotAuthorized']);
    expect(subcodes(await ask(request, PASSWORD, randomBytes(16), Date.now() - 6 * 60_000))).toEqual(['NotAuthorized']);
    const nonce = randomBytes(16);
    const at = Date.now();
    expect((await ask(request, PASSWORD, nonce, at)).status).toBe(200);
    expect(subcodes(await ask(request, PASSWORD, nonce, at))).toEqual(['NotAuthorized']);
    // Signed with another time it is no repetition: whoever signs it knows the password.
    expect((await ask(request, PASSWORD, nonce, at + 1)).status).toBe(200);
  });

  test('faults carry their subcodes', async () => {
    expect(subcodes(await ask(element('tds:GetDot11Capabilities')))).toEqual(['ActionNotSupported']);
    const profile = element('trt:GetSnapshotUri', {}, element('trt:ProfileToken', {}, 'none'));
    expect(subcodes(await ask(profile))).toEqual(['InvalidArgVal', 'NoProfile']);
    expect(subcodes(await ask(element('trt:GetSnapshotUri')))).toEqual(['InvalidArgs']);
  });

  test('with digest only, the Security header gives mustUnderstand', async () => {
    await control('auth', { onvif: 'digest' });
    expect((await ask(element('tds:GetDeviceInformation'))).envelope.fault?.code).toBe('MustUnderstand');
    await control('auth', { onvif: 'both' });
  });

  test('every profile has an address, and a snapshot asks for digest', async () => {
    const { envelope } = await ask(element('trt:GetProfiles'));
    const tokens = envelope.body?.childrenNamed('Profiles').map((profile) => profile.attribute('token') ?? '') ?? [];
    expect(tokens).toHaveLength(3);
    const uri = await ask(element('trt:GetSnapshotUri', {}, element('trt:ProfileToken', {}, tokens[2] ?? '')));
    const response = await fetch(uri.envelope.body?.path('MediaUri', 'Uri')?.text ?? '');
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('SHA-256');
  });
});

function play(url: string, sink: Partial<RtspMediaSink>, replay?: { range: string }): Promise<RtspSession> {
  return openRtspSession({
    url,
    credentials: { user: 'admin', password: PASSWORD },
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => randomBytes(8).toString('hex'),
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media.slice(0, 1),
    sink: { packet: () => undefined, senderReport: () => undefined, bye: () => undefined, ...sink },
    onEnded: () => undefined,
    ...(replay === undefined ? {} : { headers: { Require: 'onvif-replay' } }),
  });
}

describe('live', () => {
  test('sends packets, reports with the wall clock, and keyframes on request', async () => {
    const packet = vi.fn();
    const senderReport = vi.fn();
    const session = await play((await state()).streams['/live/1/third']?.url ?? '', { packet, senderReport });
    await session.play();
    await vi.waitFor(() => expect(packet).toHaveBeenCalled());
    expect(Math.abs(senderReport.mock.calls[0]?.[1].ntpMs - Date.now())).toBeLessThan(2000);
    const before = (await state()).streams['/live/1/third'];
    expect(before?.clients).toBe(1);
    await ask(element('trt:SetSynchronizationPoint', {}, element('trt:ProfileToken', {}, 'profile_1_third')));
    await vi.waitFor(async () => {
      expect((await state()).streams['/live/1/third']?.keyPictures).toBe((before?.keyPictures ?? 0) + 1);
    });
    await session.close();
    await vi.waitFor(async () => expect((await state()).streams['/live/1/third']?.clients).toBe(0));
  });

  test('stalled it is silent, dropped it disconnects, stopped it refuses, started it serves the same port again', async () => {
    const { url } = (await state()).streams['/live/1/third'] ?? { url: '' };
    const packet = vi.fn();
    const session = await play(url, { packet });
    await session.play();
    await vi.waitFor(() => expect(packet).toHaveBeenCalled());
    expect((await control('stall', { on: true })).status).toBe(200);
    const { pictures } = (await state()).streams['/live/1/third'] ?? { pictures: 0 };
    expect((await state()).streams['/live/1/third']?.pictures).toBe(pictures);
    await control('stall', { on: false });
    await vi.waitFor(async () => expect((await state()).streams['/live/1/third']?.pictures).toBeGreaterThan(pictures));
    expect(await (await control('drop')).json()).toEqual({ dropped: 1 });
    await session.close();
    await control('stop');
    await expect(fetch(camera.target)).rejects.toThrow('fetch failed');
    await control('start');
    expect((await ask(element('tds:GetDeviceInformation'))).status).toBe(200);
  });

  test('commands that make no sense are refused with a reason', async () => {
    for (const [command, input] of [
      ['nothing', {}],
      ['stall', { stream: '/no' }],
      ['clock', {}],
      ['rtsp-fault', { kind: 'x' }],
    ] as const) {
      expect((await control(command, input)).status).toBe(400);
    }
    await control('rtsp-fault', { kind: 'status', status: 454, reason: 'Session Not Found', method: 'PLAY' });
    const session = await play((await state()).streams['/live/1/third']?.url ?? '', {});
    await expect(session.play()).rejects.toBeInstanceOf(RtspError);
    await session.close();
  });
});

test('replay sends exactly the recorded frames of a range, each with its time, and signals its end', async () => {
  const now = Math.floor(Date.now() / 10_000) * 10_000;
  // The first device of the demo has seed 1, its channel the recordings seed 65.
  const range = { from: now - 7_200_000, to: now - 6_600_000 };
  const expected = recordedSpans(65, range).flatMap((span) => {
    const from = Math.max(span.from, range.from);
    return Array.from({ length: (Math.min(span.to, range.to) - from) / 1000 }, (_, i) => from + i * 1000);
  });
  const times = new Set<number>();
  const bye = vi.fn();
  const { rtspPort } = await state();
  const packet: RtspMediaSink['packet'] = (_track, header, buffer) => {
    const extension = readReplayExtension(buffer, header);
    if (extension !== null) times.add(Math.round(extension.wallMs));
  };
  const session = await play(`rtsp://127.0.0.1:${rtspPort}/replay/1`, { packet, bye }, { range: '' });
  const instant = (ms: number) => new Date(ms).toISOString().replace(/[-:]/g, '');
  await session.play({ Range: `clock=${instant(range.from)}-${instant(range.to)}`, 'Rate-Control': 'no' });
  await vi.waitFor(() => expect(bye).toHaveBeenCalled(), { timeout: 20_000 });
  await session.close();
  expect([...times]).toEqual(expected);
}, 30_000);

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test.skipIf(!hasFfmpeg)(
  'ffmpeg reads the live stream, and every frame carries the next counter and the clock',
  async () => {
    const { url } = (await state()).streams['/live/1/third'] ?? { url: '' };
    const address = url.replace('rtsp://', `rtsp://admin:${encodeURIComponent(PASSWORD)}@`);
    const child = spawn('ffmpeg', [
      '-v',
      'error',
      '-rtsp_transport',
      'tcp',
      '-i',
      address,
      '-frames:v',
      '25',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      '-fps_mode',
      'passthrough',
      '-',
    ]);
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    await new Promise((resolve) => child.once('close', resolve));
    expect(Buffer.concat(errors).toString()).toBe('');
    const size = 320 * 180;
    const all = Buffer.concat(chunks);
    const strips = Array.from({ length: 25 }, (_, i) =>
      readStripFromLuma(all.subarray(i * size, (i + 1) * size), 320, 320),
    );
    const first = strips[0]?.frame ?? -1;
    expect(strips.map((strip) => strip?.frame)).toEqual(Array.from({ length: 25 }, (_, i) => first + i));
    for (const strip of strips) expect(Math.abs((strip?.wallMs ?? 0) - Date.now())).toBeLessThan(10_000);
  },
  30_000,
);
