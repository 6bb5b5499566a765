// The RTSP driver against a scripted server: paths, sizes, codecs, refusals; GStreamer's server judges it in tests/integration.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { deviceError } from '../kit/device-fault.ts';
import type { Candidate } from '../kit/driver.ts';
import { testContext } from '../testing/driver-context.fake.ts';
import { faultOf } from '../testing/fault-of.fake.ts';
import { type RtspAsk, type RtspReply, ScriptedRtsp, h264Media, sdpOf } from '../testing/scripted-rtsp.fake.ts';
import { rtspDriver } from './rtsp-driver.ts';

const credentials = { user: 'admin', password: 'camera-pass' };
const running: ScriptedRtsp[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function server(reply: (ask: RtspAsk) => RtspReply): Promise<ScriptedRtsp> {
  const started = await ScriptedRtsp.start(reply);
  running.push(started);
  return started;
}

const probe = (url: string, context = testContext()): Promise<Candidate> =>
  rtspDriver.probe({ url, credentials, context });
const ok = (...media: string[]): RtspReply => ({ status: 200, headers: ['Server: Test  1'], body: sdpOf(...media) });

describe('probe', () => {
  test('describes one channel with its size, sound and server', async () => {
    const target = await server(() => ok(h264Media, 'm=audio 0 RTP/AVP 8'));
    const candidate = await probe(target.url('/cam?x=1'));
    expect(candidate).toMatchObject({
      driver: 'rtsp',
      native: { urls: [target.url('/cam?x=1')] },
      info: { model: 'Test 1' },
      deviceType: 0,
      channels: [{ channelNo: 1, streams: [{ quality: 0, codec: 'h264', width: 640, height: 360, audio: 'pcma' }] }],
      warnings: [],
    });
    expect(target.asked[0]?.path).toBe('/cam?x=1');
  });

  test('an address without a path is tried with known paths, and brings the smaller stream along', async () => {
    const known = ['/h264Preview_01_main', '/h264Preview_01_sub'];
    const target = await server(({ path }) => (known.includes(path) ? ok(h264Media) : { status: 404 }));
    const candidate = await probe(target.url(''));
    expect(candidate.native).toEqual({ urls: known.map((path) => target.url(path)) });
    expect(candidate.channels[0]?.streams.map(({ quality }) => quality)).toEqual([0, 1]);
  });

  test('does not try a refused password on further paths', async () => {
    const challenge = { status: 401, headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] };
    const target = await server(() => challenge);
    expect(deviceError(await faultOf(probe(target.url('')))).data.reason).toBe('deviceAuth');
    expect(target.asked.filter(({ authorization }) => authorization !== null)).toHaveLength(1);
  });

  test('reports that no known path has a stream', async () => {
    const target = await server(() => ({ status: 404 }));
    expect((await faultOf(probe(target.url('/')))).kind).toBe('not-found');
  });

  test.each<[string, RtspReply, string, string | null]>([
    ['404', { status: 404 }, 'not-found', 'RTSP 404'],
    ['454', { status: 454 }, 'device', 'RTSP 454'],
    ['503', { status: 503 }, 'device', 'RTSP 503'],
    ['no description', { status: 200, body: 'nothing' }, 'other-protocol', null],
    ['sound only', ok('m=audio 0 RTP/AVP 8'), 'no-video', null],
    ['MPEG-4', ok('m=video 0 RTP/AVP 96', 'a=rtpmap:96 MP4V-ES/90000'), 'unsupported-codec', 'MP4V-ES'],
  ])('%s', async (_, reply, kind, text) => {
    const target = await server(() => reply);
    const fault = await faultOf(probe(target.url('/x')));
    expect([fault.kind, fault.fault]).toEqual([kind, text]);
  });

  test('motion JPEG is a picture, with its size where the description tells it', async () => {
    const target = await server(() => ok('m=video 0 RTP/AVP 26', 'a=x-dimensions:1280,720'));
    const candidate = await probe(target.url('/x'));
    expect(candidate.channels[0]?.streams).toEqual([{ quality: 0, codec: 'mjpeg', width: 1280, height: 720 }]);
  });

  test('H.265 without parameter sets has an unknown size; unknown sound is a warning', async () => {
    const target = await server(() =>
      ok('m=audio 0 RTP/AVP 97', 'a=rtpmap:97 G726-32/8000', 'm=video 0 RTP/AVP 98', 'a=rtpmap:98 H265/90000'),
    );
    const candidate = await probe(target.url('/x'));
    expect(candidate.channels[0]?.streams).toEqual([
      { quality: 0, codec: 'h265', width: 0, height: 0, audio: 'g726-32' },
    ]);
    expect(candidate.warnings).toEqual([{ kind: 'audio-not-supported', channelNo: 1, codec: 'g726-32' }]);
  });
});

describe('driver', () => {
  test('gives the smaller stream it has, and the last one for what it lacks', async () => {
    const native = { urls: ['rtsp://h/a', 'rtsp://h/b'] };
    const driver = rtspDriver.open({ native, credentials, context: testContext() });
    const channel = await driver.channel(1);
    const urls = await Promise.all(([0, 1, 2] as const).map(async (quality) => (await channel.source(quality)).url));
    expect(urls).toEqual(['rtsp://h/a', 'rtsp://h/b', 'rtsp://h/b']);
    expect([channel.snapshot, channel.keyframe, channel.replay, driver.reboot]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a camera that was given another codec is described anew after the next check', async () => {
    let media: string[] = [h264Media];
    const target = await server(() => ok(...media));
    const native = { urls: [target.url('/x')] };
    const driver = rtspDriver.open({ native, credentials, context: testContext() });
    const codec = async () => (await driver.describe()).channels[0]?.streams[0]?.codec;
    expect(await codec()).toBe('h264');
    media = ['m=video 0 RTP/AVP 98', 'a=rtpmap:98 H265/90000'];
    expect(await codec()).toBe('h264');
    await driver.check();
    expect(await codec()).toBe('h265');
    await driver.close();
  });

  test('an address record of another driver is refused', () => {
    for (const native of [{}, { urls: [] }, { urls: ['http://h/'] }, { urls: 'rtsp://h/' }]) {
      expect(() => rtspDriver.open({ native, credentials, context: testContext() })).toThrow(TypeError);
    }
  });

  test('a password in a saved URL is dropped', async () => {
    const driver = rtspDriver.open({ native: { urls: ['rtsp://a:b@h/x'] }, credentials: null, context: testContext() });
    expect((await (await driver.channel(1)).source(0)).url).toBe('rtsp://h/x');
  });
});

const captured = new URL('../../../shared/fixtures/sdp/', import.meta.url);
const names = existsSync(captured)
  ? readdirSync(captured).filter((name) => /describe\.txt$|describe_.*\.txt$/u.test(name))
  : [];

describe.skipIf(names.length === 0)('captured descriptions of real cameras', () => {
  test('are read with their codec', async () => {
    const seen: string[] = [];
    for (const name of names) {
      const text = readFileSync(new URL(name, captured), 'latin1');
      const body = text.slice(text.search(/\r?\n\r?\n/u)).trimStart();
      const target = await server(() => ({ status: 200, body }));
      const { channels } = await probe(target.url('/x'));
      const stream = channels[0]?.streams[0];
      seen.push(`${name} ${stream?.codec} ${stream?.width}x${stream?.height} ${stream?.audio ?? '-'}`);
    }
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter((line) => !/ h26[45] /u.test(line))).toEqual([]);
    expect(seen).toContainEqual(expect.stringMatching(/^dahua_describe_h265_pcma\.txt h265 /u));
  });
});
