// What is kept of a device that was never asked, and where an address record leads to.
import { describe, expect, test } from 'vitest';
import { dialledUrl, unaskedAddress } from './addresses.ts';

const onvif = (url: string) => ({ driver: 'onvif', native: { url, keepHost: true, authMode: null, sources: [] } });
const rtsp = (url: string) => ({ driver: 'rtsp', native: { urls: [url] } });

describe('a device that is stored without being asked', () => {
  test.each([
    ['192.168.1.9', onvif('http://192.168.1.9/onvif/device_service')],
    ['192.168.1.9:8000', onvif('http://192.168.1.9:8000/onvif/device_service')],
    ['192.168.1.9:9000', onvif('http://192.168.1.9:9000/onvif/device_service')],
    ['https://h/', onvif('https://h/onvif/device_service')],
    ['HTTP://h:554/own', onvif('http://h:554/own')],
    ['192.168.1.9:554', rtsp('rtsp://192.168.1.9:554')],
    ['[fd00::9]:8554', rtsp('rtsp://[fd00::9]:8554')],
    ['rtsp://h:80/a?b=1', rtsp('rtsp://h:80/a?b=1')],
    ['RTSPS://h/a', rtsp('RTSPS://h/a')],
  ])('%s', (target, kept) => {
    const address = unaskedAddress(target);
    expect(address).toEqual(kept);
    expect(dialledUrl(address.driver, address.native)).toBe(
      'url' in kept.native ? kept.native.url : kept.native.urls[0],
    );
  });
});

test('an address record without a URL, or of a driver that is not known, leads nowhere', () => {
  expect(dialledUrl('onvif', { urls: ['rtsp://h/a'] })).toBeUndefined();
  expect(dialledUrl('rtsp', { urls: [7] })).toBeUndefined();
  expect(dialledUrl('later', { url: 'http://h/' })).toBeUndefined();
});
