// Incidents of what a recorder says to cameras and tells of them: words that were replayed, secrets that were given out, devices that were claimed.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { expect } from 'vitest';
import { type Incidents, send } from './incident.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SECRET = 'Camera-secret-1';

/** What a listener on the network hears of sign-ins to a camera: the bodies and authorization headers of all requests. */
async function overheard(ask: (target: string) => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const camera = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      heard.push(`${request.headers.authorization ?? ''} ${body}`);
      response.writeHead(401, { 'www-authenticate': 'Digest realm="camera", nonce="0123", qop="auth"' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(camera, 'listening');
  try {
    for (let times = 0; times < 3; times += 1) await ask(`http://127.0.0.1:${(camera.address() as AddressInfo).port}/`);
    return heard;
  } finally {
    camera.closeAllConnections();
    camera.close();
  }
}

function valuesOf(heard: readonly string[], pattern: RegExp): string[] {
  return heard.flatMap((text) => [...text.matchAll(pattern)].map(([, value = '']) => value));
}

export const OF_DEVICES: Incidents = {
  'Dahua CVE-2022-30563: what is overheard of a sign-in to a camera is said once': async ({ owner }) => {
    const heard = await overheard((target) => owner.raw('device/probe', { target, user: 'admin', password: SECRET }));
    const nonces = valuesOf(heard, /<(?:\w+:)?Nonce[^>]*>([^<]+)</gu);
    const digests = valuesOf(heard, /<(?:\w+:)?Password[^>]*>([^<]+)</gu);
    const clientNonces = valuesOf(heard, /cnonce="([^"]+)"/gu);
    for (const values of [nonces, digests, clientNonces]) {
      expect(values.length).toBeGreaterThan(2);
      expect(new Set(values).size).toBe(values.length);
    }
    expect(heard.join(' ')).not.toContain(SECRET);
    expect(heard.join(' ')).not.toMatch(/PasswordText|Basic /u);
  },

  'NUUO CVE-2018-1149 and Uniview: no answer gives out the password of a camera': async ({
    owner,
    dev,
    cameraPassword,
  }) => {
    const { deviceSerial } = dev;
    const answers: [CallPath, object][] = [
      ['device/get', { deviceSerial }],
      ['device/list', {}],
      ['channel/list', { deviceSerial }],
      ['org/resource/list', {}],
      ['config/get', { deviceSerial, type: 'network' }],
      ['media/url', { ...dev, quality: 0 }],
      ['audit/list', {}],
      ['system/log/list', {}],
    ];
    let told = 0;
    for (const [path, input] of answers) {
      const answer = await owner.raw(path, input);
      if (answer.code === 200) told += 1;
      expect(JSON.stringify(answer), path).not.toContain(cameraPassword);
    }
    expect(told).toBeGreaterThan(5);
  },

  'ThroughTek Kalay CVE-2021-28372: who knows the serial of a camera has nothing of it': async ({
    stranger,
    dev,
    url,
  }) => {
    const { deviceSerial } = dev;
    for (const registrationCode of ['A'.repeat(25), '0'.repeat(25), deviceSerial.padEnd(25, '0')]) {
      const claim = { deviceSerial, registrationCode, deviceName: 'Mine' };
      const { code } = await stranger.raw('device/add', claim);
      expect([registrationCode, code === 200]).toEqual([registrationCode, false]);
    }
    expect((await stranger.raw('device/get', { deviceSerial })).code).toBe(ERROR_CODES.devNotExist);
    expect((await stranger.ok('device/list', {})).total).toBe(0);
    for (const path of ['/site', '/register', '/api/v1/device/register']) {
      const body = JSON.stringify({ deviceSerial, uid: deviceSerial });
      const { status, text } = await send(url, { method: 'POST', path, headers: JSON_TYPE, body });
      expect([path, status === 200 && /"code":200/u.test(text)]).toEqual([path, false]);
    }
  },

  'Frigate CVE-2023-45670: no page of another origin saves a configuration': async ({ owner, url }) => {
    const { version, config } = await owner.ok('system/account/get', {});
    const body = JSON.stringify({ version, config: { ...config, selfRegistration: true } });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
    ]) {
      const headers = {
        'content-type': type,
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        cookie: `token=${owner.accessToken}; accessToken=${owner.accessToken}`,
        // As if the page had found the token too.
        authorization: `Bearer ${owner.accessToken}`,
      };
      const { text } = await send(url, { method: 'POST', path: '/api/v1/system/account/set', headers, body });
      expect(text, type).not.toMatch(/"code":200/u);
    }
    expect((await owner.ok('system/account/get', {})).version).toBe(version);
  },
};
