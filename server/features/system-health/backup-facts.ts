// How the last backups of this installation went, as its launcher wrote it down (launcher/backup/backup-state.js).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SlowFacts } from './health-entries.ts';

const BackupState = z.object({
  everyMs: z.number().nullable(),
  good: z.object({ at: z.number(), bytes: z.number() }).nullable(),
  failed: z.object({ at: z.number() }).nullable(),
});

/** Nothing is known of backups where the file is absent or unreadable. */
export async function backupFacts(dataFolder: string): Promise<SlowFacts['backup']> {
  const state = BackupState.safeParse(await readJson(join(dataFolder, 'backup.json')));
  if (!state.success) return { everyMs: null, goodAt: null, hasFailed: false, bytes: null };
  const { everyMs, good, failed } = state.data;
  return { everyMs, goodAt: good?.at ?? null, hasFailed: failed !== null, bytes: good?.bytes ?? null };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // absent before the first backup
  }
}
