// How the ONVIF driver signs in to scripted devices: WS-Security, digest, neither, wrong clocks, wrong passwords.
import { afterEach, describe, expect, test } from 'vitest';
import { deviceError } from '../kit/device-fault.ts';
import { cameraScript, clockXml } from '../testing/camera-script.fake.ts';
import { testContext } from '../testing/driver-context.fake.ts';
import { faultOf } from '../testing/fault-of.fake.ts';
import { type ScriptedReply, soapFault } from '../testing/scripted-device.fake.ts';
import { onvifDriver } from './onvif-driver.ts';
import { credentials, scriptedDevice, probeScripted, stopDevices } from './scripted-onvif.fixture.ts';

afterEach(stopDevices);

describe('signing in', () => {
  const challenge = (algorithm: string) =>
    `Digest realm="r", nonce="n-${algorithm}", qop="auth,auth-int", algorithm=${algorithm}`;

  test('WS-Security first, with the time of the device', async () => {
    const ahead = new Date(Date.now() + 7_200_000);
    const target = await scriptedDevice(cameraScript({ clock: ahead }));
    const candidate = await probeScripted(target);
    const call = target.calls.find(({ name }) => name === 'GetDeviceInformation');
    const created = Date.parse(/Created[^>]*>([^<]+)</u.exec(call?.body ?? '')?.[1] ?? '');
    expect(Math.abs(created - ahead.getTime())).toBeLessThan(5_000);
    expect(call?.body).not.toContain('camera-pass');
    expect(target.calls.find(({ name }) => name === 'GetSystemDateAndTime')?.hasSecurityHeader).toBe(false);
    expect(candidate.native).toMatchObject({ authMode: 'ws-security' });
    expect(candidate.warnings[0]).toMatchObject({ kind: 'clock-differs' });
  });

  test('digest where the device asks for it, two headers, SHA-256 preferred, and the mode is remembered', async () => {
    const unsignedReply = { status: 401, headers: { 'WWW-Authenticate': [challenge('MD5'), challenge('SHA-256')] } };
    const target = await scriptedDevice(cameraScript(), ({ name, authorization }) =>
      name === 'GetSystemDateAndTime' || authorization?.includes('algorithm=SHA-256') ? null : unsignedReply,
    );
    const context = testContext();
    const candidate = await probeScripted(target, context);
    expect(candidate.native).toMatchObject({ authMode: 'digest' });
    target.calls.length = 0;
    const driver = onvifDriver.open({ native: candidate.native, credentials, context });
    await driver.describe();
    expect(target.calls.filter(({ hasSecurityHeader }) => hasSecurityHeader)).toEqual([]);
  });

  test('no Security header where the device must not understand it', async () => {
    const fault = { status: 500, body: soapFault('MustUnderstand') };
    const target = await scriptedDevice(cameraScript(), ({ hasSecurityHeader }) => (hasSecurityHeader ? fault : null));
    expect((await probeScripted(target)).serial).toBe('CAM0001');
    expect(target.calls.filter(({ hasSecurityHeader }) => hasSecurityHeader)).toHaveLength(1);
  });

  test('a device that hides its time before sign-in gets ours', async () => {
    const refusal = { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') };
    const target = await scriptedDevice(cameraScript(), ({ hasSecurityHeader }) =>
      hasSecurityHeader ? null : refusal,
    );
    expect((await probeScripted(target)).serial).toBe('CAM0001');
  });

  test.each<[string, ScriptedReply]>([
    ['400 with ter:NotAuthorized', { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') }],
    ['200 with a fault', { status: 200, body: soapFault('Sender', 'ter:NotAuthorized') }],
    ['401 with digest challenges for ever', { status: 401, headers: { 'WWW-Authenticate': challenge('MD5') } }],
    ['401 with nothing', { status: 401 }],
    ['403', { status: 403, body: '<!doctype html>' }],
    ['Basic only', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="r"' } }],
  ])('a wrong password is deviceAuth: %s', async (_, reply) => {
    const target = await scriptedDevice(cameraScript(), ({ name }) => (name === 'GetSystemDateAndTime' ? null : reply));
    const context = testContext();
    const fault = await faultOf(probeScripted(target, context));
    expect(deviceError(fault)).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
    expect(
      target.calls.filter(({ authorization, hasSecurityHeader }) => authorization !== null || hasSecurityHeader).length,
    ).toBeLessThanOrEqual(3);
    expect(target.calls.some(({ authorization }) => authorization?.startsWith('Basic'))).toBe(false);
    expect(context.logged()).not.toContain('camera-pass');
  });

  test.each<[string, ScriptedReply, string]>([
    ['a web page that forbids', { status: 403, body: '<!doctype html>' }, 'wrongProtocol'],
    ['401 with nothing', { status: 401 }, 'wrongProtocol'],
    ['401 with a challenge', { status: 401, headers: { 'WWW-Authenticate': challenge('MD5') } }, 'deviceAuth'],
    ['a fault in SOAP', { status: 403, body: soapFault('Sender', 'ter:NotAuthorized') }, 'deviceAuth'],
  ])('%s is classified alike for every call', async (_, reply, reason) => {
    const target = await scriptedDevice({}, () => reply);
    expect(deviceError(await faultOf(probeScripted(target)))).toMatchObject({ code: 2316, data: { reason } });
    const known = { url: target.url, keepHost: true, authMode: 'ws-security', sources: [] };
    const driver = onvifDriver.open({ native: known, credentials, context: testContext() });
    expect(deviceError(await faultOf(driver.check()))).toMatchObject({ data: { reason: 'deviceAuth' } });
  });

  test('after a refusal sign-in backs off, longer each time', async () => {
    const reply = { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') };
    const target = await scriptedDevice(cameraScript(), ({ name }) => (name === 'GetSystemDateAndTime' ? null : reply));
    const context = testContext();
    const native = { url: target.url, keepHost: true, authMode: null, sources: [] };
    const driver = onvifDriver.open({ native, credentials, context });
    const asked = async () => {
      const before = target.calls.length;
      expect((await faultOf(driver.check())).kind).toBe('auth');
      return target.calls.length > before;
    };
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(false);
    context.advance(2_500);
    expect(await asked()).toBe(true);
    context.advance(2_500);
    expect(await asked()).toBe(false);
    context.advance(30_000);
    expect(await asked()).toBe(true);
  });

  test('a device whose clock was set gets a new signature with its new time', async () => {
    let shift = 0;
    const script = cameraScript();
    const target = await scriptedDevice(
      { ...script, GetSystemDateAndTime: () => ({ body: clockXml(new Date(Date.now() + shift)) }) },
      ({ name, body }) => {
        const created = Date.parse(/Created[^>]*>([^<]+)</u.exec(body)?.[1] ?? '');
        const isRight = Math.abs(created - Date.now() - shift) < 5_000 + 10_000;
        return name === 'GetSystemDateAndTime' || isRight
          ? null
          : { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') };
      },
    );
    const context = testContext();
    const candidate = await probeScripted(target, context);
    const driver = onvifDriver.open({ native: candidate.native, credentials, context });
    await driver.check();
    shift = -3_600_000;
    context.advance(6_000);
    await driver.check();
  });

  test('a missing permission for one call does not stop the others', async () => {
    const refusal = { status: 400, body: soapFault('Sender', 'ter:NotAuthorized') };
    const target = await scriptedDevice(cameraScript({ serial: '' }), ({ name }) =>
      name === 'GetNetworkInterfaces' ? refusal : null,
    );
    expect((await probeScripted(target)).channels).toHaveLength(1);
  });
});
