// Tests of what stands before a screen: sign-in in place for whoever came without a session, and for nobody who is leaving.
// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RenderedComponent, show } from '../services/services.fake.tsx';
import { forgetAuth, rememberAuth } from '../session/auth-store.ts';
import { SCREEN_ROWS } from './screen-rows.ts';
import { RequireSession } from './require-session.tsx';

const ann = { accessToken: 'A', expireTime: 1, serverAddress: '', userId: 'u1', userName: 'ann', userType: 1 };

let shown: RenderedComponent | null = null;
beforeEach(() => forgetAuth(false));
afterEach(() => shown?.close());

async function open(): Promise<void> {
  const [row] = SCREEN_ROWS;
  if (row === undefined) throw new Error('no screen');
  shown = await show(
    <RequireSession row={row}>
      <p data-screen>The wall</p>
    </RequireSession>,
    () => ({ code: 200 }),
  );
}
const screen = (): Element | null => document.querySelector('[data-screen]');
const field = (): Element | null => document.querySelector('input[name=username]');

it('[RT-09] offers sign-in in place, and the screen after it', async () => {
  await open();
  expect(field()).not.toBeNull();
  act(() => rememberAuth(ann));
  expect(screen()).not.toBeNull();
});

it('[ST-02] shows no inline sign-in form after signing out, before the sign-in page opens', async () => {
  rememberAuth(ann);
  await open();
  expect(screen()).not.toBeNull();
  act(() => forgetAuth(false));
  expect(screen()).toBeNull();
  expect(field()).toBeNull();
});
