// Public address of a request by its headers.
import { expect, test } from 'vitest';
import { callerAddress, httpUrl, publicOrigin, webSocketUrl } from './public-origin.ts';

test.each([
  [{ host: 'localhost:8443' }, 'http://localhost:8443/x', 'ws://localhost:8443/x'],
  [{ host: '[fd00::2]:443', 'x-forwarded-proto': 'https' }, 'https://[fd00::2]:443/x', 'wss://[fd00::2]:443/x'],
  [{ host: 'evil"><script>', 'x-forwarded-proto': 'https' }, 'https://localhost:99/x', 'wss://localhost:99/x'],
  [{}, 'http://localhost:99/x', 'ws://localhost:99/x'],
])('[SE-08] headers %j lead to %s', (headers, http, socket) => {
  const origin = publicOrigin(headers, 99);
  expect(httpUrl(origin, '/x')).toBe(http);
  expect(webSocketUrl(origin, '/x')).toBe(socket);
});

test("[SE-08] the caller's address is the one seen by the gateway", () => {
  expect(callerAddress({ 'x-forwarded-for': '192.0.2.1' })).toBe('192.0.2.1');
  expect(callerAddress({})).toBe('local');
});
