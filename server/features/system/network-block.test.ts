// CIDR blocks accepted by the network policy.
import { expect, test } from 'vitest';
import { isNetworkBlock } from './network-block.ts';

test.each([
  '10.0.0.0/8',
  '127.0.0.0/8',
  '192.0.2.1',
  '192.0.2.1/32',
  'fd00::/8',
  '::1/128',
  '0.0.0.0/0',
])('[SE-64] takes %s', (text) => expect(isNetworkBlock(text)).toBe(true));
test.each([
  '',
  'everything',
  '10.0.0.0/33',
  '10.0.0/8',
  '010.0.0.1/8x',
  'fd00::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '0x7f.1',
])('[SE-64] refuses %j', (text) => expect(isNetworkBlock(text)).toBe(false));
