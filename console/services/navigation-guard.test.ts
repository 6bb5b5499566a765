// Tests of the navigation guard.
import { describe, expect, it } from 'vitest';
import { foreignAddresses } from '../../tests/abuse/corpora/foreign-addresses.ts';
import { afterSignIn, guardRedirect } from './navigation-guard.ts';

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
    expect(afterSignIn(`?${new URLSearchParams({ from })}`)).toBe('/homepage');
  });
});

const EVIL = 'evil.example';
/** What has led browsers and naive checks astray, in many writings. */
const ASTRAY = [
  ...['https:', 'http:', 'ftp:', 'ws:', 'HTTPS:', 'hTtPs:', ''].flatMap((scheme) =>
    ['//', '/\\', '\\/', '\\\\', '///', '////'].map((slashes) => `${scheme}${slashes}${EVIL}/homepage/liveVideo`),
  ),
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\tjavascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'about:blank',
  'mailto:a@evil.example',
  ...[' //', '\t//', '\n//', '\r//', '\0//', '/\t/', '/\n/', '/ /', '\u2028//'].map((start) => `${start}${EVIL}`),
  ...['/homepage/../..//', '/homepage/..//', '/homepage/%2e%2e//', '/homepage/./..//', '/homepage/\\..\\..\\\\'].map(
    (start) => `${start}${EVIL}`,
  ),
  ...['/homepage/%2f', '/homepage/%5c', '/homepage//', '/homepage/%2F%2F', '/homepage/..%2f..%2f'].map(
    (start) => `${start}${EVIL}`,
  ),
  `/homepage@${EVIL}`,
  `@${EVIL}/homepage/`,
  `/homepage.${EVIL}/`,
  `homepage/liveVideo`,
  `?/homepage/`,
  '#/homepage/x',
  '/login',
  '/homepage',
  '/homepage/..',
  '/homepage/../login',
  '/api/v1/account/logout',
  '/media/live',
  '',
];

describe('[SE-62] an address to go back to', () => {
  it(`leads nowhere but into the console, in ${ASTRAY.length} writings`, () => {
    expect(ASTRAY.length).toBeGreaterThanOrEqual(80);
    const led = ASTRAY.map((from) => [from, afterSignIn(`?${new URLSearchParams({ from })}`)] as const);
    expect(led.filter(([, to]) => to !== '/homepage')).toEqual([]);
  });
  it.each([
    '/homepage/alarmMsg?alarm=1#x',
    '/homepage/container?device=A&time=1',
    '/homepage/liveVideo/window/2',
  ])('leads to %s as it was', (from) => expect(afterSignIn(`?${new URLSearchParams({ from })}`)).toBe(from));
});

it('[GO-15] [SE-62] goes to no address of a whole corpus after sign-in: what opens is a page of the console', () => {
  const own = 'https://vedette.example';
  for (const from of foreignAddresses(`${own}/homepage/liveVideo`)) {
    const to = new URL(afterSignIn(`?${new URLSearchParams({ from })}`), own);
    expect([from, to.origin, /^\/homepage(?:\/|$)/u.test(to.pathname)]).toEqual([from, own, true]);
  }
});

describe('[RT-09] pages that open without a token', () => {
  it('open without a token in web mode only', () => {
    expect(guardRedirect({ mode: 'web', hasToken: false, isOpenInWeb: true, target })).toBeNull();
    expect(guardRedirect({ mode: 'client', hasToken: false, isOpenInWeb: true, target })).toMatch(/^\/login/);
  });
});
