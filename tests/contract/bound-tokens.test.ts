// Tokens of apps that are bound to a key (RFC 9449): an independent client uses one, and whoever holds the token alone gets nothing.
import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { ISSUER, type RegisteredApp, registerApp } from './third-party-app.ts';

const HOST = new URL(ISSUER).origin;
const LIST = `${HOST}/api/v1/device/list`;
const INGEST = `${HOST}/api/v1/event/ingest`;

let server: ServerUnderTest;
let site: ScriptedSite;
let owner: CallClient;
let gate: string;
let registered: RegisteredApp;
let configuration: openid.Configuration;
let keys: openid.CryptoKeyPair;
let token: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  owner = await server.setUp();
  site = await ScriptedSite.dial(server);
  gate = (await owner.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  registered = await registerApp(owner, { scopeList: ['device.list', 'event.ingest'] });
  configuration = await openid.discovery(new URL(ISSUER), registered.appId, registered.secret ?? '', undefined, {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: appFetch,
  });
  configuration[openid.customFetch] = appFetch;
  keys = await openid.randomDPoPKeyPair('ES256', { extractable: true });
  token = (await granted(openid.getDPoPHandle(configuration, keys))).access_token;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

type Sent = Pick<openid.CustomFetchOptions, 'method' | 'headers' | 'body'>;

async function appFetch(url: string, options: Sent): Promise<Response> {
  const { pathname, search } = new URL(url);
  const body = options.body === undefined || options.body === null ? {} : { body: String(options.body) };
  const order = { method: options.method, path: `${pathname}${search}`, headers: options.headers, ...body };
  const answer = await server.send(order);
  const { 'content-type': type } = answer.headers;
  return new Response(answer.body, {
    status: answer.status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}

async function granted(DPoP?: openid.DPoPHandle): Promise<openid.TokenEndpointResponse> {
  const parameters = { scope: 'device.list event.ingest' };
  return await openid.clientCredentialsGrant(configuration, parameters, DPoP === undefined ? {} : { DPoP });
}

/** The code of an answer to a call with these headers. */
async function codeOf(url: string, headers: Record<string, string>, body = '{}'): Promise<number> {
  const all = { 'content-type': 'application/json', ...headers };
  const answer = await appFetch(url, { method: 'POST', headers: all, body });
  return ((await answer.json()) as { code: number }).code;
}

interface Made {
  readonly claims?: JWTPayload;
  readonly typ?: string;
  readonly by?: openid.CryptoKeyPair;
  readonly named?: openid.CryptoKeyPair;
  /** Seconds from now. */
  readonly at?: number;
  readonly id?: string;
}

/** A proof for `device/list`, right but for what is told. */
async function proof({ claims = {}, typ = 'dpop+jwt', by = keys, named = by, at = 0, id }: Made = {}): Promise<string> {
  const ath = createHash('sha256').update(token).digest('base64url');
  return await new SignJWT({ jti: id ?? randomUUID(), htm: 'POST', htu: LIST, ath, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ, jwk: await exportJWK(named.publicKey) })
    .setIssuedAt(Math.floor(Date.now() / 1000) + at)
    .sign(by.privateKey);
}

const bound = (dpop: string) => ({ authorization: `DPoP ${token}`, dpop });

describe('a token that is bound to a key', () => {
  it('opens calls to an independent client, each time by a new proof', async () => {
    const handle = openid.getDPoPHandle(configuration, keys);
    const answer = await granted(handle);
    expect(answer.token_type).toBe('dpop');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (let count = 0; count < 3; count += 1) {
      const url = new URL(LIST);
      const response = await openid.fetchProtectedResource(
        configuration,
        answer.access_token,
        url,
        'POST',
        '{}',
        headers,
        { DPoP: handle },
      );
      expect(await response.json()).toMatchObject({ code: 200, data: { total: 1 } });
    }
  });

  it('opens nothing by itself, at no call', async () => {
    expect(await codeOf(LIST, { authorization: `Bearer ${token}` })).toBe(1001);
    expect(await codeOf(INGEST, { authorization: `Bearer ${token}` }, event())).toBe(1001);
    expect(await codeOf(LIST, { authorization: `DPoP ${token}` })).toBe(1001);
  });

  it('raises an event with its proof', async () => {
    const claims = { htu: INGEST };
    expect(await codeOf(INGEST, bound(await proof({ claims })), event())).toBe(200);
  });

  it('is as good as its proof: of another key, call, token or time it opens nothing', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    expect(await codeOf(LIST, bound(await proof()))).toBe(200);
    const wrong: Record<string, Made> = {
      'another key': { by: other },
      'the key in name only': { by: other, named: keys },
      'another call': { claims: { htu: INGEST } },
      'another method': { claims: { htm: 'GET' } },
      'another token': { claims: { ath: createHash('sha256').update('other').digest('base64url') } },
      'no token': { claims: { ath: '' } },
      'two minutes ago': { at: -120 },
      'in two minutes': { at: 120 },
      'a token of another kind': { typ: 'JWT' },
      'a long id': { id: 'x'.repeat(257) },
    };
    for (const [what, made] of Object.entries(wrong))
      expect(await codeOf(LIST, bound(await proof(made))), what).toBe(1001);
    for (const text of ['', 'x', 'e30.e30.', `${(await proof()).slice(0, -4)}AAAA`, 'x'.repeat(5000)])
      expect(await codeOf(LIST, bound(text)), text.slice(0, 20)).toBe(1001);
  });

  it('takes each proof once', async () => {
    const once = bound(await proof({ id: 'once' }));
    expect(await codeOf(LIST, once)).toBe(200);
    expect(await codeOf(LIST, once)).toBe(1001);
    expect(await codeOf(LIST, bound(await proof({ id: 'once' })))).toBe(1001);
  });
});

it('a proof beside a token of another kind opens nothing', async () => {
  const { access_token: bearer } = await granted();
  const ath = (text: string) => ({ claims: { ath: createHash('sha256').update(text).digest('base64url') } });
  expect(await codeOf(LIST, { authorization: `Bearer ${bearer}` })).toBe(200);
  const beside = async (text: string) => ({ authorization: `DPoP ${text}`, dpop: await proof(ath(text)) });
  expect(await codeOf(LIST, await beside(bearer))).toBe(1001);
  expect(await codeOf(LIST, await beside(owner.accessToken ?? ''))).toBe(1001);
});

function event(): string {
  return JSON.stringify({ deviceSerial: gate, type: 'FireAlarm', phase: 'pulse', eventId: randomUUID() });
}
