// Mix-up of two authorisation servers: a hostile one that an app also uses sends its users on to ours, and hopes to be handed our code (RFC 9207, RFC 9700 4.4).
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { ISSUER, REDIRECT_URI, type RegisteredApp, registerApp, ThirdPartyApp } from './third-party-app.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let owner: CallClient;
let gate: string;
let registered: RegisteredApp;
let hostile: Server;
/** Bodies that the hostile server's token endpoint was sent. */
const handedOver: string[] = [];

beforeAll(async () => {
  server = await ServerUnderTest.start();
  const operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  await operator.ok('user/add', { username: 'anna', password: 'Secret-1', userType: 2 });
  owner = await server.signIn('anna', 'Secret-1');
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' };
  gate = (await owner.ok('device/add', order)).device.deviceSerial;
  registered = await registerApp(operator);
  await operator.ok('app/approve', { appId: registered.appId, isApproved: true });
  hostile = await startHostileServer();
});
afterAll(async () => {
  hostile?.close();
  await site?.hangUp();
  await server?.stop();
});

const hostileIssuer = (): string => `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;

/** It says of itself what ours says, so that an app expects `iss` from both. */
async function startHostileServer(): Promise<Server> {
  const made = createServer((request, reply) => {
    if (request.url?.startsWith('/.well-known/')) {
      const issuer = hostileIssuer();
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
      };
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      handedOver.push(Buffer.concat(parts).toString());
      reply.writeHead(400).end();
    });
  }).listen(0, '127.0.0.1');
  await once(made, 'listening');
  return made;
}

/** The app's requests to our issuer take the way of the test's server. */
async function appFetch(url: string, options: openid.CustomFetchOptions): Promise<Response> {
  if (!url.startsWith(ISSUER)) return await fetch(url, options as RequestInit);
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

/** An app that knows nothing but an issuer, its id there and its secret. */
async function appOf(issuer: string): Promise<openid.Configuration> {
  const { appId, secret } = registered;
  const execute = [openid.allowInsecureRequests];
  const order = { execute, [openid.customFetch]: appFetch };
  return await openid.discovery(new URL(issuer), appId, secret ?? '', undefined, order);
}

/** The browser of a user who wants to sign in at the hostile server, which sends it on to ours with all that the app asked. */
async function answered(): Promise<{ user: ThirdPartyApp; back: URL }> {
  const user = new ThirdPartyApp(server, registered);
  return { user, back: await user.codeFor(owner, [gate]) };
}

function checksOf({ verifier, state }: ThirdPartyApp): openid.AuthorizationCodeGrantChecks {
  return { pkceCodeVerifier: verifier, expectedState: state };
}

describe('[SE-55] an app that uses two authorisation servers', () => {
  it('is told by both that answers name their issuer', async () => {
    for (const issuer of [ISSUER, hostileIssuer()]) {
      const { authorization_response_iss_parameter_supported: names } = (await appOf(issuer)).serverMetadata();
      expect([issuer, names]).toEqual([issuer, true]);
    }
  });

  it('hands a code of ours to nobody else, since the answer names us', async () => {
    const { user, back } = await answered();
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    const mixedUp = openid.authorizationCodeGrant(await appOf(hostileIssuer()), back, checksOf(user));
    await expect(mixedUp).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    expect(handedOver).toEqual([]);
    // The code was good all the while: it was the issuer that the app refused.
    const tokens = await openid.authorizationCodeGrant(await appOf(ISSUER), back, checksOf(user));
    const opened = await server.client(tokens.access_token).ok('device/list', {});
    expect(opened.deviceList.map(({ deviceSerial }) => deviceSerial)).toEqual([gate]);
  });

  it('refuses an answer without an issuer, with another one, and with a state that it did not send', async () => {
    const change: Record<string, (back: URL) => void> = {
      'no issuer': (back) => back.searchParams.delete('iss'),
      'the hostile issuer': (back) => back.searchParams.set('iss', hostileIssuer()),
      'no state': (back) => back.searchParams.delete('state'),
      'another state': (back) => back.searchParams.set('state', 'of-somebody-else'),
      'two issuers': (back) => back.searchParams.append('iss', hostileIssuer()),
    };
    for (const [what, alter] of Object.entries(change)) {
      const { user, back } = await answered();
      alter(back);
      const altered = openid.authorizationCodeGrant(await appOf(ISSUER), back, checksOf(user));
      await expect(altered, what).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    }
  });

  it('names the issuer in refusals too, so that they end no question at another server', async () => {
    const user = new ThirdPartyApp(server, registered);
    const { answer } = await user.ask({ prompt: 'none' });
    const back = new URL(answer.headers.location ?? '', ISSUER);
    expect(back.searchParams.get('error')).not.toBeNull();
    expect(back.searchParams.get('iss')).toBe(ISSUER);
    expect(back.searchParams.get('state')).toBe(user.state);
    const mixedUp = openid.authorizationCodeGrant(await appOf(hostileIssuer()), back, checksOf(user));
    await expect(mixedUp).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  });

  it('opens no question of ours with a state or a session of another browser', async () => {
    const asking = new ThirdPartyApp(server, registered);
    const { interactionId } = await asking.ask();
    const stranger = new ThirdPartyApp(server, registered);
    const input = { interactionId, deviceSerialList: [gate] };
    const { code } = await stranger.consoleCall('oauth/interaction/confirm', input, owner.accessToken);
    expect(code).toBe(1007);
    expect(handedOver).toEqual([]);
  });
});
