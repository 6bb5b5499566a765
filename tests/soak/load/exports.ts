// Exports of what was just recorded: written, downloaded over TLS, compared with their checksum, and removed.
import { createHash } from 'node:crypto';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { again, oneOf, type SoakWorld } from '../world.ts';

const EVERY_MS = 20_000;
const LENGTH_MS = 20_000;
/** What is not on the disk yet. */
const BEHIND_MS = 10_000;
const DONE_MS = 60_000;

export async function exportOften(world: SoakWorld, done: { total: number }): Promise<void> {
  // Until so much is recorded.
  await wait(systemClock, LENGTH_MS + BEHIND_MS, world.signal);
  await again(
    world,
    'an export',
    () => EVERY_MS,
    async () => {
      await exportOnce(world);
      done.total += 1;
    },
  );
}

async function exportOnce({ operator, cameras, random, url }: SoakWorld): Promise<void> {
  const endTime = Date.now() - BEHIND_MS;
  const item = { ...oneOf(cameras, random), startTime: endTime - LENGTH_MS, endTime };
  const { task } = await operator.ok('record/export/start', { items: [item] });
  const finished = await waitFor(
    'an export to end',
    async () => {
      const status = await operator.ok('record/export/status', { task });
      return status.state === 'finished' || status.state === 'failed' ? status : undefined;
    },
    DONE_MS,
  );
  if (finished.state === 'failed') throw new Error(`it failed with ${finished.code}`);
  const answer = await fetch(new URL(finished.url, url));
  const sha256 = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
  if (sha256 !== finished.sha256) throw new Error(`its download of ${answer.status} has another checksum`);
  await operator.ok('record/export/cancel', { task });
}
