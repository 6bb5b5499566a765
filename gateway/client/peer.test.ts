// Who a connection comes from: directly, through a proxy that is trusted, and through one that is not.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createPeerReader, createProxyTest } from './peer.ts';

function requestFrom(remoteAddress: string, headers: IncomingHttpHeaders = {}, encrypted = false): IncomingMessage {
  return { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
}

const readPeer = createPeerReader(['10.0.0.0/8'], true);

it('proxies are known by address or range, in both families', () => {
  const isProxy = createProxyTest(['10.0.0.1', 'fd00::/8']);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fd12::9']) expect(isProxy(address)).toBe(true);
  for (const address of ['10.0.0.2', '2001:db8::1', '']) expect(isProxy(address)).toBe(false);
});

it('without a trusted proxy the address of the connection counts, whatever headers say', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' };
  const peer = readPeer(requestFrom('::ffff:203.0.113.9', headers));
  expect(peer).toEqual({ address: '203.0.113.9', secure: false, loopback: false, plainAllowed: false });
});

it('behind a trusted proxy the rightmost address that is no proxy counts', () => {
  const headers = {
    'x-forwarded-for': '6.6.6.6, 203.0.113.7, no address, 10.1.2.3',
    'x-forwarded-proto': 'http, https',
  };
  const peer = readPeer(requestFrom('10.9.9.9', headers));
  expect(peer).toEqual({ address: '203.0.113.7', secure: true, loopback: false, plainAllowed: true });
  expect(readPeer(requestFrom('10.9.9.9', {})).address).toBe('10.9.9.9');
  expect(readPeer(requestFrom('10.9.9.9', { 'x-forwarded-for': '10.1.1.1' })).address).toBe('10.1.1.1');
});

it('this machine is local under its own names alone, and not through a proxy on it', () => {
  const isLoopback = (host: string, more: IncomingHttpHeaders = {}) =>
    readPeer(requestFrom('127.0.0.1', { host, ...more })).loopback;
  for (const host of ['localhost', 'LOCALHOST:8800', '127.0.0.1:1', '[::1]']) expect(isLoopback(host), host).toBe(true);
  for (const host of ['rebound.example', '127.0.0.1.example', '']) expect(isLoopback(host), host).toBe(false);
  expect(isLoopback('localhost', { forwarded: 'for=1.2.3.4' })).toBe(false);
  expect(readPeer(requestFrom('::1', { host: 'localhost' }, true))).toMatchObject({ secure: true, plainAllowed: true });
});
