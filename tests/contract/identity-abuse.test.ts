// What a hostile or broken identity provider, and a hostile browser, can't do: sign anybody in, keep a call waiting, or reach a private network.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOSTILE_CLIENT, HostileProvider } from '../harness/hostile-provider.ts';
import { prove, runSql } from './account-steps.ts';
import { IdentityBrowser, PROVIDER_INPUT } from './identity-browser.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let hostile: HostileProvider;
let other: HostileProvider;
let providerId: string;
let otherId: string;

beforeAll(async () => {
  [server, hostile, other] = await Promise.all([
    ServerUnderTest.start(),
    HostileProvider.start(),
    HostileProvider.start(),
  ]);
  operator = await server.setUp();
  await prove(operator, OPERATOR.password);
  [providerId, otherId] = [await save(hostile, 'Hostile'), await save(other, 'Other')];
});
afterAll(async () => {
  hostile?.stop();
  other?.stop();
  await server?.stop();
});
beforeEach(() => hostile.reform());

async function save({ issuer }: HostileProvider, providerName: string): Promise<string> {
  const input = { ...PROVIDER_INPUT, ...HOSTILE_CLIENT, providerName, issuer };
  return (await operator.ok('identity/provider/save', input)).provider.providerId;
}

/** The browser is sent to the provider, which remembers what it is asked. */
async function begin(browser: IdentityBrowser): Promise<URLSearchParams> {
  const asked = new URL(await browser.begin(providerId)).searchParams;
  hostile.nonce = asked.get('nonce') ?? '';
  return asked;
}

function answerTo(asked: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ code: 'a', state: asked.get('state') ?? '', iss: hostile.issuer, ...more }).toString();
}

async function signIn(more: Readonly<Record<string, string>> = {}) {
  const browser = new IdentityBrowser(server);
  return await browser.finish(providerId, answerTo(await begin(browser), more));
}

it('signs in while the provider is good, so that what follows is refused for what is wrong with it', async () => {
  expect((await signIn()).code).toBe(200);
});

describe('a token is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Record<string, unknown>, string]>([
    ['of another nonce', () => ({ nonce: 'another' }), 'identityBadToken'],
    ['without a nonce', () => ({ nonce: undefined }), 'identityBadToken'],
    ['for another client', () => ({ aud: 'another' }), 'identityBadToken'],
    ['for us and another client that it was given to', () => ({ aud: ['vedette', 'b'], azp: 'b' }), 'identityBadToken'],
    ['for two clients that does not say for whom', () => ({ aud: ['vedette', 'b'] }), 'identityBadToken'],
    ['of another issuer', () => ({ iss: 'https://login.example.org' }), 'identityBadToken'],
    ['without a user', () => ({ sub: undefined }), 'identityBadToken'],
    ['of a user whose name has no end', () => ({ sub: 'x'.repeat(9000) }), 'identityBadToken'],
    ['of a user whose name the database could not hold', () => ({ sub: 'a\u0000b' }), 'identityBadToken'],
    ['that is over', () => ({ iat: now() - 400, exp: now() - 100 }), 'identityClock'],
    ['that is not valid yet', () => ({ nbf: now() + 100 }), 'identityClock'],
    ['that was made in the future', () => ({ iat: now() + 100 }), 'identityClock'],
    ['that was made long ago', () => ({ iat: now() - 3600 }), 'identityClock'],
  ])('%s', async (_what, claims, reason) => {
    hostile.claims = claims();
    expect(await signIn()).toMatchObject({ code: 1044, data: { reason } });
  });

  it.each([
    ['without a signature', 'none'],
    ['signed with the client secret', 'clientSecret'],
    ['signed by a key that is not the provider’s', 'foreign'],
    ['signed by a key that it does not name', 'otherKeyId'],
  ] as const)('%s', async (_what, signing) => {
    hostile.signing = signing;
    expect(await signIn()).toMatchObject({ code: 1044, data: { reason: 'identityBadToken' } });
  });

  it('of a provider whose clock is ten minutes off, either way; a few seconds are forgiven', async () => {
    for (const aheadS of [-660, 660]) {
      hostile.aheadS = aheadS;
      expect(await signIn(), `${aheadS} s`).toMatchObject({ code: 1044, data: { reason: 'identityClock' } });
    }
    for (const aheadS of [-20, 20]) {
      hostile.aheadS = aheadS;
      expect((await signIn()).code, `${aheadS} s`).toBe(200);
    }
  });

  it('but not for a new key: keys are looked up at each sign-in, and the old one signs nobody in any more', async () => {
    await hostile.rotate('second');
    expect((await signIn()).code).toBe(200);
  });
});

describe('an answer in the browser is refused', () => {
  it('that was used before, of which nothing is sent to the provider', async () => {
    const browser = new IdentityBrowser(server);
    const answer = answerTo(await begin(browser));
    expect((await browser.finish(providerId, answer)).code).toBe(200);
    const sent = hostile.handedOver.length;
    expect((await browser.finish(providerId, answer)).data).toMatchObject({ reason: 'identityExpired' });
    expect(hostile.handedOver.length).toBe(sent);
  });

  it('that another browser was sent for, or that nobody asked for', async () => {
    const answer = answerTo(await begin(new IdentityBrowser(server)));
    const victim = new IdentityBrowser(server);
    expect((await victim.finish(providerId, answer)).data).toMatchObject({ reason: 'identityExpired' });
    await begin(victim);
    expect((await victim.finish(providerId, answer)).data, 'with a cookie of its own').toMatchObject({
      reason: 'identityExpired',
    });
    expect((await victim.finish(providerId, 'code=a')).data).toMatchObject({ reason: 'identityExpired' });
  });

  it('of another provider than was asked, which is not handed the code', async () => {
    const browser = new IdentityBrowser(server);
    const asked = await begin(browser);
    const seen = other.handedOver.length;
    expect((await browser.finish(otherId, answerTo(asked))).data).toMatchObject({ reason: 'identityExpired' });
    expect((await browser.finish(providerId, answerTo(asked, { iss: other.issuer }))).data).toMatchObject({
      reason: 'identityBadToken',
    });
    expect(other.handedOver.length).toBe(seen);
    const without = await begin(browser);
    const answer = new URLSearchParams({ code: 'a', state: without.get('state') ?? '' }).toString();
    expect((await browser.finish(providerId, answer)).data, 'without iss').toMatchObject({
      reason: 'identityBadToken',
    });
  });

  it('that is an error, with its word alone', async () => {
    const denied = { error: 'access_denied', error_description: '<b>call 0900</b>' };
    const browser = new IdentityBrowser(server);
    const asked = await begin(browser);
    const answer = new URLSearchParams({ ...denied, state: asked.get('state') ?? '', iss: hostile.issuer }).toString();
    expect(await browser.finish(providerId, answer)).toMatchObject({
      code: 1044,
      data: { reason: 'identityDenied', detail: 'access_denied' },
    });
  });

  it('of more than ten minutes ago', async () => {
    const browser = new IdentityBrowser(server);
    const answer = answerTo(await begin(browser));
    await runSql(server, 'update identity_flow set expires_at = expires_at - 600001');
    expect((await browser.finish(providerId, answer)).data).toMatchObject({ reason: 'identityExpired' });
  });
});

describe('a provider', () => {
  it.each([
    ['that cuts its token', '/token', 'cut', 'identityUnreachable'],
    ['whose token has no end', '/token', 'huge', 'identityUnreachable'],
    ['whose keys have no end', '/jwks', 'huge', 'identityUnreachable'],
    ['that sends on to a private address', '/token', 'redirect', 'identityBadProvider'],
    ['that answers with a page', '/token', 'notJson', 'identityBadProvider'],
    ['that does not answer', '/jwks', 'silent', 'identityUnreachable'],
  ] as const)('%s signs nobody in, and says so within ten seconds', async (_what, at, answering, reason) => {
    Object.assign(hostile, { answeringAt: at, answering });
    const started = performance.now();
    expect(await signIn()).toMatchObject({ code: 1044, data: { reason } });
    expect(performance.now() - started).toBeLessThan(10_500);
  });

  it('whose description sends on to a private address, or is another’s, is none', async () => {
    const at = '/.well-known/openid-configuration';
    Object.assign(hostile, { answeringAt: at, answering: 'redirect' });
    const browser = new IdentityBrowser(server);
    expect((await browser.call('identity/signIn/begin', { providerId })).data).toMatchObject({
      reason: 'identityBadProvider',
    });
    hostile.reform();
    hostile.description = { issuer: other.issuer };
    expect((await browser.call('identity/signIn/begin', { providerId })).data).toMatchObject({
      reason: 'identityBadProvider',
    });
    hostile.description = { authorization_endpoint: 'javascript:alert(1)' };
    expect((await browser.call('identity/signIn/begin', { providerId })).data).toMatchObject({
      reason: 'identityBadProvider',
    });
  });

  it('leads the server into no network that the operator did not name', async () => {
    for (const address of ['https://10.0.0.1', 'https://169.254.169.254', 'https://localhost:1', 'https://[fd00::1]']) {
      hostile.description = { token_endpoint: `${address}/token` };
      expect(await signIn(), address).toMatchObject({ code: 1044, data: { reason: 'identityRefusedAddress' } });
    }
    hostile.description = { token_endpoint: 'http://198.51.100.1/token' };
    const browser = new IdentityBrowser(server);
    expect((await browser.call('identity/signIn/begin', { providerId })).data, 'in clear text').toMatchObject({
      reason: 'identityBadProvider',
    });
  });

  it('gets the secret by the header alone, and the verifier of the challenge that the browser brought', async () => {
    await signIn();
    const body = new URLSearchParams(hostile.handedOver.at(-1));
    expect([...body.keys()].sort()).toEqual(['code', 'code_verifier', 'grant_type', 'redirect_uri']);
  });

  it('proves nothing that it does not say: when its user signed in', async () => {
    hostile.claims = { sub: 'lena' };
    const browser = new IdentityBrowser(server);
    expect((await browser.finish(providerId, answerTo(await begin(browser)))).code).toBe(200);
    const old = Math.floor(Date.now() / 1000) - 3600;
    for (const authTime of [undefined, old, 'now']) {
      hostile.claims = { sub: 'lena', auth_time: authTime };
      const asked = new URL((await browser.call('identity/proof/begin', {})).data.url).searchParams;
      hostile.nonce = asked.get('nonce') ?? '';
      const proved = await browser.call('identity/link/finish', { providerId, parameters: answerTo(asked) });
      expect(proved.code, String(authTime)).toBe(1044);
    }
    hostile.claims = { sub: 'another', auth_time: Math.floor(Date.now() / 1000) };
    const asked = new URL((await browser.call('identity/proof/begin', {})).data.url).searchParams;
    hostile.nonce = asked.get('nonce') ?? '';
    const proved = await browser.call('identity/link/finish', { providerId, parameters: answerTo(asked) });
    expect(proved, 'another user').toMatchObject({ code: 1044, data: { reason: 'identityOtherLink' } });
  });
});
