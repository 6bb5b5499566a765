// Tests of the transports against objects that behave as those of each web view do.
import { describe, expect, it, vi } from 'vitest';
import { pageTransport, type ShellPage } from './page-transport.ts';

const MESSAGE = { id: '1', url: '/api/v1.0/cs/account/status', data: { status: 0 } };
const JSON_TEXT = JSON.stringify(MESSAGE);

function pageWith(parts: object, isFramed = false): ShellPage {
  const page = Object.assign(new EventTarget(), { parent: {} });
  return Object.assign(page, { self: page, top: isFramed ? {} : page }, parts) as unknown as ShellPage;
}

it('a page in a browser has none, nor one in a frame of anybody, whatever stands around it', () => {
  expect(pageTransport(pageWith({}), [])).toBeNull();
  expect(pageTransport(pageWith({ chrome: {}, webkit: { messageHandlers: {} }, qt: {} }), [])).toBeNull();
  const webview = Object.assign(new EventTarget(), { postMessage: vi.fn() });
  expect(pageTransport(pageWith({ chrome: { webview } }, true), [])).toBeNull();
});

describe('WebView2 and Chromium shells', () => {
  it('sends objects and hears events, which only the shell can send', () => {
    const webview = Object.assign(new EventTarget(), { postMessage: vi.fn() });
    const transport = pageTransport(pageWith({ chrome: { webview } }), []);
    expect(transport?.isOwn).toBe(true);
    transport?.send(JSON_TEXT);
    expect(webview.postMessage).toHaveBeenCalledWith(MESSAGE);
    const take = vi.fn();
    const stop = transport?.onMessage(take);
    const say = () => webview.dispatchEvent(new MessageEvent('message', { data: MESSAGE }));
    say();
    stop?.();
    say();
    expect(take.mock.calls).toEqual([[MESSAGE]]);
  });
});

describe('an Electron preload', () => {
  it('sends by one function that it exposes and hears by the other, in the top frame alone', () => {
    const [send, stopListening] = [vi.fn(), vi.fn()];
    const listen = vi.fn((_take: (json: string) => void) => stopListening);
    const vedetteElectron = { send, listen };
    expect(pageTransport(pageWith({ vedetteElectron }, true), [])).toBeNull();
    const transport = pageTransport(pageWith({ vedetteElectron }), []);
    expect(transport?.isOwn).toBe(true);
    transport?.send(JSON_TEXT);
    expect(send).toHaveBeenCalledWith(JSON_TEXT);
    const take = vi.fn();
    const stop = transport?.onMessage(take);
    listen.mock.calls[0]?.[0](JSON_TEXT);
    expect(take.mock.calls).toEqual([[JSON_TEXT]]);
    stop?.();
    expect(stopListening).toHaveBeenCalledOnce();
  });
});

describe('WKWebView and WebKitGTK', () => {
  it('sends to the handler `vedette`, and hears what is handed to `vedetteShell.receive`, which any script can call', () => {
    const postMessage = vi.fn();
    const page = pageWith({ webkit: { messageHandlers: { vedette: { postMessage } } } });
    const transport = pageTransport(page, []);
    expect(transport?.isOwn).toBe(false);
    transport?.send(JSON_TEXT);
    expect(postMessage).toHaveBeenCalledWith(MESSAGE);
    const take = vi.fn();
    const stop = transport?.onMessage(take);
    page.vedetteShell?.receive(MESSAGE);
    expect(take.mock.calls).toEqual([[MESSAGE]]);
    stop?.();
    expect(page.vedetteShell).toBeUndefined();
  });
});

describe('CEF', () => {
  it('sends each message as a query, and keeps one open to hear', () => {
    const cefQuery = vi.fn((_query: { request: string; persistent: boolean; onSuccess(text: string): void }) => 7);
    const cefQueryCancel = vi.fn();
    const transport = pageTransport(pageWith({ cefQuery, cefQueryCancel }), []);
    expect(transport?.isOwn).toBe(true);
    const take = vi.fn();
    const stop = transport?.onMessage(take);
    transport?.send(JSON_TEXT);
    expect(cefQuery.mock.calls.map(([{ request, persistent }]) => [request, persistent])).toEqual([
      ['vedette:listen', true],
      [JSON_TEXT, false],
    ]);
    cefQuery.mock.calls[0]?.[0].onSuccess(JSON_TEXT);
    cefQuery.mock.calls[1]?.[0].onSuccess('an acknowledgement');
    expect(take.mock.calls).toEqual([[JSON_TEXT]]);
    stop?.();
    expect(cefQueryCancel).toHaveBeenCalledWith(7);
  });
});

describe('Qt WebChannel', () => {
  /** What the host answers to the first question, as Qt 6 writes it. */
  const OBJECTS = {
    vedette: {
      methods: [
        ['receive', 5],
        ['receive(QString)', 5],
      ],
      signals: [
        ['destroyed', 0],
        ['message', 6],
      ],
    },
  };

  function newChannel() {
    const sent: Record<string, unknown>[] = [];
    const channel = {
      send: (json: string) => sent.push(JSON.parse(json) as Record<string, unknown>),
      onmessage: null as ((message: { readonly data: unknown }) => void) | null,
    };
    const transport = pageTransport(pageWith({ qt: { webChannelTransport: channel } }), []);
    const say = (message: unknown) => channel.onmessage?.({ data: JSON.stringify(message) });
    return { sent, transport, say, channel };
  }

  it('asks for the object, then calls its method and hears its signal', () => {
    const { sent, transport, say } = newChannel();
    const take = vi.fn();
    transport?.onMessage(take);
    transport?.send(JSON_TEXT);
    expect([sent, transport?.isOwn]).toEqual([[{ type: 3, id: 0 }], false]);
    say({ type: 10, id: 0, data: OBJECTS });
    say({ type: 2, data: [] });
    transport?.send('{"id":"2"}');
    expect(sent.slice(1)).toEqual([
      { type: 7, object: 'vedette', signal: 6 },
      { type: 4 },
      { type: 6, id: 1, object: 'vedette', method: 5, args: [JSON_TEXT] },
      { type: 4 },
      { type: 6, id: 2, object: 'vedette', method: 5, args: ['{"id":"2"}'] },
    ]);
    say({ type: 1, object: 'vedette', signal: 6, args: [JSON_TEXT] });
    expect(take.mock.calls).toEqual([[JSON_TEXT]]);
  });

  it.each([
    ['a signal of another object', { type: 1, object: 'other', signal: 6, args: [JSON_TEXT] }],
    ['another signal', { type: 1, object: 'vedette', signal: 0, args: [JSON_TEXT] }],
    ['a signal without arguments', { type: 1, object: 'vedette', signal: 6 }],
    ['a second answer to the first question', { type: 10, id: 0, data: {} }],
    ['a type that does not exist', { type: 99 }],
    ['null', null],
  ])('ignores %s', (_name, message) => {
    const { transport, say, channel } = newChannel();
    const take = vi.fn();
    transport?.onMessage(take);
    say({ type: 10, id: 0, data: OBJECTS });
    say(message);
    channel.onmessage?.({ data: '{' });
    expect(take).not.toHaveBeenCalled();
  });

  it.each([
    null,
    {},
    { vedette: {} },
    { vedette: { methods: [['receive', 5]], signals: 'none' } },
  ])('stays silent with a host whose objects are %j', (data) => {
    const { sent, transport, say } = newChannel();
    transport?.send(JSON_TEXT);
    say({ type: 10, id: 0, data });
    expect(sent).toEqual([{ type: 3, id: 0 }]);
  });
});

describe('the parent frame', () => {
  const EMBEDDER = 'https://portal.example';

  function frame() {
    const page = pageWith({}, true);
    const transport = pageTransport(page, [EMBEDDER]);
    const channel = new MessageChannel();
    const hand = (part: Partial<Record<'data' | 'origin' | 'source' | 'ports', unknown>>) => {
      const given = { data: 'vedette:bridge', origin: EMBEDDER, source: page.parent, ports: [channel.port2], ...part };
      (page as unknown as EventTarget).dispatchEvent(Object.assign(new Event('message'), given));
    };
    return { transport, channel, hand };
  }

  it('is heard by the port that a listed embedder hands over, first port only; what was sent before goes there', async () => {
    const { transport, channel, hand } = frame();
    expect(transport?.isOwn).toBe(true);
    const heard: unknown[] = [];
    channel.port1.onmessage = ({ data }) => heard.push(data);
    const take = vi.fn();
    const stop = transport?.onMessage(take);
    transport?.send('early');
    hand({});
    const other = new MessageChannel();
    hand({ ports: [other.port2] });
    transport?.send('late');
    channel.port1.postMessage(MESSAGE);
    other.port1.postMessage({ id: 'other' });
    await vi.waitFor(() => expect([heard, take.mock.calls]).toEqual([['early', 'late'], [[MESSAGE]]]));
    stop?.();
    other.port1.close();
  });

  it.each([
    ['an origin that is not listed', { origin: 'https://evil.example' }],
    ['another window of a listed origin', { source: {} }],
    ['a message of something else', { data: 'hello' }],
    ['a message without a port', { ports: [] }],
  ])('takes no port from %s', async (_name, part) => {
    const { transport, channel, hand } = frame();
    const heard: unknown[] = [];
    channel.port1.onmessage = ({ data }) => heard.push(data);
    hand(part);
    for (let count = 0; count < 100; count += 1) transport?.send(`${count}`);
    expect(heard).toEqual([]);
    // The right one still counts, and of what waited the first 64 are sent.
    hand({});
    await vi.waitFor(() => expect(heard).toHaveLength(64));
    transport?.onMessage(() => undefined)();
    channel.port1.close();
  });
});
