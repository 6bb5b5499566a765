// What a hostile or broken directory, and whoever answers in its place, can't do: sign anybody in, get the password of the search, keep a call waiting, or lead elsewhere.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BASE, DirectoryServer, GUARDS, PEOPLE, SEARCHER } from '../harness/directory-server.ts';
import { prove } from './account-steps.ts';
import { type DirectoryInput, directoryInput, directoryOf } from './directory-settings.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let directory: DirectoryServer;
let elsewhere: Listener;
let operator: CallClient;

/** Answers each connection as a test says, and counts them. */
class Listener {
  count = 0;
  heard = '';
  answer: (socket: Socket) => void = () => undefined;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.count += 1;
      this.#open.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#open.delete(socket));
      socket.on('data', (chunk) => {
        this.heard += chunk.toString('latin1');
      });
      this.answer(socket);
    });
  }

  static async start(): Promise<Listener> {
    const listener = new Listener();
    listener.#server.listen(0, '127.0.0.1');
    await once(listener.#server, 'listening');
    return listener;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }
}

beforeAll(async () => {
  elsewhere = await Listener.start();
  [server, directory] = await Promise.all([ServerUnderTest.start(), DirectoryServer.start(`ldap://${elsewhere.host}`)]);
  operator = await server.setUp();
  await prove(operator, OPERATOR.password);
});
afterAll(async () => {
  elsewhere?.stop();
  await Promise.all([server?.stop(), directory?.stop()]);
});
afterEach(() => {
  directory.thaw();
  elsewhere.answer = () => undefined;
});

const BIND = { clientId: SEARCHER.name, clientSecret: SEARCHER.password } as const;

async function tried(more: Partial<DirectoryInput> = {}, rest: Readonly<Record<string, string>> = {}) {
  return await operator.ok('identity/provider/test', { ...BIND, directory: directoryOf(directory, more), ...rest });
}

describe('a test says', () => {
  it('whom it found, with the groups as a row of the table needs them', async () => {
    const { reason, user } = await tried({}, { userName: 'anna' });
    expect({ reason, user }).toMatchObject({
      reason: null,
      user: { name: 'anna', email: 'anna@example.org', groups: [GUARDS] },
    });
    expect(await tried({})).toMatchObject({ reason: null });
  });

  it.each<[string, string, () => Partial<DirectoryInput>, Readonly<Record<string, string>>]>([
    ['connect', 'identityUnreachable', () => ({ hosts: ['localhost:1'] }), {}],
    ['address', 'identityRefusedAddress', () => ({ hosts: ['169.254.169.254'] }), {}],
    ['certificate', 'identityNoTls', () => ({ authority: '' }), {}],
    ['name in the certificate', 'identityNoTls', () => ({ hosts: [`127.1:${directory.tlsPort}`] }), {}],
    ['TLS', 'identityNoTls', () => ({ hosts: [`localhost:${directory.port}`] }), {}],
    ['StartTLS', 'identityNoTls', () => ({ security: 'startTls' }), {}],
    ['bind', 'identityRefusedBind', () => ({}), { clientSecret: 'another' }],
    ['search', 'identityBadSearch', () => ({ searchBase: 'dc=nowhere' }), {}],
    ['none found', 'identityNoUser', () => ({}), { userName: 'nobody' }],
    ['none at all', 'identityNoUser', () => ({ searchBase: `ou=groups,${BASE}` }), {}],
    ['several found', 'identitySeveralUsers', () => ({}), { userName: 'twice' }],
    ['no id', 'identityNoId', () => ({ idAttribute: 'objectGUID' }), { userName: 'ben' }],
  ])('that it failed at: %s', async (_step, reason, more, rest) => {
    expect(await tried(more(), rest)).toMatchObject({ reason, user: null });
  });

  it('that nobody speaks LDAP there', async () => {
    elsewhere.answer = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const answer = await tried({ security: 'startTls', hosts: [elsewhere.host] });
    expect(answer).toMatchObject({ reason: 'identityNoDirectory' });
  });
});

describe('whoever answers in place of the directory', () => {
  it('gets no password where TLS is wanted and not given', async () => {
    elsewhere.heard = '';
    // A result code other than 0: no TLS here.
    elsewhere.answer = (socket) =>
      socket.once('data', () => socket.write(Buffer.from('300c02010178070a013404000400', 'hex')));
    const answer = await tried({ security: 'startTls', hosts: [elsewhere.host] });
    expect(answer).toMatchObject({ reason: 'identityNoTls', detail: 'code 52' });
    expect(elsewhere.heard).not.toContain(SEARCHER.password);
  });

  it('says nothing before TLS that counts behind it', async () => {
    // The answer to StartTLS, and with it one to a bind that was not sent yet.
    const both = Buffer.from('300c02010178070a010004000400300c02010261070a010004000400', 'hex');
    elsewhere.answer = (socket) => socket.once('data', () => socket.write(both));
    const answer = await tried({ security: 'startTls', hosts: [elsewhere.host] });
    expect(answer).toMatchObject({ reason: 'identityNoDirectory' });
  });

  it('keeps a call no longer than seven seconds, and sends no more than a megabyte', async () => {
    elsewhere.answer = () => undefined;
    const before = systemClock.monotonicMs();
    const silent = tried({ security: 'plain', hosts: [elsewhere.host] });
    expect(await silent).toMatchObject({ reason: 'identityUnreachable', detail: 'no answer in time' });
    expect(systemClock.monotonicMs() - before).toBeLessThan(10_000);
    // One message that says that it has four gigabytes.
    elsewhere.answer = (socket) => {
      socket.write(Buffer.from('3084fffffff0', 'hex'));
      const more = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', more);
      more();
    };
    const endless = await tried({ security: 'plain', hosts: [elsewhere.host] });
    expect(endless).toMatchObject({ reason: 'identityUnreachable', detail: 'the answer is too large' });
  });
});

it('a referral leads nowhere', async () => {
  elsewhere.count = 0;
  const input = directoryInput(directoryOf(directory));
  const { providerId } = (await operator.ok('identity/provider/save', input)).provider;
  const login = { browserId: 'x', clientType: 'client' } as const;
  const signIn = async (account: string, password: string) =>
    (await server.client().call('account/login', { ...login, account, password })).code;
  expect(await signIn('anna', PEOPLE.anna)).toBe(200);
  expect(await signIn('nobody', 'Word-1')).toBe(2004);
  expect(await tried({ searchBase: `ou=elsewhere,${BASE}` })).toMatchObject({ reason: 'identityBadSearch' });
  expect(elsewhere.count).toBe(0);
  await operator.ok('identity/provider/delete', { providerId });
});

describe('settings', () => {
  it('keep the password, and send it only where it was kept for', async () => {
    const input = directoryInput(directoryOf(directory), { providerName: 'Kept' });
    const { provider } = await operator.ok('identity/provider/save', input);
    expect(provider).toMatchObject({ hasSecret: true, clientId: SEARCHER.name, redirectUrl: '' });
    expect(JSON.stringify(provider)).not.toContain(SEARCHER.password);
    const { providerId, version } = provider;
    const { clientSecret: _kept, ...rest } = input;
    const test = { providerId, clientId: SEARCHER.name };
    const same = { ...test, directory: directoryOf(directory) };
    expect(await operator.ok('identity/provider/test', same)).toMatchObject({ reason: null });
    const moved = directoryOf(directory, { security: 'plain', hosts: [elsewhere.host] });
    const refusal = { code: 1003, data: { clientSecret: 'required' } };
    expect(await operator.call('identity/provider/test', { ...test, directory: moved })).toMatchObject(refusal);
    const save = { ...rest, providerId, version, directory: moved };
    expect(await operator.call('identity/provider/save', save)).toMatchObject(refusal);
    const oidc = { ...rest, providerId, version, issuer: 'https://login.example.org', scopes: 'openid' };
    const { directory: _none, ...asOther } = oidc;
    expect(await operator.call('identity/provider/save', asOther)).toMatchObject({ data: { directory: 'notAllowed' } });
    expect((await server.client().ok('server/version', {})).directoryNameList).toEqual(['Kept']);
    expect((await server.client().ok('server/version', {})).identityProviderList).toEqual([]);
    expect((await server.client().call('identity/signIn/begin', { providerId })).code).toBe(1007);
    const offer = { providerId, providerName: 'Kept', isDirectory: true };
    expect((await operator.ok('identity/link/list', {})).offerList).toEqual([offer]);
    expect((await operator.call('identity/link/begin', { providerId })).code, 'no page to be sent to').toBe(1007);
    await operator.ok('identity/provider/delete', { providerId });
  });

  it.each<[string, Partial<DirectoryInput>, Readonly<Record<string, string>>]>([
    ['a filter without a name', { userFilter: '(uid=anna)' }, { userFilter: 'format' }],
    ['a filter that is none', { userFilter: '(uid={username}' }, { userFilter: 'format' }],
    ['a certificate that is none', { authority: 'trust me' }, { authority: 'format' }],
    ['a port that is none', { hosts: ['localhost:70000'] }, { hosts: 'format' }],
  ])('are refused with %s', async (_what, more, data) => {
    const input = directoryInput(directoryOf(directory, more));
    expect(await operator.call('identity/provider/save', input)).toMatchObject({ code: 1003, data });
  });

  it('are refused with a name and no password', async () => {
    const { clientSecret: _none, ...input } = directoryInput(directoryOf(directory));
    const answer = await operator.call('identity/provider/save', input);
    expect(answer).toMatchObject({ code: 1003, data: { clientSecret: 'required' } });
  });
});
