// Program that seals the files of a site's state with another master key, and prints as one JSON object how many.
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { readMasterKey } from './process/environment.ts';
import { SEALED_FILES } from './state/sealed-files.ts';
import { SealedFile } from './state/sealed-file.ts';

const { VEDETTE_DATA: data = '', VEDETTE_KEY: from, VEDETTE_NEW_KEY: to } = process.env;
const folder = join(data, 'site');
const keys = { from: readMasterKey(from, data), to: readMasterKey(to, data) };
const disk = createDisk();
const unreadable: string[] = [];
let count = 0;
for (const [purpose, name] of Object.entries(SEALED_FILES)) {
  const path = join(folder, name);
  const next = new SealedFile({ disk, path, masterKey: keys.to, purpose });
  const isDone = await opened(next);
  if (isDone.value !== null) count += 1;
  if (!isDone.isThere || isDone.value !== null) continue;
  const { value } = await opened(new SealedFile({ disk, path, masterKey: keys.from, purpose }));
  if (value === null) unreadable.push(`site/${name}`);
  else {
    await next.write(value);
    count += 1;
  }
}
process.stdout.write(`${JSON.stringify({ event: 'resealed', count, unreadable })}\n`);

/** A value of null: no file, or one of another key. */
async function opened(file: SealedFile): Promise<{ isThere: boolean; value: unknown }> {
  let isSealedOtherwise = false;
  const value = await file.read(() => {
    isSealedOtherwise = true;
  });
  return { isThere: value !== null || isSealedOtherwise, value };
}
