// Client versions: their contract object, and where their packages are downloaded.
import { VERSION_DOWNLOAD_PATH, type VersionInfo } from '@vedette/contract/calls/client-version.ts';
import type { ClientVersionRow } from '../../database/schema/client-version-schema.ts';

export function toVersionInfo(row: ClientVersionRow, receivedBytes: number): VersionInfo {
  return {
    versionId: row.version_id,
    platform: row.platform,
    versionName: row.version_name,
    externalVersion: row.external_version,
    mustUpgradeVersion: row.must_upgrade_version,
    contentEn: row.content_en,
    contentZh: row.content_zh,
    redirectUrl: row.redirect_url,
    path: downloadPath(row),
    fileName: row.file_name,
    ...packageProof(row),
    receivedBytes,
    rolloutPercent: row.rollout_percent,
    isPublished: row.is_published,
    version: row.version,
    createTime: row.created_at,
    changeTime: row.changed_at,
  };
}

export function packageProof(row: ClientVersionRow) {
  return { bytes: row.size_bytes, sha256: row.sha256, signature: row.signature, publicKey: row.public_key };
}

/** Empty while there is no package. */
export function downloadPath(row: ClientVersionRow): string {
  return row.sha256 === '' ? '' : `${VERSION_DOWNLOAD_PATH}${row.version_id}/${encodeURIComponent(row.file_name)}`;
}
