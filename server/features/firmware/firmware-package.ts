// Firmware packages: their owner and their contract object.
import type { FirmwarePackage } from '@vedette/contract/calls/firmware.ts';
import type { Principal } from '../../auth/principal.ts';
import type { PackageRow } from '../../database/device/firmware.queries.ts';

/** A sub-account works with the packages of its owner. */
export function packageOwner({ ownerId, userId }: Principal): string {
  return ownerId ?? userId;
}

export function toPackage(row: PackageRow): FirmwarePackage {
  return {
    packageId: row.package_id,
    deviceModel: row.device_model,
    version: row.version,
    fileName: row.file_name,
    bytes: row.size_bytes,
    sha256: row.sha256,
    createTime: row.created_at,
  };
}
