// Tests of the sign-in form in a document.
// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { type Shown, show } from '../../services/services.fake.tsx';
import { useClientState } from '../../session/client-state.ts';
import { SignInForm } from './sign-in-form.tsx';

let shown: Shown | null = null;
afterEach(() => shown?.close());

const name = 'input[name=username]';
const password = 'input[name=password]';

it('asks for what is missing and calls nobody', async () => {
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
  expect(shown.root.querySelector('[role=alert]')?.textContent).toBe('User name or password is wrong.');
  expect(document.querySelector<HTMLInputElement>(password)?.value).toBe('');
});

it('signs in, with the browser id, and remembers the name alone', async () => {
  const onSignedIn = vi.fn();
  shown = await show(<SignInForm onSignedIn={onSignedIn} />, () => ({ code: 200, data: { accessToken: 'A' } }));
  await shown.type(name, ' ann ');
  await shown.type(password, 'right-1');
  await shown.click('button[type=submit]');
  expect(shown.requests.bodyOf(0)).toMatchObject({ account: 'ann', password: 'right-1', clientType: 'web' });
  expect(shown.session.signedIn).toEqual({ accessToken: 'A' });
  expect(onSignedIn).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(useClientState.getState())).not.toContain('right-1');
});
