// How the last backups of this installation went, as its launcher wrote it down (launcher/backup/backup-state.js), and asking it for one.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SlowFacts } from './health-entries.ts';

const BackupState = z.object({
  everyMs: z.number().nullable(),
  good: z.object({ at: z.number(), bytes: z.number() }).nullable(),
  failed: z.object({ at: z.number() }).nullable(),
  check: z.object({ at: z.number(), failure: z.string().nullable() }).nullable().default(null),
});

/** Nothing is known of backups where the file is absent or unreadable. */
export async function backupFacts(dataFolder: string): Promise<SlowFacts['backup']> {
  const state = BackupState.safeParse(await readJson(join(dataFolder, 'backup.json')));
  if (!state.success)
    return { everyMs: null, goodAt: null, hasFailed: false, bytes: null, checkedAt: null, hasCheckFailed: false };
  const { everyMs, good, failed, check } = state.data;
  const hasCheckFailed = check !== null && check.failure !== null;
  return {
    everyMs,
    goodAt: good?.at ?? null,
    hasFailed: failed !== null,
    bytes: good?.bytes ?? null,
    checkedAt: hasCheckFailed ? null : (check?.at ?? null),
    hasCheckFailed,
  };
}

/** The launcher looks for it every few seconds (launcher/backup/backup-schedule.js). */
const REQUEST = 'backup.request';

/** Answers whether somebody is there to take one: a folder for backups was named at the start. */
export async function requestBackup(dataFolder: string): Promise<boolean> {
  if ((await backupFacts(dataFolder)).everyMs === null) return false;
  await writeFile(join(dataFolder, REQUEST), '');
  return true;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // absent before the first backup
  }
}
