// What users type as an address, and what is made of it when several ports could answer.
import { afterEach, describe, expect, test } from 'vitest';
import { DeviceFault } from './kit/device-fault.ts';
import { cameraScript } from './testing/camera-script.fake.ts';
import { testContext } from './testing/driver-context.fake.ts';
import { ScriptedDevice } from './testing/scripted-device.fake.ts';
import { ScriptedRtsp, h264Media, sdpOf } from './testing/scripted-rtsp.fake.ts';
import { serviceUrl, snapshotUrl, streamUrl } from './onvif/session/device-address.ts';
import { probe } from './probe.ts';
import { parseProbeTarget } from './probe-target.ts';
import { driverById, drivers } from './registry.ts';

/** Schemes of other programs, which run, read, join or send something. */
const FOREIGN_SCHEMES = [
  'exec:ls echo:rtsp://h/a ffmpeg:rtsp://h/a file:///etc/passwd concat:a|b concatf:list crypto:file:///a cache:http://h',
  'subfile:,,start,0,end,9,,:/etc/passwd async:file:///a data:video/mp4;base64,AAAA unix:/run/a.sock tee:a|b md5:a',
  'ftp://h/a sftp://h/a smb://h/a gopher://h/a tcp://h:1 udp://h:1 tls://h:1 rtp://h:1 srt://h:1 rtmp://h/a rtmps://h/a',
  'mms://h/a hls+http://h/a httpproxy://h/a ipfs://a javascript:alert(1) v4l2:/dev/video0 alsa:hw0 lavfi:testsrc |ls',
  'rtspu://h/a rtspt://h/a rtsp+exec://h/a rtsp:exec:ls rtsp:/h/a RTSP:\\\\h\\a',
].flatMap((line) => line.split(' '));

test.each([
  ...FOREIGN_SCHEMES,
  'rtsp://h/a\nexec:ls',
  '-i rtsp://h/a',
])('[SE-70] %j is no source, neither typed nor told by a device', (text) => {
  expect(parseProbeTarget(text)).toBeNull();
  const dialled = { url: new URL('http://192.0.2.1/onvif/device_service'), keepHost: true };
  expect(streamUrl(dialled, text)).toBeNull();
  for (const url of [serviceUrl(dialled, text), snapshotUrl(dialled, text, null)]) {
    expect([url.protocol, url.hostname]).toEqual(['http:', '192.0.2.1']);
  }
});

test.each(['expr:1', 'pipe:0', 'fd:3', '@list'])('[SE-70] %j is the name of a host and nothing else', (text) => {
  for (const { url } of parseProbeTarget(text)?.places ?? []) expect(url).toMatch(/^(?:http|rtsp):\/\//u);
});

describe('parseProbeTarget', () => {
  test.each<[string, readonly string[]]>([
    ['rtsp://h/a?b=1', ['rtsp rtsp://h/a?b=1']],
    ['rtsps://h:322/a', ['rtsp rtsps://h:322/a']],
    ['rtsp://u:p@h/a#transport=udp', ['rtsp rtsp://h/a#transport=udp']],
    ['http://h', ['onvif http://h/onvif/device_service']],
    ['HTTPS://h:8443/', ['onvif https://h:8443/onvif/device_service']],
    ['http://h/custom/device', ['onvif http://h/custom/device']],
    ['192.168.1.9:8000', ['onvif http://192.168.1.9:8000/onvif/device_service', 'rtsp rtsp://192.168.1.9:8000']],
    ['[fd00::9]:554', ['onvif http://[fd00::9]:554/onvif/device_service', 'rtsp rtsp://[fd00::9]']],
    [
      ' camera.lan ',
      [
        'onvif http://camera.lan/onvif/device_service',
        'onvif http://camera.lan:8000/onvif/device_service',
        'onvif http://camera.lan:8080/onvif/device_service',
        'onvif http://camera.lan:8899/onvif/device_service',
        'onvif http://camera.lan:2020/onvif/device_service',
        'rtsp rtsp://camera.lan',
        'rtsp rtsp://camera.lan:8554',
      ],
    ],
  ])('%s', (text, places) => {
    expect(parseProbeTarget(text)?.places.map(({ driver, url }) => `${driver} ${url}`)).toEqual(places);
  });

  test('a bare IPv6 address is a host', () => {
    expect(parseProbeTarget('fd00::9')?.places[0]?.url).toBe('http://[fd00::9]/onvif/device_service');
  });

  test.each([
    '',
    'a b',
    'ftp://h/',
    'http://',

    'rtsp:/h',
    'h:99999',
    'h/path',
    'user@h',
    '<script>',
    'x'.repeat(600),
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('refuses %s', (text) => {
    expect(parseProbeTarget(text)).toBeNull();
  });

  test('credentials are removed from the address', () => {
    for (const text of ['rtsp://us%40er:p%3Aw@h/a', 'http://us%40er:p%3Aw@h/a']) {
      const parsed = parseProbeTarget(text);
      expect(parsed?.credentials).toEqual({ user: 'us@er', password: 'p:w' });
      expect(parsed?.places[0]?.url).not.toContain('@');
    }
  });
});

describe('probe', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });

  async function at(...urls: readonly [driver: 'onvif' | 'rtsp', url: string][]) {
    const places = urls.map(([driver, url]) => ({ driver, url }));
    const credentials = { user: 'u', password: 'p' };
    return await probe({ target: { places, credentials }, credentials: null, context: testContext() });
  }

  test('takes the first place that answers as its protocol', async () => {
    const onvif = await ScriptedDevice.start(cameraScript());
    const web = await ScriptedDevice.start({}, () => ({ status: 200, body: '<!doctype html>' }));
    const rtsp = await ScriptedRtsp.start(() => ({ status: 200, body: sdpOf(h264Media) }));
    stops.push(
      () => onvif.stop(),
      () => web.stop(),
      () => rtsp.stop(),
    );
    const closed: ['onvif', string] = ['onvif', 'http://127.0.0.1:1/'];
    expect((await at(closed, ['onvif', web.url], ['onvif', onvif.url], ['rtsp', rtsp.url('/a')])).serial).toBe(
      'CAM0001',
    );
    expect((await at(closed, ['onvif', web.url], ['rtsp', rtsp.url('/a')])).driver).toBe('rtsp');
  });

  test('of several failures it reports the most specific', async () => {
    const web = await ScriptedDevice.start({}, () => ({ status: 200, body: '<!doctype html>' }));
    const locked = await ScriptedDevice.start({}, () => ({
      status: 401,
      headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' },
    }));
    stops.push(
      () => web.stop(),
      () => locked.stop(),
    );
    const kindOf = async (work: Promise<unknown>) => {
      const error: unknown = await work.catch((reason: unknown) => reason);
      return error instanceof DeviceFault ? error.kind : error;
    };
    const closed: ['onvif', string] = ['onvif', 'http://127.0.0.1:1/'];
    expect(await kindOf(at(closed, ['rtsp', 'rtsp://127.0.0.1:2/']))).toBe('unreachable');
    expect(await kindOf(at(closed, ['onvif', web.url]))).toBe('other-protocol');
    expect(await kindOf(at(closed, ['onvif', locked.url], ['onvif', web.url]))).toBe('auth');
  });
});

test('the registry is sorted and knows its drivers by id', () => {
  const ids = Object.keys(drivers);
  expect(ids).toEqual(ids.toSorted());
  expect(Object.entries(drivers).every(([id, driver]) => driver.id === id)).toBe(true);
  expect(driverById('rtsp')).toBe(drivers.rtsp);
  expect(driverById('toString')).toBeUndefined();
});
