// Entry of the recordings checker: a process of its own that verifies, and with --repair repairs, each folder of recordings.
import { join } from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { checkFolder } from '@vedette/media/recordings/check/check-folder.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { WriterLease } from '@vedette/media/recordings/writer-lease.ts';
import { AssignmentCache } from './state/assignment-cache.ts';
import { Copies } from './cloud-storage/copies.ts';
import { CHECK_USAGE, type CheckOptions, readCheckOptions } from './check-options.ts';
import { readMasterKey } from './process/environment.ts';
import { keepLease, takeLease } from './process/kept-lease.ts';
import { processIdentity } from './process/process-identity.ts';
import { disksOf } from './recording/site-storage.ts';
import { SealedFile } from './state/sealed-file.ts';

const disk = createDisk();
const clock = systemClock;
const options = readCheckOptions(process.argv.slice(2), process.env);
process.exitCode = typeof options === 'string' ? tellUsage(options) : await run(options);

function tellUsage(why: 'help' | 'wrong'): number {
  (why === 'help' ? process.stdout : process.stderr).write(`${CHECK_USAGE}\n`);
  return why === 'help' ? 0 : 2;
}

async function run({ data, recordings, isRepairing }: CheckOptions): Promise<number> {
  let worst = 0;
  // One that is away says nothing of the others.
  for (const folder of recordings === null ? await foldersOf(data) : [recordings])
    worst = Math.max(worst, await check(folder, isRepairing));
  return worst;
}

async function check(folder: string, isRepairing: boolean): Promise<number> {
  if ((await disk.identify(folder)) === null) return refuse(`there is no folder ${folder}`);
  const facts = await processIdentity();
  const lease = new WriterLease({ disk, folder, facts, monotonicMs: () => clock.monotonicMs() });
  const isInUse = await lease.isElsewhere();
  if (isRepairing && !(await takeLease(lease, clock))) return refuse(`a site records into ${folder}: stop it first`);
  const copies = new Copies(disk);
  const stop = isRepairing ? keepLease(lease, clock) : () => undefined;
  try {
    const summary = await checkFolder({
      disk,
      folder,
      isRepairing,
      isInUse: isInUse && !isRepairing,
      remoteFiles: async (day) => {
        await copies.load(day);
        return copies.remoteOf(day);
      },
      onFinding: ({ path, kinds, isRepaired }) => {
        process.stdout.write(`${isRepaired ? 'repaired' : 'found'} ${kinds.join(' ')} ${path}\n`);
      },
    });
    process.stdout.write(`${JSON.stringify({ folder, isInUse, ...summary })}\n`);
    return summary.found > summary.repaired ? 1 : 0;
  } finally {
    stop();
    if (isRepairing) await lease.release();
  }
}

function refuse(why: string): number {
  process.stderr.write(`${why}\n`);
  process.stdout.write(`${JSON.stringify({ refused: why })}\n`);
  return 2;
}

/** The folders of recordings in the site's last settings. */
async function foldersOf(data: string): Promise<readonly string[]> {
  const usual = join(data, 'recordings');
  const path = join(data, 'site', 'assignments.sealed');
  if ((await disk.sizeOf(path)) === null) return [usual];
  const masterKey = readMasterKey(process.env['VEDETTE_KEY'], data);
  const file = new SealedFile({ disk, path, masterKey, purpose: 'assignments' });
  const onFault = (error: unknown): void => {
    process.stderr.write(`the kept settings cannot be read: ${String(error)}\n`);
  };
  const cache = new AssignmentCache({ file, onFault });
  await cache.load();
  return disksOf(cache.settings, usual).map(({ folder }) => folder);
}
