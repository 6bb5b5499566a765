// The place of a server among others: an address of this machine that is not public, with a port, and a database that others reach.
import { expect, it } from 'vitest';
import { nodeAddressText, readNodeAddress } from './node-address.js';

const own = ['127.0.0.1', '10.0.0.5', 'fd00::5', '203.0.113.7'];
const url = 'postgres://db/vedette';

it.each([
  ['10.0.0.5:8810', { host: '10.0.0.5', port: 8810 }],
  ['[fd00::5]:1', { host: 'fd00::5', port: 1 }],
  ['127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
])('takes %s', (text, place) => {
  expect(readNodeAddress(text, url, own)).toEqual(place);
  expect(nodeAddressText(place)).toBe(text);
});

it.each([
  ['10.0.0.5', /is not an address and a port/],
  ['10.0.0.5:0', /is not an address and a port/],
  ['10.0.0.5:65536', /is not an address and a port/],
  ['fd00::5:8810', /is not an address and a port/],
  ['[10.0.0.5]:8810', /is not an address and a port/],
  ['server.example:8810', /is not an address and a port/],
  ['10.0.0.6:8810', /10\.0\.0\.6 is no address of this machine; it has 127\.0\.0\.1, 10\.0\.0\.5/],
  ['203.0.113.7:8810', /is a public address/],
])('refuses %s', (text, message) => expect(() => readNodeAddress(text, url, own)).toThrow(message));

it('is of no use beside the embedded database, and is off unless set', () => {
  expect(() => readNodeAddress('10.0.0.5:8810', null, own)).toThrow(/needs DATABASE_URL/);
  expect(readNodeAddress('', null, own)).toBeNull();
});
