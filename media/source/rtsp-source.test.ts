// Proves the RTSP source against a scripted device: units and times, loss, format change, failures, patience and sign-in limits.
import {
  ScriptedDevice,
  SCRIPTED_SDP,
  type Script,
  wellBehaved,
} from '@vedette/protocols/rtsp/scripted-device.fake.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { writeSenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import { writeInterleavedHeader } from '@vedette/protocols/rtsp/message.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { AccessUnit, MediaFormat, SourceState } from '../stream/stream.ts';
import { openRtspSource } from './rtsp-source.ts';
import { SignInLimiter } from './sign-in-limiter.ts';
import type { MediaSource } from '../stream/source.ts';

const FRAME = 3600;
const key = Buffer.from([0x65, 0x88, 1, 2, 3]);
const delta = Buffer.from([0x41, 0x9a, 1, 2]);
const smallSps = Buffer.from('Z0LAHtkDxWhAAAADAEAAAAwDxYuS', 'base64');
const smallPps = Buffer.from('aMuMsg==', 'base64');

const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

interface Seen {
  units: AccessUnit[];
  formats: MediaFormat[];
  breaks: string[];
  states: SourceState[];
}

async function pull(script: Script, gate?: SignInLimiter, clock = new FakeClock()) {
  const device = await ScriptedDevice.listen(script);
  const seen: Seen = { units: [], formats: [], breaks: [], states: [] };
  const source: MediaSource = openRtspSource({
    url: device.url,
    credentials: { user: 'admin', password: 'secret' },
    dial: (request) => dialDirect(request),
    clock,
    random: () => 0,
    clientNonce: () => 'abc',
    signInLimiter: gate ?? new SignInLimiter(clock),
    consumer: {
      format: (format) => seen.formats.push(format),
      accessUnit: (unit) => seen.units.push(unit),
      discontinuity: (reason) => seen.breaks.push(reason),
      state: (state) => seen.states.push(state),
    },
  });
  running.push(source, device);
  return { device, source, seen, clock };
}

function states(seen: Seen): string[] {
  return seen.states.map((state) => (state.state === 'failed' ? `failed:${state.reason}` : state.state));
}

async function connected(device: ScriptedDevice, times = 1): Promise<void> {
  await vi.waitFor(() => expect(device.methods().filter((method) => method === 'PLAY')).toHaveLength(times));
}

function picture(device: ScriptedDevice, nal: Buffer, timestamp: number, skip = 0): void {
  device.sendRtp(0, nal, { timestamp, marker: true, skip });
}

test('units come with even decode times, wall clocks and the format ahead', async () => {
  const { device, seen, clock } = await pull(wellBehaved);
  await connected(device);
  picture(device, delta, 0);
  picture(device, key, FRAME);
  await vi.waitFor(() => expect(seen.units).toHaveLength(1));
  for (let i = 2; i < 6; i++) {
    clock.advance(40);
    picture(device, delta, i * FRAME);
    await vi.waitFor(() => expect(seen.units).toHaveLength(i));
  }
  expect(seen.formats).toMatchObject([
    { video: { codec: 'h264', codecString: 'avc1.420029', width: 1920 }, audio: { codec: 'pcma', sampleRate: 8000 } },
  ]);
  expect(seen.breaks).toEqual(['connected']);
  expect(seen.units.map((unit) => unit.isKey)).toEqual([true, false, false, false, false]);
  expect(seen.units.map((unit) => unit.dts - (seen.units[0]?.dts ?? 0))).toEqual([0, 1, 2, 3, 4].map((n) => n * FRAME));
  expect(seen.units[4]?.wallMs).toBe(clock.wallMs());
  expect(states(seen)).toEqual(['connecting', 'playing']);
});

test('after a lost packet nothing is delivered until the next keyframe', async () => {
  const { device, seen, source } = await pull(wellBehaved);
  await connected(device);
  picture(device, key, 0);
  picture(device, delta, FRAME, 2);
  picture(device, delta, 2 * FRAME);
  picture(device, key, 3 * FRAME);
  await vi.waitFor(() => expect(seen.units).toHaveLength(2));
  expect(seen.breaks).toEqual(['connected', 'lost-packets']);
  expect(source.counters).toMatchObject({ unitsAwaitingKey: 2, keyUnits: 2 });
});

test('drops leading frames of an open GOP, also across a timestamp wrap', async () => {
  const { device, seen, source } = await pull(wellBehaved);
  await connected(device);
  const recovery = Buffer.from([0x06, 0x06, 0x01, 0xc4, 0x80]);
  const intra = Buffer.from([0x41, 0x88, 0x80, 1, 2, 3]);
  const from = 2 ** 32 - 3 * FRAME;
  const at = (frame: number): number => (from + frame * FRAME) % 2 ** 32;
  picture(device, key, at(0));
  // Within a GOP that stands by itself pictures may come in any order.
  picture(device, delta, at(2));
  picture(device, delta, at(1));
  device.sendRtp(0, recovery, { timestamp: at(5), marker: false, skip: 0 });
  picture(device, intra, at(5));
  picture(device, delta, at(3));
  picture(device, delta, at(4));
  picture(device, delta, at(6));
  await vi.waitFor(() => expect(seen.units).toHaveLength(5));
  expect(seen.units.map((unit) => unit.isKey)).toEqual([true, false, false, true, false]);
  expect(source.counters).toMatchObject({ leadingUnits: 2, unitsAwaitingKey: 0 });
});

test('reports a missing keyframe after 10 s, reconnects after a minute, and plays when one comes', async () => {
  const { device, seen, clock, source } = await pull(wellBehaved);
  await connected(device);
  let sent = 0;
  const fiveSeconds = async (): Promise<void> => {
    picture(device, Buffer.concat([delta, Buffer.of(sent)]), sent++ * 5 * 90_000);
    await vi.waitFor(() => expect(source.counters.unitsAwaitingKey).toBe(sent));
    for (let s = 0; s < 5; s++) clock.advance(1000);
  };
  const told = ['connecting', 'failed:no-key-picture'];
  await fiveSeconds();
  expect(states(seen)).toEqual(['connecting']);
  for (let n = 1; n < 12; n++) await fiveSeconds();
  await vi.waitFor(() => expect(states(seen)).toEqual([...told, 'failed:no-key-picture']));
  clock.advance(2000);
  await connected(device, 2);
  picture(device, key, 0);
  await vi.waitFor(() => expect(states(seen).slice(3)).toEqual(['connecting', 'playing']));
});

test('no sprop: parameter sets are taken from the stream, and a change of them is a new format', async () => {
  const script: Script = (request) =>
    request.method === 'DESCRIBE' ? { body: SCRIPTED_SDP.replace(/;sprop[^\r]*/, '') } : wellBehaved(request);
  const { device, seen, source } = await pull(script);
  await connected(device);
  picture(device, key, 0);
  device.sendRtp(0, smallSps, { timestamp: FRAME, marker: false });
  device.sendRtp(0, smallPps, { timestamp: FRAME, marker: false });
  picture(device, key, FRAME);
  await vi.waitFor(() => expect(seen.formats).toHaveLength(1));
  device.sendRtp(0, Buffer.from('Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==', 'base64'), {
    timestamp: 2 * FRAME,
    marker: false,
  });
  device.sendRtp(0, smallPps, { timestamp: 2 * FRAME, marker: false });
  picture(device, key, 2 * FRAME);
  await vi.waitFor(() => expect(seen.formats).toHaveLength(2));
  expect(seen.formats.map((format) => format.video?.width)).toEqual([240, 1920]);
  expect(seen.breaks).toEqual(['connected', 'format-changed']);
  expect(source.counters).toMatchObject({ unitsWithoutFormat: 1, formatChanges: 1 });
});

test('timestamp jumps do not break the timeline, and decode times stay monotonic', async () => {
  const { device, seen } = await pull(wellBehaved);
  await connected(device);
  picture(device, key, 5_000_000);
  picture(device, delta, 5_000_000 + FRAME);
  picture(device, delta, 17);
  picture(device, delta, 17 + FRAME);
  await vi.waitFor(() => expect(seen.units).toHaveLength(4));
  expect(seen.breaks).toEqual(['connected']);
  for (const [i, unit] of seen.units.slice(1).entries()) expect(unit.dts).toBeGreaterThan(seen.units[i]?.dts ?? 0);
});

test('audio waits for video, and sender reports align both', async () => {
  const { device, seen, clock } = await pull(wellBehaved);
  await connected(device);
  const sound = (timestamp: number): void =>
    device.sendRtp(2, Buffer.alloc(160), { timestamp, marker: false, payloadType: 8 });
  sound(0);
  picture(device, key, 0);
  sound(160);
  await vi.waitFor(() => expect(seen.units).toHaveLength(2));
  const report = (channel: number, rtpTime: number, wallMs: number): void => {
    const bytes = writeSenderReport({ ssrc: 1, wallMs, rtpTime, packets: 1, bytes: 1 });
    const frame = Buffer.alloc(4 + bytes.length);
    writeInterleavedHeader(frame, 0, channel, bytes.length);
    bytes.copy(frame, 4);
    device.sendBytes(frame);
  };
  // Sound sample 160 was taken 500 ms after picture 0, though both came at once.
  report(1, 0, clock.wallMs());
  report(3, 160, clock.wallMs() + 500);
  sound(320);
  await vi.waitFor(() => expect(seen.units).toHaveLength(3));
  const [first, second] = seen.units.filter((unit) => unit.track === 'audio');
  expect((second?.dts ?? 0) - (first?.dts ?? 0)).toBe(160 + 4000);
});

test('disconnects from a silent device within 10 s and reconnects; backoff doubles', async () => {
  const { device, seen, clock } = await pull(wellBehaved);
  await connected(device);
  picture(device, key, 0);
  await vi.waitFor(() => expect(seen.units).toHaveLength(1));
  await vi.waitFor(() => {
    clock.advance(1000);
    expect(states(seen)).toContain('failed:timeout');
  });
  expect(clock.monotonicMs()).toBeLessThanOrEqual(10_000);
  expect(device.methods().at(-1)).toBe('TEARDOWN');
  clock.advance(1000);
  await connected(device, 2);
  device.hangUp();
  await vi.waitFor(() => expect(states(seen)).toContain('failed:unreachable'));
  const failed = seen.states.findLast((state) => state.state === 'failed');
  expect(failed?.state === 'failed' && failed.retryAt - clock.wallMs()).toBe(2000);
});

test('the same format after a reconnect is not announced again', async () => {
  const { device, seen, clock } = await pull(wellBehaved);
  await connected(device);
  picture(device, key, 0);
  await vi.waitFor(() => expect(seen.units).toHaveLength(1));
  device.hangUp();
  await vi.waitFor(() => expect(states(seen)).toContain('failed:unreachable'));
  clock.advance(1000);
  await connected(device, 2);
  picture(device, key, 999);
  await vi.waitFor(() => expect(seen.units).toHaveLength(2));
  expect(seen.formats).toHaveLength(1);
  expect(seen.breaks).toEqual(['connected', 'connected']);
});

test('a wrong password is tried at most three times a minute over all streams of the device', async () => {
  const clock = new FakeClock();
  const gate = new SignInLimiter(clock);
  const refuse: Script = () => ({ status: 401, headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' } });
  const { device, seen } = await pull(refuse, gate, clock);
  await vi.waitFor(() => expect(states(seen)).toEqual(['connecting', 'failed:authentication']));
  const failed = seen.states.at(-1);
  expect(failed?.state === 'failed' && failed.retryAt - clock.wallMs()).toBeGreaterThanOrEqual(60_000);
  const account = { host: '127.0.0.1', port: device.port, user: 'admin', password: 'secret' };
  expect(gate.isRefused(gate.keyOf(account))).toBe(true);
  expect(gate.waitMs(gate.keyOf(account))).toBe(20_000);
  expect(gate.waitMs(gate.keyOf({ ...account, password: 'another' }))).toBe(0);
});

test.each([
  ['no video', SCRIPTED_SDP.replace('m=video', 'm=text'), 'failed:no-video'],
  ['a codec we cannot carry', SCRIPTED_SDP.replace('H264', 'VP8'), 'failed:unsupported-codec'],
])('%s has its own failure', async (_, body, expected) => {
  const { seen } = await pull((request) => (request.method === 'DESCRIBE' ? { body } : wellBehaved(request)));
  await vi.waitFor(() => expect(states(seen)).toContain(expected));
});

test('closing sends TEARDOWN to the device and the end to the consumer', async () => {
  const { device, source, seen } = await pull(wellBehaved);
  await connected(device);
  await source.close();
  expect(device.methods().at(-1)).toBe('TEARDOWN');
  expect(states(seen).at(-1)).toBe('closed');
});
