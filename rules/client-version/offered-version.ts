// Which version of a client is offered: numbers are compared part by part, a staged release reaches a share of the clients.
import type { ClientPlatform, VersionInfo } from '@vedette/contract/calls/client-version.ts';

/** Of a published release that a client can get. */
export type Release = Pick<
  VersionInfo,
  'versionId' | 'platform' | 'externalVersion' | 'mustUpgradeVersion' | 'rolloutPercent'
>;

export interface AskingClient {
  readonly softVersion: string;
  readonly platform: ClientPlatform;
  /** From 0 to 99, the same for one client and one release whenever it asks; null: the client has no id. */
  readonly bucketOf: (versionId: string) => number | null;
}

export interface Offer<R extends Release> {
  readonly release: R;
  /** The client may not go on with its version. */
  readonly mustUpgrade: boolean;
}

/** Below 0: `one` is older. Both are four numbers with dots. */
export function compareVersions(one: string, other: string): number {
  const others = other.split('.').map(Number);
  for (const [at, part] of one.split('.').map(Number).entries()) {
    const difference = part - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The newest release that has reached the client; null: none. A release that a client must have is staged for nobody, and one that a newer
 * release leaves behind goes on demanding its upgrade.
 */
export function offeredVersion<R extends Release>(releases: readonly R[], client: AskingClient): Offer<R> | null {
  const newer = releases.filter(
    (release) =>
      (release.platform === 'all' || release.platform === client.platform) &&
      compareVersions(release.externalVersion, client.softVersion) > 0,
  );
  const demands = ({ mustUpgradeVersion }: Release): boolean =>
    mustUpgradeVersion !== '' && compareVersions(client.softVersion, mustUpgradeVersion) < 0;
  const reached = newer.filter((release) => demands(release) || hasReached(release, client));
  const newest = reached.toSorted((one, other) => compareVersions(other.externalVersion, one.externalVersion))[0];
  return newest === undefined ? null : { release: newest, mustUpgrade: reached.some(demands) };
}

function hasReached({ versionId, rolloutPercent }: Release, { bucketOf }: AskingClient): boolean {
  return rolloutPercent >= 100 || (bucketOf(versionId) ?? 100) < rolloutPercent;
}
