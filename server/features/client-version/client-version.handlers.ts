// Handlers of version/*: managers keep the versions of the clients, and any client asks for a newer one.
import { createHash } from 'node:crypto';
import type { CallOutput, CallParsed } from '@vedette/contract/calls/calls.ts';
import type { clientVersionCalls } from '@vedette/contract/calls/client-version.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { offeredVersion, type Release } from '@vedette/rules/client-version/offered-version.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import {
  type ClientVersionTexts,
  deleteClientVersion,
  findClientVersion,
  insertClientVersion,
  listClientVersions,
  publishedClientVersions,
  updateClientVersion,
} from '../../database/client-version.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { ClientVersionRow } from '../../database/schema/client-version-schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import type { PackageFiles } from './package-files.ts';
import type { PublisherKeys } from './publisher-keys.ts';
import { downloadPath, packageProof, toVersionInfo } from './version-info.ts';

export interface ClientVersionDeps {
  readonly database: Database;
  readonly packages: PackageFiles;
  readonly publishers: PublisherKeys;
}

export function clientVersionHandlers(deps: ClientVersionDeps): Handlers<keyof typeof clientVersionCalls> {
  const { database, packages } = deps;
  return {
    'version/check': async ({ input }) => await checkVersion(deps, input),
    'version/download': async ({ input }) => await findDownload(deps, input),
    'version/list': async ({ input }) => {
      const { total, rows } = await listClientVersions(database, input.platform, pageRange(input));
      return { total, versionList: await Promise.all(rows.map((row) => withProgress(packages, row))) };
    },
    'version/save': async ({ input, now }) => ({
      versionInfo: await withProgress(packages, await saveVersion(deps, input, now)),
    }),
    'version/delete': async ({ input: { versionId } }) => {
      requireFound(await findClientVersion(database, versionId), 'notFound');
      await packages.alone(versionId, async () => {
        await deleteClientVersion(database, versionId);
        await packages.drop(versionId);
      });
      return {};
    },
  };
}

async function withProgress(packages: PackageFiles, row: ClientVersionRow) {
  return toVersionInfo(row, await packages.received(row.version_id));
}

const NOTHING: CallOutput<'version/check'> = {
  versionName: '',
  mustUpgradeVersion: '',
  contentEn: '',
  contentZh: '',
  externalVersion: '',
  redirectUrl: '',
  mustUpgrade: false,
  bytes: 0,
  sha256: '',
  signature: '',
  publicKey: '',
};

async function checkVersion(
  { database, publishers }: ClientVersionDeps,
  { softVersion, platform, clientId }: CallParsed<'version/check'>,
): Promise<CallOutput<'version/check'>> {
  const rows = await publishers.trusted(await publishedClientVersions(database));
  const releases = rows.map((row) => ({ ...releaseOf(row), row }));
  const bucketOf = (versionId: string) => (clientId === undefined ? null : bucket(clientId, versionId));
  const offer = offeredVersion(releases, { softVersion, platform, bucketOf });
  if (offer === null) return NOTHING;
  const { row } = offer.release;
  return {
    versionName: row.version_name,
    mustUpgradeVersion: row.must_upgrade_version,
    contentEn: row.content_en,
    contentZh: row.content_zh,
    externalVersion: row.external_version,
    redirectUrl: row.redirect_url,
    mustUpgrade: offer.mustUpgrade,
    ...packageProof(row),
  };
}

function releaseOf(row: ClientVersionRow): Release {
  return {
    versionId: row.version_id,
    platform: row.platform,
    externalVersion: row.external_version,
    mustUpgradeVersion: row.must_upgrade_version,
    rolloutPercent: row.rollout_percent,
  };
}

/** Other clients come first with each release. */
function bucket(clientId: string, versionId: string): number {
  return createHash('sha256').update(`${versionId} ${clientId}`).digest().readUInt32BE() % 100;
}

/** Throws 1007: only what is published is handed out. */
async function findDownload(
  { database, publishers }: ClientVersionDeps,
  { externalVersion, platform }: CallParsed<'version/download'>,
): Promise<CallOutput<'version/download'>> {
  const trusted = await publishers.trusted(await publishedClientVersions(database));
  const rows = trusted.filter((row) => row.external_version === externalVersion);
  const own = rows.find((row) => row.platform === platform) ?? rows.find((row) => row.platform === 'all');
  const row = requireFound(own, 'notFound');
  return { path: downloadPath(row) || row.redirect_url, fileName: row.file_name, ...packageProof(row) };
}

/** Throws 1007, 1010 with the newer version, 1011 and 1016. */
async function saveVersion(
  { database, packages }: ClientVersionDeps,
  input: CallParsed<'version/save'>,
  now: number,
): Promise<ClientVersionRow> {
  const { versionId, version = 0 } = input;
  const texts = textsOf(input);
  try {
    if (versionId === undefined) {
      const most = CLIENT_VERSION_LIMITS.versions;
      const made = await insertClientVersion(database, { versionId: newId(), texts, now, most });
      return requireFound(made, 'quotaExceeded');
    }
    const changed = await updateClientVersion(database, { versionId, version }, { texts, now });
    if (changed !== undefined) return changed;
    const newer = requireFound(await findClientVersion(database, versionId), 'notFound');
    throw new CallError('stale', await withProgress(packages, newer));
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { externalVersion: 'notAllowed' });
    throw error;
  }
}

function textsOf(input: CallParsed<'version/save'>): ClientVersionTexts {
  return {
    platform: input.platform,
    version_name: input.versionName.trim(),
    external_version: input.externalVersion,
    must_upgrade_version: input.mustUpgradeVersion,
    content_en: input.contentEn,
    content_zh: input.contentZh,
    redirect_url: input.redirectUrl,
    rollout_percent: input.rolloutPercent,
    is_published: input.isPublished,
  };
}
