// Keys of a bucket for a command that somebody types: from the environment, else asked for.

import { askTerminal } from '../core/ask-terminal.js';
import { givenStoreKeys } from './open-store.js';

const refusal = {
  code: 'storeKeysMissing',
  message: 'the keys of the bucket were not given, and there is no terminal to ask at.',
  hint: 'Set VEDETTE_BACKUP_ACCESS_KEY and VEDETTE_BACKUP_SECRET_KEY.',
};

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<import('../backup-store/s3-client.js').S3Keys>}
 */
export async function askStoreKeys(env) {
  const given = givenStoreKeys(env);
  if (given !== null) return given;
  const accessKey = await askTerminal('Access key of the bucket: ', refusal);
  return { accessKey: accessKey.trim(), secretKey: (await askTerminal('Secret key: ', refusal)).trim() };
}
