// The order of addresses that links for other people begin with.
import { describe, expect, it } from 'vitest';
import { isOnlyThisMachine, linkOrigins } from './link-origins.ts';

const lan = 'https://192.168.1.20:8443';

describe('linkOrigins', () => {
  it('begins with the public address, then the address of the page, then those of the network', () => {
    const publicAddress = 'https://video.example.org';
    expect(linkOrigins({ pageOrigin: 'https://nvr.lan:8443', publicAddress, addressList: [lan] })).toEqual([
      publicAddress,
      'https://nvr.lan:8443',
      lan,
    ]);
  });

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://demo.localhost:8080',
  ])('leaves out %s while another machine has an address to use', (pageOrigin) => {
    expect(isOnlyThisMachine(pageOrigin)).toBe(true);
    expect(linkOrigins({ pageOrigin, publicAddress: '', addressList: [lan] })).toEqual([lan]);
  });

  it('gives the address of the page where no other is known', () => {
    expect(linkOrigins({ pageOrigin: 'http://localhost:8080', publicAddress: '', addressList: [] })).toEqual([
      'http://localhost:8080',
    ]);
  });

  it('names each address once', () => {
    expect(linkOrigins({ pageOrigin: lan, publicAddress: lan, addressList: [lan] })).toEqual([lan]);
  });
});
