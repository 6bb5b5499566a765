// Tests of the real disk: a folder is removed with what comes into it meanwhile.
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDisk } from './disk.ts';

const FILES = 200;

it('removes a folder into which files are still written', async () => {
  const disk = createDisk();
  for (let round = 0; round < 8; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    await Promise.all(Array.from({ length: FILES }, (_, at) => writeFile(join(folder, `old ${at}`), 'x')));
    let written = 0;
    const writing = (async () => {
      // Ends with the folder.
      for (; written < FILES; written += 1) await writeFile(join(folder, `new ${written}`), 'x');
    })().catch(() => undefined);
    await disk.removeTree(folder);
    await writing;
    await disk.removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  }
});
