// Clusters of the embedded PostgreSQL that are made once and copied ever after: initdb takes ten times as long.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres } from '../../launcher/postgres/binaries.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];

export function postgresCommand(program: string, args: readonly string[]): string[] {
  const { folder, prefix } = findPostgres(ROOT);
  return [...prefix, join(folder, 'bin', program), ...args];
}

/** As initdb leaves it. */
export function emptyCluster(): Promise<string> {
  return keptCluster(`empty-cluster-${buildOfPostgres()}`, (aside) => {
    const made = ['-D', aside, '-U', 'vedette', '--auth=trust', '-N', ...LOCALE];
    const [initdb = '', ...args] = postgresCommand('initdb', made);
    const { status, stderr } = spawnSync(initdb, args, { cwd: '/', encoding: 'utf8' });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  });
}

/** `data` may not be there yet. */
export function copyCluster(cluster: string, data: string): void {
  cpSync(cluster, data, { recursive: true });
  // PostgreSQL takes no folder that others may read.
  chmodSync(data, 0o700);
}

export function buildOfPostgres(): string {
  const { size, mtimeMs } = statSync(join(findPostgres(ROOT).folder, 'bin', 'postgres'));
  return `${size}-${Math.trunc(mtimeMs)}`;
}

/** Of this name, kept for later runs; where it lacks, `make` fills a new folder. */
export async function keptCluster(name: string, make: (aside: string) => Promise<void> | void): Promise<string> {
  const place = join(ROOT, '.vedette', name);
  if (existsSync(place)) return place;
  mkdirSync(join(ROOT, '.vedette'), { recursive: true });
  const aside = mkdtempSync(`${place}-`);
  await make(aside);
  try {
    renameSync(aside, place);
  } catch {
    // Another file of tests made it meanwhile.
    rmSync(aside, { recursive: true, force: true });
  }
  return place;
}
