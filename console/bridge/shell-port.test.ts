// Tests of the line to the native shell: what is told and asked, and how its requests are answered.
// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ShellLaunch } from './shell-message.ts';
import { callShell, BAD_PAYLOAD, listenToShell, SUCCEED, sendToShell } from './shell-port.ts';

const posted: { id: string; url?: string; code?: number; message?: string; data: unknown; nonce: string }[] = [];
const webview = Object.assign(new EventTarget(), { postMessage: (message: never) => posted.push(message) });
const receive = (data: unknown) => webview.dispatchEvent(new MessageEvent('message', { data }));

beforeEach(() => {
  posted.length = 0;
  Object.assign(window, { chrome: { webview } });
});

/** By the way of shells that cannot post events. */
const handOver = (message: unknown) =>
  (window as unknown as { vedetteShell: { receive(one: unknown): void } }).vedetteShell.receive(message);
const answers = () => posted.map(({ id, code, message }) => [id, code, message]);

function start() {
  const operated = vi.fn(({ status }: { status?: unknown }) => (status === 0 ? SUCCEED : BAD_PAYLOAD));
  listenToShell({ 'account/operate': operated });
  sendToShell('account/status', { status: 1 });
  const nonce = posted.at(-1)?.nonce ?? '';
  posted.length = 0;
  return { operated, nonce };
}

describe('messages between page and native shell', () => {
  it('[SE-90] does nothing in a plain browser, which has no launch nonce', async () => {
    sendToShell('account/status', { status: 0 });
    expect(await callShell('system/info')).toBeNull();
    expect(posted.map((message) => [message.url, message.nonce])).toEqual([['/api/v1.0/cs/account/status', undefined]]);
    receive({ id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } });
    expect(posted).toHaveLength(1);
    expect(window).not.toHaveProperty('vedetteShell');
  });
  it('sends messages and requests by topic, and matches answers by id', async () => {
    const { nonce } = start();
    sendToShell('account/status', { status: 1 });
    expect(posted[0]).toMatchObject({ url: '/api/v1.0/cs/account/status', data: { status: 1 }, nonce });
    const answer = callShell('system/info');
    const [, asked] = posted;
    receive({ id: 'another', code: 200, message: 'succeed', data: { lanDeviceList: ['not this'] }, nonce });
    receive({ id: asked?.id, code: 200, message: 'succeed', data: { lanDeviceList: ['nor this'] }, nonce: 'guessed' });
    receive({ id: asked?.id, code: 200, message: 'succeed', data: { lanDeviceList: [] }, nonce });
    expect(await answer).toEqual({ lanDeviceList: [] });
  });
  it('[BR-01] answers 200 on success, 1003 for a bad payload, 1006 for an unknown topic, and nothing to a malformed message', () => {
    const { nonce } = start();
    handOver({ id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 }, nonce });
    handOver({ id: '2', url: '/api/v1.0/web/account/operate', data: null, nonce });
    handOver({ id: '3', url: '/api/v1.0/web/toString', data: {}, nonce });
    handOver('nothing');
    expect(answers()).toEqual([
      ['1', 200, 'succeed'],
      ['2', 1003, 'paramInvalid'],
      ['3', 1006, 'functionNotSupported'],
    ]);
  });
});

it('[BR-01] accepts a message with id, url and data alone, and answers by the same id', () => {
  const { operated } = start();
  for (const id of ['1', 2])
    receive({ id, url: '/api/v1.0/web/account/operate', data: { status: 0 }, sentBy: 'a shell' });
  expect(operated).toHaveBeenCalledTimes(2);
  expect(answers()).toEqual([
    ['1', 200, 'succeed'],
    [2, 200, 'succeed'],
  ]);
});

describe('[SE-90] messages that the shell did not send', () => {
  const operate = { id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } };
  it.each([
    ['without the word of the launch', operate],
    ['with a guessed one', { ...operate, nonce: 'guessed' }],
    ['with a word that is no text', { ...operate, nonce: ['guessed'] }],
  ])('a message by %s, which scripts can use, has no effect and gets no answer', (_how, message) => {
    const { operated } = start();
    handOver(message);
    window.dispatchEvent(new MessageEvent('message', { data: message, origin: 'https://elsewhere.invalid' }));
    expect([operated.mock.calls, posted]).toEqual([[], []]);
  });
  it.each([
    'guessed',
    ['guessed'],
    null,
  ])("a message with the nonce %j has no effect by the shell's own channel either", (nonce) => {
    const { operated } = start();
    receive({ ...operate, nonce });
    expect([operated.mock.calls, posted]).toEqual([[], []]);
  });
  it('ignores messages of the previous launch', () => {
    const before = start();
    const { operated, nonce } = start();
    expect(nonce).not.toBe(before.nonce);
    handOver({ ...operate, nonce: before.nonce });
    receive({ ...operate, nonce: before.nonce });
    expect([before.operated.mock.calls, operated.mock.calls, posted]).toEqual([[], [], []]);
  });
  it('a repeated message runs once', () => {
    const { operated, nonce } = start();
    handOver({ ...operate, nonce });
    handOver({ ...operate, nonce });
    expect(operated).toHaveBeenCalledTimes(1);
    expect(posted).toHaveLength(1);
  });
  it.each([
    '{"id":"1","url":"/api/v1.0/web/account/operate","data":{"status":0,"__proto__":{"isAdmin":true}}}',
    '{"id":"1","url":"/api/v1.0/web/account/operate","data":{"status":0,"constructor":{}}}',
    '{"id":"1","url":"/api/v1.0/web/account/operate","data":{"status":0},"__proto__":{}}',
    '{"id":"1","url":"/api/v1.0/web/account/operate","data":[0]}',
    '{"id":1.5,"url":"/api/v1.0/web/account/operate","data":{"status":0}}',
    '{"id":null,"url":"/api/v1.0/web/account/operate","data":{"status":0}}',
    `{"id":"${'x'.repeat(65)}","url":"/api/v1.0/web/account/operate","data":{"status":0}}`,
  ])('ignores %s', (text) => {
    const { operated, nonce } = start();
    const message = JSON.parse(text) as object;
    handOver(Object.assign(message, { nonce }));
    expect([operated.mock.calls, posted]).toEqual([[], []]);
    expect({}).not.toHaveProperty('isAdmin');
  });
  it('leaves no secret in an answer', () => {
    sessionStorage.setItem('vedette.auth', 'T-secret');
    const { nonce } = start();
    for (const url of ['account/operate', 'system/info', 'autoLogin', '__proto__'])
      handOver({ id: url, url: `/api/v1.0/web/${url}`, data: { status: 0 }, nonce });
    expect(posted.map(({ data }) => data)).toEqual([{}, {}, {}, {}]);
    expect(JSON.stringify(posted)).not.toContain('T-secret');
  });
});

describe('[SE-90] the nonce of a launch', () => {
  it('is replaced before the ids of handled messages are forgotten', () => {
    let made = 0;
    const launch = new ShellLaunch(() => `word ${(made += 1)}`);
    const message = (id: number) => ({ id: String(id), url: '/x', data: {}, nonce: 'word 1' });
    for (let id = 0; id < 10_000; id += 1) expect(launch.take(message(id), false)).not.toBeNull();
    expect(launch.take(message(0), false)).toBeNull();
    expect(launch.take(message(10_000), false)).not.toBeNull();
    expect(launch.nonce).toBe('word 2');
    expect(launch.take(message(0), false)).toBeNull();
    expect(launch.take({ ...message(1), nonce: 'word 2' }, false)).not.toBeNull();
  });
});
