// Tries a store of backups with a file of its own: write, read, list and remove, before anything depends on it.

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { StoreFault } from './store-fault.js';

const probeBytes = 4096;

/**
 * Rejects with what the store refuses; leaves nothing behind unless removing is what fails.
 * @param {import('./backup-store.js').BackupStore} store
 */
export async function probeStore(store) {
  const bytes = randomBytes(probeBytes);
  const folder = `probe-${randomBytes(8).toString('hex')}`;
  await store.write(`${folder}/probe`, [bytes]);
  try {
    const read = await buffer(store.read(`${folder}/probe`));
    const [listed] = await store.files(folder);
    if (!read.equals(bytes) || listed?.bytes !== probeBytes)
      throw new StoreFault('differs', 'gives back something else than was written');
  } finally {
    await store.removeFolder(folder);
  }
  if (await store.has(`${folder}/probe`)) throw new StoreFault('differs', 'keeps what was removed');
}
