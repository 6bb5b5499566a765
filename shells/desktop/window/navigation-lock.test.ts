// Tests of what a window of the shell may show.
import { describe, expect, it } from 'vitest';
import { isOwnDocument, mayBeShown, ownAddress } from './navigation-lock.ts';

const OWN = 'https://server.example:8443';
const FOREIGN = [
  'https://server.example/',
  'http://server.example:8443/',
  'https://server.example:8443.evil.example/',
  'https://server.example:8443@evil.example/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'chrome://settings',
  'about:srcdoc',
];

it.each(FOREIGN)('%s is no document of the server', (url) => {
  expect(isOwnDocument(url, OWN)).toBe(false);
  expect(mayBeShown(url, OWN, new Set())).toBe(false);
  expect(ownAddress(url, OWN)).toBeNull();
});

describe('what may be shown', () => {
  it('is a page of the server, a file that it made, an empty window, and a start page of the shell', () => {
    const start = 'data:text/html,start';
    for (const url of [`${OWN}/client.html`, `blob:${OWN}/1`, 'about:blank', start])
      expect(mayBeShown(url, OWN, new Set([start])), url).toBe(true);
    expect(mayBeShown('blob:https://evil.example/1', OWN, new Set())).toBe(false);
  });

  it('an address from outside is taken below the server', () => {
    expect(ownAddress('/client.html#a=1', OWN)).toBe(`${OWN}/client.html#a=1`);
    expect(ownAddress('//evil.example/', OWN)).toBeNull();
  });
});
