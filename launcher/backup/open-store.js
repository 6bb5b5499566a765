// Opens the place that --to, --from or --backup-to names: a folder, or a bucket with its keys.

import fs from 'node:fs';
import path from 'node:path';
import { FolderStore } from '../backup-store/folder-store.js';
import { isS3Address, bucketPlace, readS3Address } from '../backup-store/s3-address.js';
import { S3Client } from '../backup-store/s3-client.js';
import { S3Store } from '../backup-store/s3-store.js';
import { LaunchError } from '../core/launch-error.js';
import { backupName, backupsIn } from './choose-backup.js';
import { manifestName } from './manifest.js';
import { savedStoreKeys } from './store-keys.js';

/**
 * @typedef {import('../backup-store/backup-store.js').BackupStore} BackupStore
 * @typedef {import('../backup-store/s3-address.js').S3Address} S3Address
 * @typedef {import('../backup-store/s3-client.js').S3Keys} S3Keys
 */

/**
 * @param {string} to absolute path of a folder, or address of a bucket
 * @param {{ env: Record<string, string | undefined>, data: string, masterKey: string }} from where the keys of the bucket may be
 * @returns {Promise<BackupStore>}
 */
export async function openStore(to, { env, ...place }) {
  if (!isS3Address(to)) return new FolderStore(to);
  const address = readS3Address(to);
  const keys = givenStoreKeys(env) ?? (await savedStoreKeys(place, address));
  if (keys !== null) return openBucket(address, keys);
  throw new LaunchError('storeKeysMissing', `the keys of ${bucketPlace(address)} are not known.`, {
    hint: 'Save them with npm run backup -- --save-keys --to …, or set VEDETTE_BACKUP_ACCESS_KEY and VEDETTE_BACKUP_SECRET_KEY.',
  });
}

/**
 * @param {S3Address} address
 * @param {S3Keys} keys
 * @param {{ mostTries?: number }} [how]
 */
export function openBucket(address, keys, how = {}) {
  return new S3Store({ address, client: new S3Client(address, keys), ...how });
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {S3Keys | null}
 */
export function givenStoreKeys(env) {
  const [accessKey, secretKey] = [env['VEDETTE_BACKUP_ACCESS_KEY'], env['VEDETTE_BACKUP_SECRET_KEY']];
  return accessKey && secretKey ? { accessKey, secretKey } : null;
}

/**
 * The backups that `--from` names, the oldest first: one, or all of a store.
 * @param {string} from
 * @param {() => Promise<S3Keys>} askKeys
 * @returns {Promise<{ store: BackupStore, backups: import('./manifest.js').StoredBackup[] }>}
 */
export async function findBackups(from, askKeys) {
  if (!isS3Address(from)) return await backupsAt(splitPath(from));
  const address = readS3Address(from);
  const [last = '', ...above] = address.prefix.split('/').toReversed();
  const isOne = backupName.test(last);
  const place = isOne ? { ...address, prefix: above.toReversed().join('/') } : address;
  return await backupsAt({ store: openBucket(place, await askKeys()), name: isOne ? last : null });
}

/** @param {{ store: BackupStore, name: string | null }} place */
async function backupsAt({ store, name }) {
  return { store, backups: name === null ? await backupsIn(store) : [{ store, name }] };
}

/** @param {string} folder */
function splitPath(folder) {
  if (!fs.existsSync(path.join(folder, manifestName))) return { store: new FolderStore(folder), name: null };
  return { store: new FolderStore(path.dirname(folder)), name: path.basename(folder) };
}
