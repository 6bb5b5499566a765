// Normalization of device data and typed addresses.
import { expect, test } from 'vitest';
import { cleanName, hidePasswords, hostOf, serialOf, splitTarget } from './device-candidate.facts.ts';

test.each([
  ['rtsp://u:p@h/x', '', '', { target: 'rtsp://h/x', user: 'u', password: 'p' }],
  ['rtsp://u:p%40ss%3A@h:554/x?a=b@c', '', '', { target: 'rtsp://h:554/x?a=b@c', user: 'u', password: 'p@ss:' }],
  ['rtsp://u:p@ss@h/x', '', '', { target: 'rtsp://h/x', user: 'u', password: 'p@ss' }],
  ['rtsp://u:50%@h/x', '', '', { target: 'rtsp://h/x', user: 'u', password: '50%' }],
  ['rtsp://old:older@h/x', 'new', 'newer', { target: 'rtsp://h/x', user: 'new', password: 'newer' }],
  ['rtsp://u@h/x', '', 'p', { target: 'rtsp://h/x', user: 'u', password: 'p' }],
  [' 192.0.2.1 ', 'u', 'p', { target: '192.0.2.1', user: 'u', password: 'p' }],
  ['rtsp://h/a@b', 'u', 'p', { target: 'rtsp://h/a@b', user: 'u', password: 'p' }],
])('[SE-29] %s leaves no password in the address', (target, user, password, split) => {
  expect(splitTarget(target, user, password)).toEqual(split);
});

test('[VA-04] keeps a serial of the specified form, maps any other to a stable one', () => {
  const native = { urls: ['rtsp://h/x'] };
  expect(serialOf({ deviceSerial: 'SN1', driver: 'rtsp', native })).toBe('SN1');
  const derived = serialOf({ deviceSerial: 'S/N 1', driver: 'rtsp', native });
  expect(derived).toMatch(/^[A-Za-z0-9]{1,20}$/);
  expect(serialOf({ deviceSerial: 'S/N 1', driver: 'rtsp', native })).toBe(derived);
  expect(serialOf({ deviceSerial: 'S/N 1', driver: 'rtsp', native: { urls: ['rtsp://h/y'] } })).not.toBe(derived);
});

test('[VA-04] bounds device names and removes angle brackets', () => {
  expect(cleanName('<b>Gate</b>\u0000', 'x')).toBe('b Gate /b');
  expect(cleanName('  ', 'Camera')).toBe('Camera');
  expect(cleanName('😀'.repeat(70), 'x')).toBe('😀'.repeat(64));
});

test.each([
  ['http://192.0.2.1:8080/onvif/device_service', '192.0.2.1:8080'],
  ['rtsp://camera.example/stream', 'camera.example'],
  ['http://[2001:db8::1]/x', '[2001:db8::1]'],
  ['192.0.2.1:554', '192.0.2.1:554'],
  ['', ''],
])('the address %j is shown as %j', (address, shown) => expect(hostOf(address)).toBe(shown));

test.each([
  ['192.0.2.1:8080', '192.0.2.1:8080'],
  ['rtsp://h/cam?user=a&password=s3cret&channel=1', 'rtsp://h/cam?user=a&password=•••&channel=1'],
  ['rtsp://h/user=a_pwd=s3cret_channel=1.sdp/1', 'rtsp://h/user=a_pwd=•••/1'],
])('[SE-29] a password inside %s is not shown', (target, shown) => expect(hidePasswords(target)).toBe(shown));
