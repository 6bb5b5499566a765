// Tests of signing out, session end, the link between tabs, and what is kept over a reload.
// @vitest-environment happy-dom
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { fakeTransport } from '../calls/caller.fake.ts';
import { createCaller } from '../calls/caller.ts';
import { createSaasCaller } from '../calls/saas-caller.ts';
import { forgetAuth, hasSession, NO_AUTH, rememberAuth, useAuth } from './auth-store.ts';
import { CLIENT_STATE_DEFAULTS, useClientState } from './client-state.ts';
import { forgetRemembered, rememberSignIn, readRemembered, resumeRemembered } from './remembered-sign-in.ts';
import { saasToken, takeSaasValues } from './saas-values.ts';
import { createSession } from './session.ts';
import { linkSessions, type SessionBroadcastChannel, type SessionMessage } from './session-link.ts';
import { parseState, serializeState } from './state-storage.ts';

const signedIn: SignedIn = {
  accessToken: 'T1',
  expireTime: 99,
  serverAddress: '',
  userId: 'u',
  userName: 'ann',
  userType: 0,
};

function setUp(answer: Parameters<typeof fakeTransport>[0] = () => ({ code: 200 })) {
  const fake = fakeTransport(answer);
  const clock = new FakeClock();
  const link = { ask: vi.fn(), tellSession: vi.fn(), tellSignedOut: vi.fn() };
  const told = {
    tellShell: vi.fn(),
    reloadConfig: vi.fn(async () => undefined),
    goToLogin: vi.fn(),
    goToTrustLogin: vi.fn(),
    forgetData: vi.fn(),
  };
  const caller = createCaller({
    transport: fake.transport,
    baseUrl: () => '/api/v1',
    token: () => useAuth.getState().accessToken || null,
    onError: vi.fn(),
    onSuccess: vi.fn(),
    onSessionEnd: (_code, token) => session.endSoon(token),
  });
  const session = createSession({ caller, clock, link, ...told });
  return { fake, clock, link, told, session, caller };
}

beforeEach(() => {
  forgetAuth(false);
  useClientState.setState(CLIENT_STATE_DEFAULTS);
});

describe('[EN-07] defaults of the client state', () => {
  it('auth empty, userType 3, languages [0,1], split window 4', () => {
    expect(NO_AUTH).toMatchObject({ accessToken: '', expireTime: 0, serverAddress: '', userType: 3 });
    expect(CLIENT_STATE_DEFAULTS).toMatchObject({
      languageList: [0, 1],
      splitWindow: 4,
      alarmList: [],
      isLogout: false,
    });
  });
});

describe('[ST-02] signing out', () => {
  it('ends the session at the server, clears auth, notifies shell and tabs, reloads the config, goes to /login', async () => {
    const { fake, link, told, session } = setUp();
    session.signIn(signedIn);
    useClientState.setState({ isAutoLogin: true, accountLoginName: 'ann' });
    await session.signOut();
    expect(fake.requests[0]?.url).toBe('/api/v1/account/logout');
    expect(hasSession()).toBe(false);
    expect(sessionStorage.getItem('vedette.auth')).toBeNull();
    expect(useClientState.getState()).toMatchObject({ isAutoLogin: false, accountLoginName: '' });
    expect(told.tellShell).toHaveBeenLastCalledWith(0);
    expect(told.reloadConfig).toHaveBeenCalledTimes(1);
    expect(told.goToLogin).toHaveBeenCalledWith(false);
    expect(link.tellSignedOut).toHaveBeenCalledTimes(1);
  });
  it('[ST-01] tells the shell that somebody registers, and then who is there', () => {
    const { told, session } = setUp();
    const statuses = () => told.tellShell.mock.calls.map(([status]) => status as number);
    session.beginRegistering()();
    expect(statuses()).toEqual([2, 0]);
    const end = session.beginRegistering();
    session.signIn(signedIn);
    end();
    expect(statuses()).toEqual([2, 0, 2, 1]);
  });
  it('signs out here even when the server does not answer', async () => {
    const { told, session } = setUp(() => new Error('refused'));
    session.signIn(signedIn);
    await session.signOut();
    expect(hasSession()).toBe(false);
    expect(told.goToLogin).toHaveBeenCalledTimes(1);
  });
});

describe('[ST-04] the shell operates the account', () => {
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('vedette.client.'));
  function signedInAndKept() {
    const made = setUp();
    made.session.signIn(signedIn);
    rememberSignIn({ loginName: 'ann', isAutoLogin: true }, false);
    expect(kept()).toHaveLength(2);
    return made;
  }
  it('0 forgets the stored name and automatic sign-in, then signs out', async () => {
    const { fake, told, session } = signedInAndKept();
    await session.operate(0);
    expect(kept()).toEqual([]);
    expect(fake.requests[0]?.url).toBe('/api/v1/account/logout');
    expect(hasSession()).toBe(false);
    expect(told.goToLogin).toHaveBeenCalledWith(false);
  });
  it('1 signs out only: the name is remembered, the session is not', async () => {
    const { session } = signedInAndKept();
    await session.operate(1);
    expect(hasSession()).toBe(false);
    expect(readRemembered()).toEqual({ loginName: 'ann', isAutoLogin: false });
  });
  it('a remembered session resumes at the next start, and never holds a password', () => {
    signedInAndKept();
    forgetAuth(false);
    resumeRemembered();
    expect(useAuth.getState().accessToken).toBe('T1');
    expect(JSON.stringify(localStorage)).not.toMatch(/password/i);
    forgetRemembered('everything');
  });
});

describe('[ST-05] session-ending codes', () => {
  it('log out one second later, once', async () => {
    const { clock, told, session, caller } = setUp(() => ({ code: 1002 }));
    session.signIn(signedIn);
    await Promise.all([caller.send('account/info', {}), caller.send('account/info', {})]);
    clock.advance(999);
    expect(hasSession()).toBe(true);
    clock.advance(1);
    expect(hasSession()).toBe(false);
    expect(told.goToLogin).toHaveBeenCalledExactlyOnceWith(true);
  });
  it('do not end a session that began meanwhile', async () => {
    const { clock, told, session, caller, link } = setUp(() => ({ code: 1001 }));
    session.signIn(signedIn);
    await caller.send('account/info', {});
    session.signedOutElsewhere();
    session.adopt({ ...signedIn, accessToken: 'T2' });
    clock.advance(1000);
    expect(useAuth.getState().accessToken).toBe('T2');
    expect(link.tellSignedOut).not.toHaveBeenCalled();
    expect(told.goToLogin).toHaveBeenCalledExactlyOnceWith(false);
    await caller.send('account/info', {});
    clock.advance(1000);
    expect(hasSession()).toBe(false);
  });
});

describe('[ST-03] [CA-02] in SaaS mode', () => {
  function inSaas(answer?: Parameters<typeof fakeTransport>[0]) {
    const made = setUp(answer);
    made.session.adopt(signedIn);
    useClientState.setState(({ saas }) => ({ saas: { ...saas, appId: 'shop', token: 'S1', authCode: 'C1' } }));
    const caller = createSaasCaller({
      transport: made.fake.transport,
      baseUrl: () => '/api/v1',
      saasToken,
      onError: vi.fn(),
      onSuccess: vi.fn(),
      onSessionEnd: (_code, token) => made.session.endSoon(token),
    });
    return { ...made, caller, session: createSession({ caller, clock: made.clock, link: made.link, ...made.told }) };
  }
  const left = () => [hasSession(), sessionStorage.getItem('vedette.auth'), useClientState.getState().saas];

  it('signing out ends the token that is sent, clears auth, and goes to trust login for the same application', async () => {
    const { fake, link, told, session } = inSaas();
    await session.signOut();
    expect(fake.requests[0]).toMatchObject({
      url: '/api/v1/account/logout',
      headers: { authorization: 'Bearer S1' },
    });
    expect(left()).toEqual([false, null, { ...CLIENT_STATE_DEFAULTS.saas, appId: 'shop' }]);
    expect(told.goToTrustLogin).toHaveBeenCalledTimes(1);
    expect([told.goToLogin.mock.calls, link.tellSignedOut.mock.calls]).toEqual([[], []]);
  });
  it('a session-ending code does the same one second later, and ends no session of the account elsewhere', async () => {
    const { clock, link, told, caller } = inSaas(() => ({ code: 1001 }));
    await caller.send('account/info', {});
    clock.advance(999);
    expect(told.goToTrustLogin).not.toHaveBeenCalled();
    clock.advance(1);
    expect(left()).toEqual([false, null, { ...CLIENT_STATE_DEFAULTS.saas, appId: 'shop' }]);
    expect(told.goToTrustLogin).toHaveBeenCalledTimes(1);
    expect([told.goToLogin.mock.calls, link.tellSignedOut.mock.calls]).toEqual([[], []]);
  });
  it('[RT-12] [SE-09] the address names the application, and never brings a token', () => {
    takeSaasValues(
      '?client_id=shop&redirect_uri=https%3A%2F%2Fshop.test&scope=live&state=s&client_type=web&access_token=T',
    );
    const { saas } = useClientState.getState();
    expect(saas).toEqual({
      ...CLIENT_STATE_DEFAULTS.saas,
      appId: 'shop',
      redirectUrl: 'https://shop.test',
      scope: 'live',
      state: 's',
      clientType: 'web',
    });
    takeSaasValues('?access_token=T&redirect_uri=https%3A%2F%2Felsewhere.test');
    expect(useClientState.getState().saas).toEqual(saas);
  });
});

describe('a second tab', () => {
  function twoTabs() {
    const clock = new FakeClock();
    const sessions: (SignedIn | null)[] = [signedIn, null];
    const channels: SessionBroadcastChannel[] = [];
    const links = sessions.map((_, at) => {
      const channel: SessionBroadcastChannel = {
        onmessage: null,
        postMessage: (data: SessionMessage) => channels[1 - at]?.onmessage?.({ data } as MessageEvent<SessionMessage>),
      };
      channels.push(channel);
      return linkSessions({
        channel,
        clock,
        read: () => sessions[at] ?? null,
        onSession: (session) => {
          sessions[at] = session;
        },
        onSignedOut: () => {
          sessions[at] = null;
        },
      });
    });
    return { clock, sessions, links };
  }
  it('takes the session of the first one', async () => {
    const { sessions, links } = twoTabs();
    await expect(links[1]?.ask(150)).resolves.toBe(true);
    expect(sessions[1]).toEqual(signedIn);
  });
  it('gives up when nobody answers', async () => {
    const { clock, sessions, links } = twoTabs();
    sessions[0] = null;
    const asked = links[1]?.ask(150);
    clock.advance(150);
    await expect(asked).resolves.toBe(false);
  });
  it('is signed out with the other one', () => {
    const { sessions, links } = twoTabs();
    sessions[1] = signedIn;
    links[0]?.tellSignedOut();
    expect(sessions[1]).toBeNull();
  });
});

describe('[RT-14] state over a reload', () => {
  it('comes back as it was', () => {
    const state = { ...CLIENT_STATE_DEFAULTS, splitWindow: 9, liveVideoList: [{ deviceSerial: 'A' }] };
    expect(parseState(serializeState(state))).toEqual(state);
  });
  it('drops other versions, unknown fields and fields of another kind', () => {
    expect(parseState('{"version":0,"state":{}}')).toBeNull();
    expect(parseState('not json')).toBeNull();
    expect(parseState('{"version":1,"state":{"splitWindow":"9","odd":1,"phoneCode":"86"}}')).toEqual({
      phoneCode: '86',
    });
  });
  it('never holds a password or a token', () => {
    rememberAuth(signedIn);
    const text = serializeState(useClientState.getState());
    expect(text).not.toMatch(/password|T1/i);
    expect(sessionStorage.getItem('vedette.auth')).not.toMatch(/password/i);
  });
});
