// Incidents in which somebody was let in who had not signed in, or under a name that meant something else.
import { expect } from 'vitest';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type Incidents, send } from './incident.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ADDRESSES = [
  '/api/v1/device/list',
  '/api/openapi.json',
  '/media/snapshot/1',
  '/media/hls/1/index.m3u8',
  '/metrics',
];

export const OF_SIGN_IN: Incidents = {
  'Hikvision CVE-2017-7921: a value of the query is no sign-in': async ({ url, owner }) => {
    // "admin:11" in base64 opened each page of those cameras, configuration and snapshot too.
    for (const query of ['auth=YWRtaW46MTEK', `access_token=${owner.accessToken}`, `token=${owner.accessToken}`]) {
      for (const path of ['/System/configurationFile', '/onvif-http/snapshot', '/Security/users']) {
        const { text } = await send(url, { path: `${path}?${query}` });
        expect(text, path).not.toMatch(/password|<User>|\uFFFD/iu);
      }
      const listed = await send(url, {
        method: 'POST',
        path: `/api/v1/device/list?${query}`,
        headers: JSON_TYPE,
        body: '{}',
      });
      expect(JSON.parse(listed.text).code).toBe(ERROR_CODES.tokenInvalid);
      for (const path of ['/media/snapshot/1', '/media/hls/1/index.m3u8', '/media/fragments/1'])
        expect([401, 403, 404], path).toContain((await send(url, { path: `${path}?${query}` })).status);
    }
  },

  'Dahua CVE-2021-33044 and CVE-2021-33045: a caller who says how it signs in needs the password': async ({ url }) => {
    const account = { account: 'operator', browserId: 'incident' };
    for (const clientType of ['web', 'client']) {
      for (const password of ['', 'Wrong-1', 'operator', 'null']) {
        const input = { ...account, password, clientType };
        // Ten wrong ones lock the account at this address; what is no field costs no try.
        for (const more of [{}, { loginType: 'Direct' }, { authorityType: 'Default' }, { userType: 1 }]) {
          const { text } = await send(url, {
            method: 'POST',
            path: '/api/v1/account/login',
            headers: {
              ...JSON_TYPE,
              'x-forwarded-for': '127.0.0.1',
              'x-real-ip': '127.0.0.1',
              forwarded: 'for=127.0.0.1',
            },
            body: JSON.stringify({ ...input, ...more }),
          });
          expect(JSON.parse(text).code, text).not.toBe(200);
          expect(text).not.toContain('accessToken');
        }
      }
    }
  },

  'wvp-GB28181-pro: nobody signs in by an address': async ({ url, password }) => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const path = `/api/v1/account/login?account=operator&password=${password}&browserId=incident&clientType=web`;
      const { status, text } = await send(url, { method, path });
      expect([method, status]).not.toEqual([method, 200]);
      expect(text).not.toContain('accessToken');
    }
  },

  'Infodraw CVE-2025-43928: the name of an account is no path': async ({ owner, url }) => {
    for (const username of ['../../../../etc/passwd', '..', '/etc/passwd', '..\\..\\x', 'a/../b', '%2e%2e%2f']) {
      const made = await owner.raw('user/add', { username, password: 'Secret-1', userType: 2 });
      expect([username, made.code]).not.toEqual([username, 200]);
      const body = JSON.stringify({
        account: username,
        password: 'Secret-1',
        browserId: 'incident',
        clientType: 'web',
      });
      const { text } = await send(url, { method: 'POST', path: '/api/v1/account/login', headers: JSON_TYPE, body });
      expect(text).not.toMatch(/root:|ENOENT|EISDIR|accessToken/u);
    }
  },

  'MediaMTX: a token in an address opens nothing, and no page of another origin reads an answer': async (place) => {
    const { url, owner } = place;
    const origin = 'https://evil.example';
    for (const path of ADDRESSES) {
      const { headers } = await send(url, { path: `${path}?jwt=${owner.accessToken}`, headers: { origin } });
      expect(headers['access-control-allow-origin'], path).toBeUndefined();
      expect(headers['access-control-allow-credentials'], path).toBeUndefined();
    }
    const { headers } = await send(url, {
      method: 'OPTIONS',
      path: '/api/v1/device/list',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  },
};
