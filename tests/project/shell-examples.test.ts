// The examples of shells: page and main process of the Electron example talk, by its own preload, and hear nobody else.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { BRIDGE_LIMITS } from '../../bridge/limits.ts';
import { type Handlers, Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS, type CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS, type WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { pageTransport } from '@vedette/bridge/transports/page-transport.ts';
import type { Transport } from '@vedette/bridge/transports/transport.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ipcTransport } from '../../examples/shells/electron/ipc-transport.ts';
import { isOwn, linkedPage, linkIn, mayHave } from '../../examples/shells/electron/own-pages.ts';
import { root } from './source-files.ts';

const ORIGIN = 'https://vedette.example';
const TO_SHELL = 'vedette:to-shell';
const STATUS = JSON.stringify({ id: '1', url: '/api/v1.0/cs/account/status', data: { status: 0 }, nonce: 'n' });

/** What Electron joins: one window with its channels, and a page with what the preload exposes. */
class JoinedProcesses {
  readonly ipc = new EventEmitter();
  readonly #toPage = new EventEmitter();
  readonly mainFrame = {
    origin: ORIGIN,
    parent: null as object | null,
    send: vi.fn((channel: string, json: string) => void this.#toPage.emit(channel, {}, json)),
  };
  isGone = false;
  readonly shell: Transport;
  readonly page: Transport;

  constructor() {
    const contents = { ipc: this.ipc, mainFrame: this.mainFrame, isDestroyed: () => this.isGone };
    this.shell = ipcTransport(contents as never, ORIGIN);
    const page: Record<string, unknown> = { parent: {} };
    Object.assign(page, { self: page, top: page });
    this.#runPreload(page);
    this.page = pageTransport(page as never, []) ?? expect.fail('the page found no transport');
  }

  say(json: unknown, senderFrame: object | null = this.mainFrame): void {
    this.ipc.emit(TO_SHELL, { senderFrame }, json);
  }

  #runPreload(page: Record<string, unknown>): void {
    const file = path.join(root, 'examples/shells/electron/preload.cts');
    const [toPage, say] = [this.#toPage, (json: unknown) => this.say(json)];
    const electron = {
      contextBridge: { exposeInMainWorld: (name: string, api: object) => void (page[name] = Object.freeze(api)) },
      ipcRenderer: {
        send: (channel: string, json: unknown) => channel === TO_SHELL && say(json),
        on: toPage.on.bind(toPage),
        off: toPage.off.bind(toPage),
      },
    };
    vm.runInNewContext(stripTypeScriptTypes(readFileSync(file, 'utf8')), { require: () => electron });
  }
}

const shared = { clock: systemClock, newId, hasRight: () => true, onFailure: () => undefined };
const pagePeer = (handlers: Handlers<WebTopics>) =>
  new Peer({ ...shared, side: 'page', incoming: WEB_TOPICS, outgoing: CS_TOPICS, handlers, transport: joined.page });
const shellPeer = (handlers: Handlers<CsTopics>) =>
  new Peer({ ...shared, side: 'shell', incoming: CS_TOPICS, outgoing: WEB_TOPICS, handlers, transport: joined.shell });

let joined: JoinedProcesses;
let open: { close(): void }[] = [];

beforeEach(() => {
  joined = new JoinedProcesses();
});

afterEach(() => {
  for (const peer of open) peer.close();
  open = [];
});

it('page and main process shake hands by the preload, both ways', async () => {
  const page = pagePeer({ 'language/get': () => ({ lang: 1 }) });
  const native = { codecs: [], overlay: 'none' as const };
  const shell = shellPeer({ 'system/info': () => ({ bridge: 1, topics: ['system/info'], native }) });
  open = [page, shell];
  const hello = { bridge: { min: 1, max: 1 }, topics: [], version: '1', lang: 0 as const };
  expect(await page.ask('system/info', hello)).toMatchObject({ code: 200, data: { bridge: 1, native } });
  expect(await page.ask('account/status', { status: 0 })).toMatchObject({ code: 1006 });
  expect(await shell.ask('language/get', {})).toMatchObject({ code: 200, data: { lang: 1 } });
  expect(joined.ipc.listenerCount(TO_SHELL)).toBe(1);
  shell.close();
  expect(joined.ipc.listenerCount(TO_SHELL)).toBe(0);
});

it.each([
  ['a frame of another origin', { origin: 'https://evil.example', parent: null }],
  ['a frame below the page, of the same origin too', { origin: ORIGIN, parent: {} }],
  ['a document without an origin', { origin: 'null', parent: null }],
  ['a frame that has gone', null],
])('the main process hears no message of %s', (_name, frame) => {
  const take = vi.fn();
  joined.shell.onMessage(take);
  joined.say(STATUS, frame);
  expect(take).not.toHaveBeenCalled();
  joined.say(STATUS);
  expect(take.mock.calls).toEqual([[STATUS]]);
});

it('what is no text does not reach the bridge, and a hostile text gets no answer', async () => {
  const onStatus = vi.fn(() => ({}));
  open = [shellPeer({ 'account/status': onStatus })];
  const deep = `{"id":"2","url":"/api/v1.0/cs/account/status","data":${'['.repeat(9)}${']'.repeat(9)}}`;
  const prototype = STATUS.replace('"status"', '"__proto__"');
  for (const one of [{}, null, 7, '', '{', '[]', deep, prototype, `"${'x'.repeat(70_000)}"`]) joined.say(one);
  joined.say(STATUS);
  await expect.poll(() => joined.mainFrame.send.mock.calls.length).toBe(1);
  expect(onStatus).toHaveBeenCalledOnce();
});

it('tells nothing to a page of another origin, nor to a window that has gone', () => {
  joined.mainFrame.origin = 'https://evil.example';
  joined.shell.send(STATUS);
  joined.mainFrame.origin = ORIGIN;
  joined.isGone = true;
  joined.shell.send(STATUS);
  expect(joined.mainFrame.send).not.toHaveBeenCalled();
  joined.isGone = false;
  joined.shell.send(STATUS);
  expect(joined.mainFrame.send).toHaveBeenCalledOnce();
});

it.each([
  ['vedette:/client.html#/homepage/alarmMsg?alarm=7', `${ORIGIN}/client.html#/homepage/alarmMsg?alarm=7`],
  ['vedette://evil.example/', null],
  ['vedette:/\\evil.example/', null],
  ['vedette:https://evil.example/', null],
  ['vedette:javascript:alert(1)', null],
  ['https://evil.example/', null],
  ['vedette:', null],
])('the link %s leads to %s', (link, address) => {
  expect(linkedPage(link, ORIGIN)).toBe(address);
});

it('knows its own documents, links of a start, and what its page may have', () => {
  expect(linkIn(['electron', '.', '--server=x', 'vedette:/client.html'])).toBe('vedette:/client.html');
  expect(linkIn(['electron', '.'])).toBeNull();
  expect(isOwn(`${ORIGIN}/client.html`, ORIGIN)).toBe(true);
  for (const url of [`${ORIGIN}.evil.example/`, 'https://evil.example/', 'data:text/html,x', 'file:///etc/passwd', ''])
    expect(isOwn(url, ORIGIN), url).toBe(false);
  expect(mayHave('notifications')).toBe(true);
  expect(mayHave('media', ['audio'])).toBe(true);
  expect(mayHave('media', ['audio', 'video'])).toBe(false);
  expect(mayHave('media')).toBe(false);
  expect(mayHave('geolocation')).toBe(false);
});

it('the WebView2 example answers topics of the registry, by the limits of the bridge', () => {
  const textOf = (name: string) => readFileSync(path.join(root, 'examples/shells/webview2', name), 'utf8');
  const window = textOf('ShellWindow.cs');
  const answered = [...window.matchAll(/\{ "(\w+\/\w+)",|handlers\["(\w+\/\w+)"\]/g)].map(
    ([, one, other]) => one ?? other,
  );
  expect(answered).toContain('system/info');
  const known = Object.keys(CS_TOPICS);
  expect(answered.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  const { messageBytes, depth, idLength, remembered } = BRIDGE_LIMITS;
  for (const line of [
    `int MessageBytes = ${messageBytes / 1024} * 1024;`,
    `int Depth = ${depth};`,
    `int IdLength = ${idLength};`,
    `int Remembered = ${remembered};`,
    'string FromPage = "/api/v1.0/cs/";',
  ])
    expect(textOf('Bridge.cs')).toContain(line);
});
