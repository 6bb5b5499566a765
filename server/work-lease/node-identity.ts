// Identity of this server among those of one database, kept in its data folder, so that a restarted server is known again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@vedette/foundation/random/ids.ts';

const FILE = 'node-id';
const FORM = /^[0-9a-f]{24}$/;

/** Made at the first start. A file that holds something else throws: a new identity would leave leases behind. */
export function nodeIdentity(dataFolder: string): string {
  const file = join(dataFolder, FILE);
  try {
    writeFileSync(file, `${newId()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const nodeId = readFileSync(file, 'utf8').trim();
  if (!FORM.test(nodeId))
    throw new Error(`${file} does not hold 24 hexadecimal digits; remove it to get a new identity`);
  return nodeId;
}
