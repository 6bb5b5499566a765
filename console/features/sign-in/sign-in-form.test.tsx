// Tests of the sign-in form in a document.
// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useClientState } from '../../session/client-state.ts';
import { SignInForm } from './sign-in-form.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const name = 'input[name=username]';
const password = 'input[name=password]';

it('marks missing fields and sends no call', async () => {
  shown = await show(<SignInForm onSignedIn={vi.fn()} />, () => ({ code: 200 }));
  await shown.click('button[type=submit]');
  expect(shown.root.textContent).toContain('Enter your user name');
  expect(shown.root.textContent).toContain('Enter your password');
  expect(shown.requests.requests).toHaveLength(0);
});

it('[ER-03] says that name or password is wrong, and forgets the password', async () => {
  shown = await show(<SignInForm onSignedIn={vi.fn()} />, () => ({ code: 2004 }));
  await shown.type(name, 'ann');
  await shown.type(password, 'wrong-1');
  await shown.click('button[type=submit]');
  expect(shown.root.querySelector('[role=alert]')?.textContent).toBe(en.errCode_2004);
  expect(document.querySelector<HTMLInputElement>(password)?.value).toBe('');
});

it('signs in, with the browser id, and remembers the name alone', async () => {
  const onSignedIn = vi.fn();
  shown = await show(<SignInForm onSignedIn={onSignedIn} />, (path) => ({
    code: 200,
    data: path === 'account/login' ? { accessToken: 'A' } : { language: null, theme: null },
  }));
  await shown.type(name, ' ann ');
  await shown.type(password, 'right-1');
  await shown.click('button[type=submit]');
  expect(shown.requests.bodyOf(0)).toMatchObject({ account: 'ann', password: 'right-1', clientType: 'web' });
  expect(shown.session.signedIn).toEqual({ accessToken: 'A' });
  expect(onSignedIn).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(useClientState.getState())).not.toContain('right-1');
});

it("continues without waiting for the account's language and theme", async () => {
  const order: string[] = [];
  shown = await show(<SignInForm onSignedIn={() => order.push('signed in')} />, (path) => {
    order.push(path);
    return { code: 200, data: path === 'account/login' ? { accessToken: 'A' } : { language: null, theme: null } };
  });
  await shown.type(name, 'ann');
  await shown.type(password, 'right-1');
  await shown.click('button[type=submit]');
  expect(order).toEqual(['account/login', 'signed in', 'account/info']);
});

it('[PM-07] asks for the two-factor code while keeping the typed name and password, and accepts a recovery code', async () => {
  const onSignedIn = vi.fn();
  let asked = 0;
  shown = await show(<SignInForm onSignedIn={onSignedIn} />, (path) => {
    if (path !== 'account/login') return { code: 200, data: { language: null, theme: null } };
    asked += 1;
    if (asked === 1) return { code: 2076, data: { methods: ['totp', 'recovery'], target: '' } };
    return asked === 2 ? { code: 1015 } : { code: 200, data: { accessToken: 'A' } };
  });
  await shown.type(name, 'ann');
  await shown.type(password, 'right-1');
  await shown.click('button[type=submit]');
  expect(document.querySelector(password)).toBeNull();
  const code = 'input[name=one-time-code]';
  await shown.type(code, '12345');
  await shown.click('button[type=submit]');
  expect(shown.root.textContent).toContain(en['factor.codeBad']);
  await shown.type(code, '123456');
  await shown.click('button[type=submit]');
  expect(shown.root.querySelector('[role=alert]')?.textContent).toContain('wrong');
  await shown.type(code, 'abcde-23456');
  await shown.click('input[type=checkbox]');
  await shown.click('button[type=submit]');
  expect(shown.requests.bodyOf(2)).toMatchObject({
    account: 'ann',
    password: 'right-1',
    verifyCode: 'abcde-23456',
    trustDevice: true,
  });
  expect(onSignedIn).toHaveBeenCalledTimes(1);
});

it('[VA-07] shows the captcha once the server asks for it, and reports when it was not solved', async () => {
  useClientState.setState(({ environment }) => ({ environment: { ...environment, isCaptcha: true } }));
  shown = await show(<SignInForm onSignedIn={vi.fn()} />, () => ({ code: 1013 }));
  expect(shown.root.querySelector('[role=checkbox]')).toBeNull();
  await shown.type(name, 'ann');
  await shown.type(password, 'right-1');
  await shown.click('button[type=submit]');
  expect(shown.root.querySelector('[role=checkbox]')).not.toBeNull();
  expect(shown.root.querySelector('[role=alert]')?.textContent).toBe(en['robot.first']);
  await shown.click('button[type=submit]');
  expect(shown.requests.requests).toHaveLength(1);
});
