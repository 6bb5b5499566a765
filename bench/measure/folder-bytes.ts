// Total size of the files below a folder.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = names.map(async (name) => {
    const entry = await stat(join(folder, name)).catch(() => null); // renamed or rotated meanwhile
    return entry?.isFile() ? entry.size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
