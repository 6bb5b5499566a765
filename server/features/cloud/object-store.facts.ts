// Object stores with their secrets opened, as sites are given them.
import type { SiteSettings } from '@vedette/contract/site/site.ts';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Database } from '../../database/connection.ts';
import { listObjectStores } from '../../database/media/cloud.queries.ts';
import type { ObjectStoreRow } from '../../database/schema/cloud-schema.ts';

/** The settings of sites, and the object stores beside them. */
export function withObjectStores(
  { database, box }: { readonly database: Database; readonly box: SecretBox },
  settings: () => Promise<SiteSettings>,
): () => Promise<SiteSettings> {
  return async () => {
    const rows = await listObjectStores(database);
    const objectStores = rows.map((row) => toAccess(row, box.open(row.secret_key, row.store_id)));
    return { ...(await settings()), objectStores };
  };
}

export function toAccess(
  row: Pick<ObjectStoreRow, 'store_id' | 'endpoint' | 'region' | 'bucket' | 'is_path_style' | 'access_key' | 'prefix'>,
  secretKey: string,
): ObjectStoreAccess {
  const { endpoint, region, bucket, prefix } = row;
  const { store_id: storeId, is_path_style: isPathStyle, access_key: accessKey } = row;
  return { storeId, endpoint, region, bucket, isPathStyle, accessKey, secretKey, prefix };
}
