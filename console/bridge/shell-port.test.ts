// Tests of the line to the native shell: what is told and asked, and how its requests are answered.
// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { askShell, BAD_PAYLOAD, hearShell, SUCCEED, tellShell } from './shell-port.ts';

const posted: { id: string; url?: string; code?: number; message?: string; data: unknown }[] = [];
const webview = Object.assign(new EventTarget(), { postMessage: (message: never) => posted.push(message) });
const receive = (data: unknown) => webview.dispatchEvent(new MessageEvent('message', { data }));

beforeEach(() => {
  posted.length = 0;
  Object.assign(window, { chrome: { webview } });
});

describe('the line to the shell', () => {
  it('tells and asks by whole topics, and takes the answer by its id', async () => {
    hearShell({ 'account/operate': () => SUCCEED });
    tellShell('account/status', { status: 1 });
    expect(posted[0]).toMatchObject({ url: '/api/v1.0/cs/account/status', data: { status: 1 } });
    const answer = askShell('system/info');
    const [, asked] = posted;
    receive({ id: 'another', code: 200, message: 'succeed', data: 'not this' });
    receive({ id: asked?.id, code: 200, message: 'succeed', data: { lanDeviceList: [] } });
    expect(await answer).toEqual({ lanDeviceList: [] });
  });
  it('[ST-04] answers 200 succeed, 1003 for a bad payload, 1006 for an unknown topic, and nothing to what is no message', () => {
    const operated = vi.fn(({ status }: { status?: unknown }) => (status === 0 ? SUCCEED : BAD_PAYLOAD));
    posted.length = 0;
    hearShell({ 'account/operate': operated });
    const shell = (window as unknown as { vedetteShell: { receive(message: unknown): void } }).vedetteShell;
    shell.receive({ id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } });
    shell.receive({ id: '2', url: '/api/v1.0/web/account/operate', data: null });
    shell.receive({ id: '3', url: '/api/v1.0/web/toString', data: {} });
    shell.receive('nothing');
    expect(posted.map(({ id, code, message }) => [id, code, message])).toEqual([
      ['1', 200, 'succeed'],
      ['2', 1003, 'paramInvalid'],
      ['3', 1006, 'functionNotSupported'],
    ]);
  });
  it('asks nobody in a browser', async () => {
    Object.assign(window, { chrome: undefined });
    tellShell('account/status', { status: 0 });
    expect(await askShell('system/info')).toBeNull();
    expect(posted).toEqual([]);
  });
});
