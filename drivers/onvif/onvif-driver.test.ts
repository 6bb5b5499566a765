// The ONVIF driver against scripted devices over real HTTP: every quirk met on real devices, as a case of our own.
import { afterEach, describe, expect, test } from 'vitest';
import { deviceError } from '../kit/device-fault.ts';
import { type CameraParts, cameraScript, profileXml } from '../testing/camera-script.fake.ts';
import { testContext } from '../testing/driver-context.fake.ts';
import { faultOf } from '../testing/fault-of.fake.ts';
import {
  type Script,
  ScriptedDevice,
  type ScriptedReply,
  soapEnvelope,
  soapFault,
} from '../testing/scripted-device.fake.ts';
import { onvifDriver } from './onvif-driver.ts';
import { credentials, scriptedDevice, probeScripted, stopDevices } from './scripted-onvif.fixture.ts';

afterEach(stopDevices);

async function opened(parts: CameraParts | Script = {}, isScript = false) {
  const target = await scriptedDevice(isScript ? (parts as Script) : cameraScript(parts as CameraParts));
  const context = testContext();
  const candidate = await probeScripted(target, context);
  return { target, context, candidate, driver: onvifDriver.open({ native: candidate.native, credentials, context }) };
}

describe('probe', () => {
  test('gives maker, serial, name, channels and streams, largest first', async () => {
    const target = await scriptedDevice(cameraScript());
    const candidate = await probeScripted(target);
    expect(candidate).toMatchObject({
      driver: 'onvif',
      serial: 'CAM0001',
      name: 'Front door 大门',
      info: { manufacturer: 'Maker', model: 'M-1', firmware: '1.2.3' },
      deviceType: 0,
      warnings: [],
    });
    expect(candidate.channels).toEqual([
      {
        channelNo: 1,
        name: 'Front door 大门',
        streams: [
          { quality: 0, codec: 'h264', width: 1920, height: 1080, fps: 25, kbps: 2048 },
          { quality: 1, codec: 'h264', width: 640, height: 360, fps: 25, kbps: 2048 },
        ],
      },
    ]);
    expect(JSON.stringify(candidate)).not.toContain('camera-pass');
  });

  test('finds the channels of a recorder, and which sources have no stream', async () => {
    const sources = ['s3', 's1', '01', 'true'];
    const target = await scriptedDevice(
      cameraScript({
        sources: sources.map((token) => `<m:VideoSources token="${token}"/>`).join(''),
        profiles: ['s1', 's3', '01'].map((s) => profileXml(`p-${s}`, s, '1280x720')).join(''),
      }),
    );
    const candidate = await probeScripted(target);
    expect(candidate.deviceType).toBe(1);
    expect(candidate.native).toMatchObject({ sources });
    expect(candidate.channels.map(({ channelNo, name }) => [channelNo, name])).toEqual([
      [1, 'Source s3'],
      [2, 'Source s1'],
      [3, 'Source 01'],
      [4, ''],
    ]);
    expect(candidate.warnings).toEqual([{ kind: 'channel-without-stream', channelNo: 4 }]);
  });

  test('names with markup and Chinese are kept, on one line, within 64 characters', async () => {
    const script = cameraScript();
    const name = encodeURIComponent(`<b>"大门"&\n${'x'.repeat(80)}`);
    const scope = `<d:GetScopesResponse xmlns:d="urn:any"><d:Scopes><ScopeItem>onvif://www.onvif.org/name/${name}</ScopeItem></d:Scopes></d:GetScopesResponse>`;
    const candidate = await probeScripted(await scriptedDevice({ ...script, GetScopes: { body: scope } }));
    expect(candidate.name).toBe(`<b>"大门"& ${'x'.repeat(64)}`.slice(0, 64));
    expect([...candidate.name]).toHaveLength(64);
  });

  test('PTZ that GetServices leaves out is found by GetCapabilities, since a profile speaks of it', async () => {
    const head =
      '<tt:PTZConfiguration token="pc"><tt:Name>p</tt:Name><tt:NodeToken>pn</tt:NodeToken></tt:PTZConfiguration>';
    const script = cameraScript({ profiles: profileXml('main', 'vs0', '1920x1080', head) });
    const capabilities = `<d:GetCapabilitiesResponse xmlns:d="http://www.onvif.org/ver10/device/wsdl"><d:Capabilities>
      <tt:PTZ><tt:XAddr>http://127.0.0.1/onvif/ptz_service</tt:XAddr></tt:PTZ></d:Capabilities></d:GetCapabilitiesResponse>`;
    const nodes = `<p:GetNodesResponse xmlns:p="http://www.onvif.org/ver20/ptz/wsdl"><p:PTZNode token="pn"><tt:SupportedPTZSpaces>
      <tt:ContinuousPanTiltVelocitySpace><tt:URI>any</tt:URI></tt:ContinuousPanTiltVelocitySpace></tt:SupportedPTZSpaces>
      <tt:MaximumNumberOfPresets>8</tt:MaximumNumberOfPresets></p:PTZNode></p:GetNodesResponse>`;
    const answers = { GetCapabilities: { body: capabilities }, GetNodes: { body: nodes } };
    const candidate = await probeScripted(await scriptedDevice({ ...script, ...answers }));
    expect(candidate.channels[0]?.capabilities).toContain('ptz');
    // What GetServices names is not asked for twice.
    const fixed = await scriptedDevice({ ...cameraScript(), ...answers });
    await probeScripted(fixed);
    expect(fixed.count('GetCapabilities')).toBe(0);
  });

  test('a missing serial becomes a derived one, said so', async () => {
    const candidate = await probeScripted(await scriptedDevice(cameraScript({ serial: '' })));
    expect(candidate.serial).toMatch(/^V[0-9A-Z]{19}$/u);
    expect(candidate.warnings).toContainEqual({ kind: 'no-serial' });
  });

  test('a device keeps its derived serial at another address, by what it says of itself', async () => {
    const reference =
      '<d:GetEndpointReferenceResponse xmlns:d="http://www.onvif.org/ver10/device/wsdl"><d:GUID>urn:uuid:A1</d:GUID></d:GetEndpointReferenceResponse>';
    const twice = async (serial: string, more = {}) => {
      const script = { ...cameraScript({ serial }), GetNetworkInterfaces: { status: 500 }, ...more };
      return [
        (await probeScripted(await scriptedDevice(script))).serial,
        (await probeScripted(await scriptedDevice(script))).serial,
      ] as const;
    };
    const [odd, moved] = await twice('SN-12/34 567');
    expect(moved).toBe(odd);
    expect((await twice('SN-12/34 568'))[0]).not.toBe(odd);
    const [nameless, again] = await twice('', { GetEndpointReference: { body: reference } });
    expect(again).toBe(nameless);
  });

  test('MPEG-4 is unsupported, JPEG alone is the picture, beside H.264 it is left out, no profile is no video', async () => {
    const mpeg4 = profileXml('m', 'vs0', '640x480').replace('H264', 'MPEG4');
    const only = await faultOf(probeScripted(await scriptedDevice(cameraScript({ profiles: mpeg4 }))));
    expect([only.kind, deviceError(only)]).toEqual([
      'unsupported-codec',
      { code: 2316, data: { reason: 'unsupportedCodec', fault: 'mpeg4' } },
    ]);
    const jpeg = profileXml('j', 'vs0', '2560x1440').replace('H264', 'JPEG');
    const alone = await probeScripted(await scriptedDevice(cameraScript({ profiles: jpeg })));
    expect(alone.channels[0]?.streams.map(({ codec }) => codec)).toEqual(['mjpeg']);
    const both = await probeScripted(
      await scriptedDevice(cameraScript({ profiles: jpeg + profileXml('p', 'vs0', '640x360') })),
    );
    expect(both.channels[0]?.streams.map(({ codec }) => codec)).toEqual(['h264']);
    expect((await faultOf(probeScripted(await scriptedDevice(cameraScript({ profiles: '', sources: '' }))))).kind).toBe(
      'no-video',
    );
  });

  test('profiles that share an encoder are one stream', async () => {
    const twin = profileXml('main', 'vs0', '1920x1080').replace('token="main"', 'token="copy"');
    const candidate = await probeScripted(
      await scriptedDevice(cameraScript({ profiles: twin + profileXml('main', 'vs0', '1920x1080') })),
    );
    expect(candidate.channels[0]?.streams).toHaveLength(1);
  });

  test('a web server or another protocol is distinguished from a device', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>hi</p>' };
    const web = await scriptedDevice({}, () => page);
    expect((await faultOf(probeScripted(web))).kind).toBe('other-protocol');
    const absent = await scriptedDevice({}, () => ({ ...page, status: 404 }));
    expect(deviceError(await faultOf(probeScripted(absent)))).toMatchObject({
      code: 2316,
      data: { reason: 'wrongProtocol' },
    });
    const closed = await ScriptedDevice.start({});
    await closed.stop();
    expect(deviceError(await faultOf(probeScripted(closed)))).toMatchObject({
      code: 2317,
      data: { reason: 'unreachable' },
    });
  });

  test('can be aborted', async () => {
    const target = await scriptedDevice({ ...cameraScript(), GetDeviceInformation: { hang: true } });
    const giveUp = new AbortController();
    const work = onvifDriver.probe({ url: target.url, credentials, context: testContext(), signal: giveUp.signal });
    giveUp.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });
});

describe('malformed answers', () => {
  test.each<[string, ScriptedReply, string, string]>([
    [
      'a fault with subcodes',
      { status: 500, body: soapFault('Sender', 'ter:InvalidArgVal', 'ter:NoProfile') },
      'device',
      'ter:InvalidArgVal/ter:NoProfile',
    ],
    [
      'a fault with status 200',
      { body: soapFault('Receiver', 'ter:Action', 'ter:HardwareFailure') },
      'device',
      'ter:Action/ter:HardwareFailure',
    ],
    [
      'ActionNotSupported',
      { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported') },
      'not-supported',
      'ter:ActionNotSupported',
    ],
    [
      'a nested NotSupported',
      { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported', 'ter:AudioNotSupported') },
      'not-supported',
      'ter:ActionNotSupported/ter:AudioNotSupported',
    ],
    [
      'a locked account',
      { status: 400, body: soapFault('Sender', 'ter:AccountLocked') },
      'locked',
      'ter:AccountLocked',
    ],
    ['500 without a body', { status: 500 }, 'device', 'HTTP 500'],
    ['200 without a body', {}, 'device', 'empty answer'],
    ['503 with a page', { status: 503, body: '<!doctype html>' }, 'device', 'HTTP 503'],
    ['404', { status: 404 }, 'not-supported', 'HTTP 404'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'other-protocol', 'HTTP 302'],
    ['truncated XML', { body: soapEnvelope('<x/>').slice(0, -12) }, 'device', 'broken XML'],
    [
      'a DOCTYPE',
      { body: `<!DOCTYPE a [<!ENTITY x "y">]>${soapEnvelope('<x>&x;</x>').slice(38)}` },
      'device',
      'broken XML',
    ],
    ['another operation', { body: '<SystemRebootWhat/>' }, 'device', 'unexpected answer'],
    ['a body without end', { flood: true }, 'device', 'answer too large'],
  ])('%s', async (_, reply, kind, text) => {
    const { target, context, candidate } = await opened({ ...cameraScript(), SystemReboot: reply }, true);
    const driver = onvifDriver.open({ native: candidate.native, credentials, context });
    const fault = await faultOf(driver.reboot?.() ?? Promise.resolve());
    expect([fault.kind, fault.fault]).toEqual([kind, text]);
    // Whatever it was, the next call works.
    if (kind !== 'locked') expect((await driver.describe()).serial).toBe('CAM0001');
    expect(target.count('SystemReboot')).toBe(1);
  });

  test('answers with other prefixes and without namespaces are read', async () => {
    const script = cameraScript({ profiles: profileXml('1', 'vs0', '1920x1080').replaceAll('m:Profiles', 'Profiles') });
    const candidate = await probeScripted(await scriptedDevice(script));
    expect(candidate.channels[0]?.streams).toHaveLength(1);
  });

  test('a media 2 service that breaks falls back to media 1', async () => {
    const both = ['ver10/media', 'ver20/media']
      .map(
        (name) =>
          `<d:Service><d:Namespace>http://www.onvif.org/${name}/wsdl</d:Namespace><d:XAddr>http://localhost/${name}</d:XAddr></d:Service>`,
      )
      .join('');
    const script = cameraScript();
    const target = await scriptedDevice({
      ...script,
      GetServices: { body: `<d:GetServicesResponse xmlns:d="urn:x">${both}</d:GetServicesResponse>` },
      GetProfiles: (call) =>
        call.path === '/ver20/media' ? { status: 500 } : (script['GetProfiles'] as ScriptedReply),
    });
    expect((await probeScripted(target)).channels[0]?.streams).toHaveLength(2);
  });

  test('a device without GetServices is asked for its capabilities', async () => {
    const script = { ...cameraScript() };
    delete script['GetServices'];
    const body =
      '<d:GetCapabilitiesResponse xmlns:d="urn:x"><d:Capabilities><tt:Media><tt:XAddr>http://10.9.9.9/onvif/m</tt:XAddr></tt:Media></d:Capabilities></d:GetCapabilitiesResponse>';
    const target = await scriptedDevice({ ...script, GetCapabilities: { body } });
    const candidate = await probeScripted(target);
    expect(candidate.warnings).toEqual([{ kind: 'address-differs', advertised: '10.9.9.9' }]);
    expect(target.calls.find(({ name }) => name === 'GetProfiles')?.path).toBe('/onvif/m');
  });
});

describe('addresses the device names', () => {
  test('keep the dialled host, whatever host the device names', async () => {
    const { driver, target, candidate } = await opened({
      mediaAddress: 'http://localhost:80/onvif/media?x=1&amp;y=2',
      streamUri:
        'rtsp://admin:secret@192.168.200.9:8554/Streaming/Channels/101?transportmode=unicast&amp;profile=Profile_1',
      snapshotUri: 'http://localhost/snapshot.jpg',
    });
    expect(candidate.warnings).toEqual([{ kind: 'address-differs', advertised: 'localhost' }]);
    const channel = await driver.channel(1);
    expect(await channel.source(0)).toEqual({
      kind: 'rtsp-pull',
      url: 'rtsp://127.0.0.1:8554/Streaming/Channels/101?transportmode=unicast&profile=Profile_1',
      credentials,
    });
    expect((await channel.snapshot?.())?.data).toHaveLength(4);
    expect(target.calls.at(-1)).toMatchObject({ path: '/snapshot.jpg' });
  });
});

describe('channels', () => {
  test('the quality asked for picks the profile, one too low gives the lowest', async () => {
    const { driver, target } = await opened();
    const channel = await driver.channel(1);
    for (const quality of [0, 1, 2] as const) await channel.source(quality);
    const tokens = target.calls
      .filter(({ name }) => name === 'GetStreamUri')
      .map(({ body }) => /ProfileToken>([^<]*)</u.exec(body)?.[1]);
    expect(tokens).toEqual(['main', 'sub']);
  });

  test('a channel that is not there is unknown', async () => {
    const { driver } = await opened();
    expect(deviceError(await faultOf(driver.channel(2))).code).toBe(1009);
  });

  test('a keyframe is requested by profile', async () => {
    const { driver, target } = await opened();
    await (await driver.channel(1)).keyframe?.(1);
    expect(target.calls.at(-1)?.body).toContain('>sub<');
  });

  test('a capability that the device rejects is absent until it is described anew', async () => {
    const { driver } = await opened(
      {
        ...cameraScript(),
        SetSynchronizationPoint: { status: 500, body: soapFault('Receiver', 'ter:ActionNotSupported') },
      },
      true,
    );
    const channel = await driver.channel(1);
    expect(deviceError(await faultOf(channel.keyframe?.(0) ?? Promise.resolve()))).toEqual({ code: 1006, data: {} });
    expect((await driver.channel(1)).keyframe).toBeUndefined();
    expect((await driver.describe()).channelCapabilities).toEqual(['snapshot']);
    driver.refresh();
    expect((await driver.describe()).channelCapabilities).toEqual(['snapshot', 'keyframe']);
  });

  test('a keyframe that the device refuses with any fault is not offered again', async () => {
    const refusal = { status: 500, body: soapFault('Sender', 'ter:InvalidArgVal') };
    const { driver } = await opened({ ...cameraScript(), SetSynchronizationPoint: refusal }, true);
    const channel = await driver.channel(1);
    expect((await faultOf(channel.keyframe?.(0) ?? Promise.resolve())).kind).toBe('device');
    expect((await driver.channel(1)).keyframe).toBeUndefined();
    expect((await driver.describe()).channelCapabilities).toEqual(['snapshot']);
  });

  test('texts over the picture are not offered where asking for them always fails', async () => {
    const configurations =
      '<m:GetVideoSourceConfigurationsResponse xmlns:m="http://www.onvif.org/ver10/media/wsdl"><m:Configurations token="vsc-vs0"><tt:Name>v</tt:Name><tt:SourceToken>vs0</tt:SourceToken></m:Configurations></m:GetVideoSourceConfigurationsResponse>';
    const fault = { status: 500, body: soapFault('Receiver', 'ter:Action') };
    const { driver } = await opened(
      {
        ...cameraScript(),
        GetVideoSourceConfigurations: { body: configurations },
        GetOSDs: fault,
        GetOSDOptions: fault,
      },
      true,
    );
    expect(await (await driver.channel(1)).config?.names()).not.toContain('osd');
  });

  test('channel numbers stay when a source disappears and another appears', async () => {
    const { context, target } = await opened({
      sources: '<m:VideoSources token="b"/><m:VideoSources token="c"/>',
      profiles: profileXml('pb', 'b', '640x360') + profileXml('pc', 'c', '640x360'),
    });
    const native = { url: target.url, keepHost: true, authMode: null, sources: ['a', 'b'] };
    const driver = onvifDriver.open({ native, credentials, context });
    const { channels } = await driver.describe();
    expect(channels.map(({ channelNo, streams }) => [channelNo, streams.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
    expect((await faultOf((await driver.channel(1)).source(0))).kind).toBe('no-video');
  });

  test('the snapshot answers its own digest challenge; a page is no picture', async () => {
    const picture = { headers: { 'content-type': 'image/jpeg' }, body: Buffer.from([0xff, 0xd8, 1]) };
    const { driver } = await opened(
      {
        ...cameraScript(),
        '/snapshot.jpg': ({ authorization }) =>
          authorization?.startsWith('Digest')
            ? picture
            : { status: 401, headers: { 'WWW-Authenticate': 'Digest realm="s", nonce="1", qop="auth"' } },
      },
      true,
    );
    expect((await (await driver.channel(1)).snapshot?.())?.contentType).toBe('image/jpeg');
    const page = await opened({ ...cameraScript(), '/snapshot.jpg': { body: '<!doctype html>' } }, true);
    const fault = await faultOf((await page.driver.channel(1)).snapshot?.() ?? Promise.resolve());
    expect([fault.kind, fault.fault]).toEqual(['device', 'bad snapshot']);
  });
});

describe('driver', () => {
  test('is probed anew for presence, however recently it answered', async () => {
    const { target, context, candidate } = await opened(cameraScript(), true);
    const driver = onvifDriver.open({ native: candidate.native, credentials, context });
    const before = target.count('GetDeviceInformation');
    await driver.check();
    await driver.check();
    expect(target.count('GetDeviceInformation') - before).toBe(2);
  });

  test('shares equal requests and one description', async () => {
    const { driver, target } = await opened();
    target.calls.length = 0;
    await Promise.all([driver.describe(), driver.describe(), driver.channel(1)]);
    expect(target.count('GetProfiles')).toBe(1);
    driver.refresh();
    await driver.describe();
    expect(target.count('GetProfiles')).toBeLessThanOrEqual(2);
  });

  test('close aborts pending calls and is idempotent', async () => {
    const { driver } = await opened({ ...cameraScript(), SystemReboot: { hang: true } }, true);
    const work = driver.reboot?.() ?? Promise.resolve();
    await Promise.all([expect(work).rejects.toThrow('closed'), driver.close(), driver.close()]);
  });

  test('an address record of another driver is refused', () => {
    for (const native of [{}, { url: 'rtsp://x' }, { url: 5 }]) {
      expect(() => onvifDriver.open({ native, credentials, context: testContext() })).toThrow(TypeError);
    }
  });
});
