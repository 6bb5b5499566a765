// A native client takes over a sign-in that ended in a browser: by a ticket, for who knows the word behind the challenge that it was begun with.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StrangerProvider } from '../harness/stranger-provider.ts';
import { prove, runSql } from './account-steps.ts';
import { IdentityBrowser, PROVIDER_INPUT } from './identity-browser.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let stranger: StrangerProvider;
let operator: CallClient;
let providerId: string;

beforeAll(async () => {
  [server, stranger] = await Promise.all([ServerUnderTest.start(), StrangerProvider.start()]);
  operator = await server.setUp();
  await prove(operator, OPERATOR.password);
  const input = { ...PROVIDER_INPUT, providerName: 'Head office', issuer: stranger.issuer };
  const { provider } = await operator.ok('identity/provider/save', input);
  providerId = provider.providerId;
  stranger.register(provider.redirectUrl);
});
afterAll(async () => {
  stranger?.stop();
  await server?.stop();
});

function newWord(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** In a browser, up to the answer of the provider. */
async function answered(challenge: string | undefined): Promise<{ browser: IdentityBrowser; parameters: string }> {
  const browser = new IdentityBrowser(server);
  const begun = await browser.call('identity/signIn/begin', { providerId, ...(challenge && { challenge }) });
  expect(begun.code).toBe(200);
  return { browser, parameters: await browser.visit(begun.data.url) };
}

async function ticketFor(challenge: string): Promise<string> {
  const { browser, parameters } = await answered(challenge);
  const { code, data } = await browser.call('identity/signIn/handOver', { providerId, parameters });
  expect(code).toBe(200);
  return data.ticket;
}

const redeem = (ticket: string, verifier: string, more: object = {}) =>
  server.client().call('identity/signIn/redeem', { providerId, ticket, verifier, browserId: 'client', ...more });

const EXPIRED = { code: 1044, data: { reason: 'identityExpired' } };

describe('a client that waits', () => {
  it('is signed in once, as a client, and the browser is not', async () => {
    stranger.user = { sub: 'anna', preferred_username: 'anna' };
    const { verifier, challenge } = newWord();
    const { browser, parameters } = await answered(challenge);
    const handed = await browser.call('identity/signIn/handOver', { providerId, parameters });
    expect(handed.data).toEqual({ ticket: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) });
    expect((await browser.call('account/info', {})).code, 'no session of the browser').toBe(1001);
    const signedIn = await redeem(handed.data.ticket, verifier);
    expect(signedIn).toMatchObject({ code: 200, data: { userName: 'anna', userType: 5 } });
    const client = server.client(signedIn.data.accessToken);
    const { sessionList } = await client.ok('account/session/list', {});
    expect(sessionList).toMatchObject([{ clientType: 'client', isCurrent: true }]);
    expect(await redeem(handed.data.ticket, verifier), 'a second time').toMatchObject(EXPIRED);
    const { auditList } = await operator.ok('audit/list', { userName: 'anna' });
    expect(auditList.map(({ call, object, code }) => [call, object, code])).toEqual(
      expect.arrayContaining([
        ['identity/signIn/handOver', 'Head office', 200],
        ['identity/signIn/redeem', 'Head office', 200],
      ]),
    );
  });

  it('is not signed in by a ticket for another word, which is used up by its own alone', async () => {
    const { verifier, challenge } = newWord();
    const ticket = await ticketFor(challenge);
    expect(await redeem(ticket, newWord().verifier)).toMatchObject(EXPIRED);
    expect(await redeem(ticket, challenge), 'the challenge is not the word').toMatchObject(EXPIRED);
    expect(await redeem(newWord().verifier, verifier), 'a guessed ticket').toMatchObject(EXPIRED);
    expect((await redeem(ticket, verifier)).code).toBe(200);
  });

  it('is not signed in after a minute, by another provider, or once the account is disabled', async () => {
    const first = newWord();
    const late = await ticketFor(first.challenge);
    await runSql(server, 'update identity_flow set expires_at = expires_at - 60001');
    expect(await redeem(late, first.verifier)).toMatchObject(EXPIRED);
    const second = newWord();
    const ticket = await ticketFor(second.challenge);
    const other = await redeem(ticket, second.verifier, { providerId: 'MISSING0' });
    expect(other).toMatchObject({ code: 1044, data: { reason: 'identityClosed' } });
    await runSql(server, "update account set is_enabled = false where user_name = 'anna'");
    expect(await redeem(ticket, second.verifier)).toMatchObject({ code: 2031, data: { reason: 'disabled' } });
    await runSql(server, "update account set is_enabled = true where user_name = 'anna'");
  });
});

describe('an answer of the provider', () => {
  it('for a client opens no session in the browser, and one for the browser gives no ticket', async () => {
    const forClient = await answered(newWord().challenge);
    expect(await forClient.browser.finish(providerId, forClient.parameters)).toMatchObject(EXPIRED);
    const forBrowser = await answered(undefined);
    const { parameters } = forBrowser;
    const handed = await forBrowser.browser.call('identity/signIn/handOver', { providerId, parameters });
    expect(handed).toMatchObject(EXPIRED);
    expect(await forBrowser.browser.finish(providerId, parameters), 'used up').toMatchObject(EXPIRED);
  });

  it('for a client is handed over by the browser that began it alone, once', async () => {
    const { browser, parameters } = await answered(newWord().challenge);
    const another = new IdentityBrowser(server);
    expect(await another.call('identity/signIn/handOver', { providerId, parameters })).toMatchObject(EXPIRED);
    expect((await browser.call('identity/signIn/handOver', { providerId, parameters })).code).toBe(200);
    expect(await browser.call('identity/signIn/handOver', { providerId, parameters })).toMatchObject(EXPIRED);
  });

  it('is not what a ticket and its word pass for', async () => {
    const { verifier, challenge } = newWord();
    const state = await ticketFor(challenge);
    const answer = await server.send({
      method: 'POST',
      path: '/api/v1/identity/signIn/finish',
      headers: { 'content-type': 'application/json', cookie: `vedette_identity=${verifier}` },
      body: JSON.stringify({ providerId, parameters: `state=${state}&code=x`, browserId: 'x' }),
    });
    expect(JSON.parse(answer.body)).toMatchObject(EXPIRED);
    expect((await redeem(state, verifier)).code, 'and not used up').toBe(200);
  });
});

it.each([
  ['challenge', { challenge: 'short' }],
  ['challenge of other letters', { challenge: '+'.repeat(43) }],
])('a sign-in does not begin with a bad %s', async (_what, more) => {
  expect((await server.client().call('identity/signIn/begin', { providerId, ...more })).code).toBe(1003);
});

it.each([
  ['ticket', { ticket: 'short' }],
  ['word', { verifier: 'a'.repeat(44) }],
  ['browser', { browserId: '' }],
])('a ticket is not redeemed with a bad %s', async (_what, more) => {
  const good = { ticket: 'a'.repeat(43), verifier: 'b'.repeat(43) };
  expect((await redeem(good.ticket, good.verifier, more)).code).toBe(1003);
});
