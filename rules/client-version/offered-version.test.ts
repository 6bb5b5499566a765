// Rules of client versions: order of numbers, platforms, staged releases, and upgrades that may not be skipped.
import type { ClientPlatform } from '@vedette/contract/calls/client-version.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions, offeredVersion, type Release } from './offered-version.ts';

const release = (externalVersion: string, more: Partial<Release> = {}): Release => ({
  versionId: externalVersion,
  platform: 'all',
  externalVersion,
  mustUpgradeVersion: '',
  rolloutPercent: 100,
  ...more,
});
const client = (softVersion: string, platform: ClientPlatform = 'linux', bucket: number | null = null) => ({
  softVersion,
  platform,
  bucketOf: () => bucket,
});
const offered = (releases: readonly Release[], from: ReturnType<typeof client>) => {
  const offer = offeredVersion(releases, from);
  return offer && [offer.release.externalVersion, offer.mustUpgrade];
};

describe('compareVersions', () => {
  it.each([
    ['1.9.0.0', '1.10.0.0'],
    ['1.2.3.4', '1.2.3.5'],
    ['0.99.99.99', '1.0.0.0'],
    ['1.0.0.0', '999999999.0.0.0'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
    expect(compareVersions(older, older)).toBe(0);
  });

  it('orders as the lists of their numbers', () => {
    const numbers = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const at = one.findIndex((part, index) => part !== other[index]);
        const expected = at < 0 ? 0 : Math.sign((one[at] ?? 0) - (other[at] ?? 0));
        expect(Math.sign(compareVersions(one.join('.'), other.join('.')))).toBe(expected);
      }),
    );
  });
});

describe('offeredVersion', () => {
  it('offers the newest release of the platform or of all, and nothing that is not newer', () => {
    const releases = [release('1.9.0.0'), release('1.10.0.0'), release('2.0.0.0', { platform: 'windows' })];
    expect(offered(releases, client('1.0.0.0'))).toEqual(['1.10.0.0', false]);
    expect(offered(releases, client('1.0.0.0', 'windows'))).toEqual(['2.0.0.0', false]);
    expect(offered(releases, client('1.0.0.0', 'all'))).toEqual(['1.10.0.0', false]);
    expect(offered(releases, client('1.10.0.0'))).toBeNull();
    expect(offered([], client('1.0.0.0'))).toBeNull();
  });

  it('demands an upgrade below the number of any release that is newer', () => {
    const releases = [release('1.5.0.0', { mustUpgradeVersion: '1.2.0.0' }), release('2.0.0.0')];
    expect(offered(releases, client('1.1.9.9'))).toEqual(['2.0.0.0', true]);
    expect(offered(releases, client('1.2.0.0'))).toEqual(['2.0.0.0', false]);
    expect(offered(releases, client('1.6.0.0'))).toEqual(['2.0.0.0', false]);
  });

  it('stages a release by the bucket of the client, but not where the client must upgrade', () => {
    const releases = [release('1.5.0.0'), release('2.0.0.0', { rolloutPercent: 30, mustUpgradeVersion: '1.1.0.0' })];
    expect(offered(releases, client('1.2.0.0', 'linux', 29))).toEqual(['2.0.0.0', false]);
    expect(offered(releases, client('1.2.0.0', 'linux', 30))).toEqual(['1.5.0.0', false]);
    expect(offered(releases, client('1.2.0.0'))).toEqual(['1.5.0.0', false]);
    expect(offered(releases, client('1.0.0.0', 'linux', 99))).toEqual(['2.0.0.0', true]);
    expect(offered([release('2.0.0.0', { rolloutPercent: 0 })], client('1.0.0.0', 'linux', 0))).toBeNull();
  });
});
