// Tests of the connection editor in a document: what it shows, tries and saves, and what it never sends.
// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { ConnectionEditor } from './connection-editor.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const STORED = { target: '192.168.1.9', user: 'admin', hasPassword: true };
const TESTED = { manufacturer: 'Acme', deviceModel: 'C2', driver: 'onvif', channelTotal: 1, isSameDevice: true };
const TARGET = 'input[name=device-target]';
const PASSWORD = 'input[name=device-password]';
const SAVE = 'button[type=submit]';
const answers = (over: Readonly<Record<string, unknown>> = {}) => {
  const all: Readonly<Record<string, unknown>> = {
    'device/connection/get': { code: 200, data: STORED },
    'device/connection/test': { code: 200, data: TESTED },
    'device/update': { code: 200, data: {} },
    ...over,
  };
  return (path: string) => (all[path] ?? { code: 200, data: {} }) as { code: number };
};

async function editor(answer = answers()) {
  const onClose = vi.fn();
  shown = await show(<ConnectionEditor deviceSerial="A1" name="Gate" onClose={onClose} />, answer);
  const page = shown;
  await act(() => vi.waitFor(() => expect(document.querySelector(TARGET)).not.toBeNull()));
  const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
  const bodies = (path: string) =>
    page.requests.requests.flatMap(({ url }, at) => (url.endsWith(path) ? [page.requests.bodyOf(at)] : []));
  const button = (label: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === label);
  return { page, onClose, find, bodies, button };
}

describe('[DM-01] the connection of a device', () => {
  it('shows the stored address and account, and no password', async () => {
    const { find } = await editor();
    expect(find<HTMLInputElement>(TARGET)?.value).toBe('192.168.1.9');
    expect(find<HTMLInputElement>('input[name=device-user]')?.value).toBe('admin');
    expect(find<HTMLInputElement>(PASSWORD)?.value).toBe('');
    expect(find<HTMLButtonElement>(SAVE)?.disabled).toBe(true);
  });

  it('is tried without saving, with the stored password where none is entered', async () => {
    const { page, bodies, button } = await editor();
    await page.type('input[name=device-user]', 'viewer');
    await act(async () => button('Test')?.click());
    expect(bodies('device/connection/test')).toEqual([{ deviceSerial: 'A1', user: 'viewer' }]);
    expect(document.body.textContent).toContain('The device answers: Acme C2 · 1 channel');
    expect(bodies('device/update')).toEqual([]);
  });

  it('at a new address asks for the password again, and sends what is in the fields', async () => {
    const { page, bodies, onClose } = await editor();
    await page.type(TARGET, '192.168.1.10:8080');
    expect(document.body.textContent).toContain('Enter the password again');
    await page.type(PASSWORD, 'new-secret');
    await page.click(SAVE);
    expect(bodies('device/update')).toEqual([
      { deviceSerial: 'A1', target: '192.168.1.10:8080', user: 'admin', password: 'new-secret' },
    ]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it.each([
    ['deviceAuth', en.reason_deviceAuth],
    ['unreachable', en.reason_unreachable],
    ['wrongProtocol', en.reason_wrongProtocol],
  ])('says why a test failed: %s', async (reason, sentence) => {
    const { button } = await editor(answers({ 'device/connection/test': { code: 2316, data: { reason } } }));
    await act(async () => button('Test')?.click());
    expect(document.querySelector('[role=alert]')?.textContent).toContain(sentence);
  });

  it('of another device is saved only by who vouches for it', async () => {
    const other = { 'device/connection/test': { code: 200, data: { ...TESTED, isSameDevice: false } } };
    const { page, find, bodies, button } = await editor(answers(other));
    await page.type(TARGET, '192.168.1.10');
    await act(async () => button('Test')?.click());
    expect(document.body.textContent).toContain('Another device answers there: Acme C2');
    expect(find<HTMLButtonElement>(SAVE)?.disabled).toBe(true);
    await page.click('input[type=checkbox]');
    await page.click(SAVE);
    expect(bodies('device/update')).toEqual([
      { deviceSerial: 'A1', target: '192.168.1.10', user: 'admin', isSameDevice: true },
    ]);
  });

  it('with a hidden password inside its address asks for the whole one', async () => {
    const stored = { ...STORED, target: 'rtsp://192.168.1.9/cam?password=•••' };
    const { page, find } = await editor(answers({ 'device/connection/get': { code: 200, data: stored } }));
    await page.type(TARGET, 'rtsp://192.168.1.10/cam?password=•••');
    expect(document.body.textContent).toContain('Enter the whole address');
    expect(find<HTMLButtonElement>(SAVE)?.disabled).toBe(true);
  });
});
