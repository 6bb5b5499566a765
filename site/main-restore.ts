// Entry of the tool that brings the recordings of a lost site back from an object store.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { WriterLease } from '@vedette/media/recordings/writer-lease.ts';
import { Copies } from './cloud-storage/copies.ts';
import { StoreFault } from './cloud-storage/object-store.ts';
import { restoreFromStore } from './cloud-storage/restore-from-store.ts';
import { S3Store } from './cloud-storage/s3-store.ts';
import { storeSender } from './cloud-storage/store-request.ts';
import { operatorPolicy } from './core/operator-policy.ts';
import { keepLease, takeLease } from './process/kept-lease.ts';
import { processIdentity } from './process/process-identity.ts';
import { readRestoreOptions, RESTORE_USAGE, type RestoreOptions } from './restore-options.ts';

/** Whoever runs the tool names the store, at this machine too. */
const NAMED_NETWORKS = ['127.0.0.0/8', '::1/128'];

const disk = createDisk();
const clock = systemClock;
const options = readRestoreOptions(process.argv.slice(2), process.env);
process.exitCode = typeof options === 'string' ? tellUsage(options) : await run(options);

function tellUsage(why: 'help' | 'wrong'): number {
  (why === 'help' ? process.stdout : process.stderr).write(`${RESTORE_USAGE}\n`);
  return why === 'help' ? 0 : 2;
}

async function run({ recordings: folder, access, days }: RestoreOptions): Promise<number> {
  await disk.makeFolder(folder);
  const facts = await processIdentity();
  const lease = new WriterLease({ disk, folder, facts, monotonicMs: () => clock.monotonicMs() });
  if (!(await takeLease(lease, clock))) return refuse(`a site records into ${folder}: stop it first`);
  const stop = keepLease(lease, clock);
  const send = storeSender(() => operatorPolicy(NAMED_NETWORKS, new Set()));
  const store = new S3Store({ access, send, wallMs: () => clock.wallMs() });
  const { storeId, prefix } = access;
  try {
    const { signal } = new AbortController();
    const copies = new Copies(disk);
    const summary = await restoreFromStore({ disk, folder, store, storeId, prefix, days, copies, signal });
    process.stdout.write(`${JSON.stringify({ folder, ...summary })}\n`);
    return summary.incomplete > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof StoreFault) return refuse(`the store fails: ${error.reason}`);
    throw error;
  } finally {
    stop();
    await lease.release();
  }
}

function refuse(why: string): number {
  process.stderr.write(`${why}\n`);
  process.stdout.write(`${JSON.stringify({ refused: why })}\n`);
  return 2;
}
