// Tests of what stands before a screen: sign-in in place for whoever came without a session, and for nobody who is leaving.
// @vitest-environment happy-dom
import { PERMISSION_PAGES, PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usePermissionFlags } from '../features/account/use-permission-flags.ts';
import { type RenderedComponent, show } from '../services/services.fake.tsx';
import { forgetAuth, rememberAuth } from '../session/auth-store.ts';
import { SCREEN_ROWS, type ScreenRow } from './screen-rows.ts';
import { RequireSession } from './require-session.tsx';

const ann = { accessToken: 'A', expireTime: 1, serverAddress: '', userId: 'u1', userName: 'ann', userType: 1 };

/** There once the rights have come. */
function Known() {
  return usePermissionFlags() === undefined ? null : <i data-known />;
}

let shown: RenderedComponent | null = null;
beforeEach(() => forgetAuth(false));
afterEach(() => shown?.close());

async function open(
  row: ScreenRow | undefined = SCREEN_ROWS[0],
  flags: Partial<Record<Permission, boolean>> = {},
): Promise<void> {
  if (row === undefined) throw new Error('no screen');
  shown = await show(
    <>
      <RequireSession row={row}>
        <p data-screen>The wall</p>
      </RequireSession>
      <Known />
    </>,
    (path) => (path === 'permission/list' ? { code: 200, data: { permissionList: [], flags } } : { code: 200 }),
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

const flagsOf = (held: Permission | null) =>
  Object.fromEntries(PERMISSIONS.map((one) => [one, one === held])) as Record<Permission, boolean>;
const needing = SCREEN_ROWS.filter(({ flags }) => flags !== undefined);

it.each(
  needing.flatMap((row) =>
    [null, ...PERMISSIONS].map((held) => [row.path, held, row.flags?.includes(held!) === true] as const),
  ),
)('[PM-02] %s with the right %s alone: open %s', async (path, held, isOpen) => {
  rememberAuth({ ...ann, userType: 5 });
  const row = needing.find((one) => one.path === path);
  await open(row, flagsOf(held));
  // Until the rights have come the page is there; then it is as they say.
  await expect.poll(() => document.querySelector('[data-known]')).not.toBeNull();
  expect(screen() !== null).toBe(isOpen);
  expect(document.body.textContent?.includes(pack['perm.noPage'])).toBe(!isOpen);
  if (isOpen && held !== null) expect(row?.path.split('/').at(-1)).toBe(PERMISSION_PAGES[held]);
});
