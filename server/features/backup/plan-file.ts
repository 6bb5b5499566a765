// The plan of the backups in the data folder: the launcher reads it there before there is a database (launcher/backup/console-plan.js).
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupTarget } from '@vedette/contract/calls/backup-plan.ts';
import { BACKUP_LIMITS } from '@vedette/contract/limits.ts';
import { z } from 'zod';

/** In `keys/`, which is in no backup: a trial restore takes no backups into the place of the original. */
const FILE = join('keys', 'backup-plan.json');

const StoredPlan = z.object({
  version: z.number().int(),
  target: BackupTarget,
  hours: z.number().int(),
  keep: z.number().int(),
  /** Base64 of a sealed box, bound to its destination (`sealedFor`); null without a bucket. */
  secret: z.string().nullable(),
});
export type StoredPlan = z.infer<typeof StoredPlan>;

const UNPLANNED: StoredPlan = {
  version: 0,
  target: { kind: 'none' },
  hours: BACKUP_LIMITS.usualHours,
  keep: BACKUP_LIMITS.usualKeep,
  secret: null,
};

/** A file that nobody can read is an error: saving would lose what it says. */
export async function readPlan(dataFolder: string): Promise<StoredPlan> {
  try {
    return StoredPlan.parse(JSON.parse(await readFile(join(dataFolder, FILE), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return UNPLANNED;
    throw error;
  }
}

export async function writePlan(dataFolder: string, plan: StoredPlan): Promise<void> {
  const file = join(dataFolder, FILE);
  // Not there where the operator keeps the master key elsewhere (VEDETTE_KEY).
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.new`;
  await writeFile(aside, `${JSON.stringify(plan)}\n`, { mode: 0o600, flush: true });
  await chmod(aside, 0o600);
  await rename(aside, file);
}

/** What the secret key is sealed with: a plan that somebody edits sends it nowhere else. */
export function sealedFor({ endpoint, bucket }: { readonly endpoint: string; readonly bucket: string }): string {
  return `backup plan ${endpoint} ${bucket}`;
}
