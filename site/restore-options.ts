// Options of the tool that brings recordings back from an object store, from the command line; the secret key comes by the environment alone.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';

export interface RestoreOptions {
  /** Folder of the recordings. */
  readonly recordings: string;
  readonly access: ObjectStoreAccess;
  readonly days: number;
}

export const RESTORE_USAGE = `npm run recordings:restore -- --recordings <folder> --store <id> --endpoint <address> --bucket <name> --access-key <key> [options]

Brings the history of a site back from an object store alone, after its disk was lost: indices and the list of
copies. The media stays in the store and plays from there. Files that are on the disk are left alone. No site may
record into the folder meanwhile. The secret key is read from VEDETTE_STORE_SECRET.

  --recordings <folder>  where the site will record
  --store <id>           id of the store, as cloud/store/list tells it
  --endpoint <address>   http or https, name and port
  --bucket <name>
  --access-key <key>
  --region <name>        (default us-east-1)
  --prefix <prefix>      first part of every key (default: none)
  --virtual-host         the bucket is a part of the name, not of the path
  --days <number>        how long the copies are kept from their recording on (default 3650)
  --help                 this text

The last line is one JSON object. It ends with 0 when all was restored, 1 when files were incomplete, 2 when nothing could be done.`;

const required = { type: 'string', default: '' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
  recordings: required,
  store: required,
  endpoint: required,
  bucket: required,
  'access-key': required,
  region: { type: 'string', default: 'us-east-1' },
  prefix: { type: 'string', default: '' },
  days: { type: 'string', default: '3650' },
  'virtual-host': flag,
  help: flag,
} as const;
const ENDPOINT = /^https?:\/\/[^/?#@]+$/;

/** 'help' where it is asked for, 'wrong' where something is missing or is no such option. */
export function readRestoreOptions(args: readonly string[], env: NodeJS.ProcessEnv): RestoreOptions | 'help' | 'wrong' {
  const values = parsed(args);
  if (values === null) return 'wrong';
  if (values.help) return 'help';
  const { recordings, store: storeId, endpoint, bucket, 'access-key': accessKey, region, prefix } = values;
  const secretKey = env['VEDETTE_STORE_SECRET'] ?? '';
  const days = Number(values.days);
  if ([recordings, storeId, bucket, accessKey, secretKey].includes('')) return 'wrong';
  if (!ENDPOINT.test(endpoint) || !Number.isInteger(days) || days < 1) return 'wrong';
  const isPathStyle = !values['virtual-host'];
  const access = { storeId, endpoint, region, bucket, isPathStyle, accessKey, secretKey, prefix };
  return { recordings: resolve(recordings), access, days };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
