// The few cookies of the server: none is read by a page, sent from another one, over plain HTTP, or taken for another host's.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOSTILE_CLIENT, HostileProvider } from '../harness/hostile-provider.ts';
import { prove } from './account-steps.ts';
import { PROVIDER_INPUT } from './identity-browser.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';
import { registerApp, ThirdPartyApp } from './third-party-app.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let provider: HostileProvider;
let gate: string;
let providerId: string;

beforeAll(async () => {
  [server, provider] = await Promise.all([ServerUnderTest.start(), HostileProvider.start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  gate = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  await prove(operator, OPERATOR.password);
  const input = { ...PROVIDER_INPUT, ...HOSTILE_CLIENT, providerName: 'Provider', issuer: provider.issuer };
  providerId = (await operator.ok('identity/provider/save', input)).provider.providerId;
});
afterAll(async () => {
  provider?.stop();
  await site?.hangUp();
  await server?.stop();
});

/** Of an authorisation by an app from the first request to the code. */
async function ofAuthorisation(overTls: boolean): Promise<string[]> {
  const app = new ThirdPartyApp(server, await registerApp(operator), { overTls });
  expect((await app.codeFor(operator, [gate])).searchParams.get('code')).toBeTruthy();
  return app.cookieLines;
}

/** Of a sign-in that begins at an identity provider. */
async function ofSignIn(overTls: boolean): Promise<string[]> {
  const { headers } = await server.send({
    method: 'POST',
    path: '/api/v1/identity/signIn/begin',
    headers: { 'content-type': 'application/json', ...(overTls && { 'x-forwarded-proto': 'https' }) },
    body: JSON.stringify({ providerId }),
  });
  return headers['set-cookie'] ?? [];
}

const attributesOf = (line: string): string[] =>
  line
    .split(/; */)
    .slice(1)
    .map((one) => one.toLowerCase());

it('are hidden from scripts and from pages of others, and over TLS never sent without it', async () => {
  const lines = [...(await ofAuthorisation(true)), ...(await ofSignIn(true))];
  const names = new Set(lines.map((line) => line.split('=')[0]?.replace(/\.sig$/, '')));
  expect([...names].toSorted()).toEqual([
    '__Host-vedette_identity',
    '__Secure-vedette_interaction',
    '__Secure-vedette_oidc',
    '__Secure-vedette_resume',
  ]);
  for (const line of lines) {
    const attributes = attributesOf(line);
    expect(attributes, line).toEqual(expect.arrayContaining(['httponly', 'secure']));
    expect(attributes, line).toEqual(expect.arrayContaining([expect.stringMatching(/^samesite=(lax|strict)$/)]));
    expect(attributes.join(), line).not.toContain('domain=');
  }
});

it('have plain names where this machine is reached by plain HTTP, since browsers would refuse the others', async () => {
  const lines = [...(await ofAuthorisation(false)), ...(await ofSignIn(false))];
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect(line).toMatch(/^vedette_/);
    expect(attributesOf(line), line).toContain('httponly');
    expect(attributesOf(line), line).not.toContain('secure');
  }
});

it('are none for whoever signs in with a password', async () => {
  const { headers, body } = await server.send({
    method: 'POST',
    path: '/api/v1/account/login',
    headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
    body: JSON.stringify({
      account: OPERATOR.username,
      password: OPERATOR.password,
      browserId: 'a',
      clientType: 'web',
    }),
  });
  expect(JSON.parse(body)).toMatchObject({ code: 200 });
  expect(headers['set-cookie']).toBeUndefined();
});
