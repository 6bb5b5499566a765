// Tries a folder for backups with a file of its own: write, read, delete, before anything depends on it.
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BackupFolderReason, StoreStep } from '@vedette/contract/enumerations.ts';
import { randomBytes, randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface FolderProbe {
  readonly step: StoreStep | null;
  readonly reason: BackupFolderReason | null;
}

const PROBE_BYTES = 4096;

/** The folder is not made: a disk that is not mounted would be taken for an empty one. */
export async function probeFolder(folder: string, dataFolder: string): Promise<FolderProbe> {
  const bytes = randomBytes(PROBE_BYTES);
  const own = join(folder, `probe-${randomHex(8)}`);
  const file = join(own, 'probe');
  const steps: readonly (readonly [StoreStep, () => Promise<BackupFolderReason | null>])[] = [
    ['write', () => writeOnce({ folder, own, file }, bytes, dataFolder)],
    ['read', async () => ((await readFile(file)).equals(bytes) ? null : 'folderFault')],
    ['delete', () => rm(own, { recursive: true }).then(() => null)],
  ];
  for (const [step, attempt] of steps) {
    const reason = await attempt().catch(reasonOf);
    if (reason === null) continue;
    if (step !== 'delete') await rm(own, { recursive: true, force: true }).catch(() => undefined); // the fault is told
    return { step, reason };
  }
  return { step: null, reason: null };
}

async function writeOnce(
  { folder, own, file }: { readonly folder: string; readonly own: string; readonly file: string },
  bytes: Buffer,
  dataFolder: string,
): Promise<BackupFolderReason | null> {
  if (!(await stat(folder)).isDirectory()) return 'folderAbsent';
  if (isInside(await realpath(folder), await realpath(dataFolder))) return 'folderInside';
  await mkdir(own, { mode: 0o700 });
  await writeFile(file, bytes, { mode: 0o600, flush: true });
  return null;
}

function isInside(folder: string, outer: string): boolean {
  const way = relative(outer, folder);
  return way === '' || !(way === '..' || way.startsWith('../'));
}

const BY_CODE: Readonly<Record<string, BackupFolderReason>> = {
  ENOENT: 'folderAbsent',
  ENOTDIR: 'folderAbsent',
  EACCES: 'folderDenied',
  EPERM: 'folderDenied',
  EROFS: 'folderDenied',
  ENOSPC: 'folderFull',
  EDQUOT: 'folderFull',
};

function reasonOf(error: unknown): BackupFolderReason {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return BY_CODE[code] ?? 'folderFault';
}
