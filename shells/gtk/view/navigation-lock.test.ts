// Tests of the lock on documents; tests/browser/gtk-shell.peers.spec.ts shows that WebKit holds it.
import { expect, it } from 'vitest';
import { isOwnDocument, mayLoad } from './navigation-lock.js';

const ORIGIN = 'https://vedette.example';

it.each([`${ORIGIN}/`, `${ORIGIN}/client.html#/live`, `blob:${ORIGIN}/3f2a`])('%s is of the server', (address) => {
  expect(isOwnDocument(address, ORIGIN)).toBe(true);
});

it.each([
  'https://vedette.example.evil.example/',
  'https://vedette.example@evil.example/',
  'https://vedette.example:8443/',
  'http://vedette.example/',
  'https://evil.example/?https://vedette.example/',
  'data:text/html,x',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'blob:https://evil.example/3f2a',
  'about:config',
  ORIGIN,
])('%s is not', (address) => {
  expect(isOwnDocument(address, ORIGIN)).toBe(false);
  expect(mayLoad(address, ORIGIN)).toBe(false);
});

it('an empty window or frame of the page may stand, and is not of the server', () => {
  for (const address of ['', 'about:blank', 'about:srcdoc'])
    expect([mayLoad(address, ORIGIN), isOwnDocument(address, ORIGIN)]).toEqual([true, false]);
});
