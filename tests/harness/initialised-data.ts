// A data folder as the first start without a demo leaves it, made once for all tests and copied: to initialise a database cluster costs more than the rest of a start.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgres } from '../../launcher/postgres/binaries.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const KEPT = join(ROOT, '.vedette');

/** Copies it to `target`; `initialise` starts the product once on an empty folder and ends it again, where no copy is kept yet. */
export async function copyInitialisedData(target: string, initialise: (data: string) => Promise<void>): Promise<void> {
  const kept = join(KEPT, `initialised-data-${await fingerprint()}`);
  if (!existsSync(kept)) await make(kept, initialise);
  await cp(kept, target, { recursive: true });
}

async function make(kept: string, initialise: (data: string) => Promise<void>): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  const aside = await mkdtemp(join(KEPT, 'initialising-'));
  await initialise(join(aside, 'data'));
  try {
    await rename(join(aside, 'data'), kept);
  } catch (error) {
    // Another file of tests was earlier.
    if (!existsSync(kept)) throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Changes with the build of PostgreSQL and the migrations; what else changes a start takes as data of an earlier version. */
async function fingerprint(): Promise<string> {
  const { folder } = findPostgres(ROOT);
  const { size, mtimeMs } = await stat(join(folder, 'bin', 'postgres'));
  const migrations = await readdir(join(ROOT, 'server', 'database', 'migrations'));
  return createHash('sha256')
    .update(JSON.stringify([size, mtimeMs, migrations.sort()]))
    .digest('hex')
    .slice(0, 16);
}
