// Tests of the navigation guard.
import { describe, expect, it } from 'vitest';
import { afterSignIn, guardRedirect } from './guard.ts';

const target = '/homepage/deviceManage?deviceSerial=A1';

describe('[RT-08] the guard', () => {
  it('sends a page that needs a token to /login and remembers where it was going', () => {
    const login = guardRedirect({ mode: 'web', hasToken: false, isOpenInWeb: false, target });
    expect(login).toMatch(/^\/login\?from=/);
    expect(afterSignIn(new URL(login ?? '', 'http://x').search)).toBe(target);
  });
  it('lets a page with a token through', () => {
    expect(guardRedirect({ mode: 'web', hasToken: true, isOpenInWeb: false, target })).toBeNull();
    expect(guardRedirect({ mode: 'client', hasToken: true, isOpenInWeb: true, target })).toBeNull();
  });
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/login',
    '/homepage',
    'javascript:alert(1)',
    '',
  ])('never goes to %j after sign-in', (from) => {
    expect(afterSignIn(`?${new URLSearchParams({ from })}`)).toBe('/homepage/liveVideo');
  });
});

describe('[RT-09] pages that open without a token', () => {
  it('do so in web mode alone', () => {
    expect(guardRedirect({ mode: 'web', hasToken: false, isOpenInWeb: true, target })).toBeNull();
    expect(guardRedirect({ mode: 'client', hasToken: false, isOpenInWeb: true, target })).toMatch(/^\/login/);
  });
});
