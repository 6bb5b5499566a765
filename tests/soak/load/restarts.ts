// Restarts the parts of the product when their time has come, and notes until when each was back.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { findProcess } from '../../harness/processes.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { type PlannedRestart, plannedRestarts, type RestartedPart } from '../outages.ts';
import type { SoakWorld } from '../world.ts';

const ENTRIES: Readonly<Record<RestartedPart, string>> = {
  site: 'site/main-site.ts',
  gateway: 'gateway/main-gateway.ts',
  server: 'server/main-server.ts',
};
const BACK_MS = 120_000;

export async function restartParts(world: SoakWorld, startedMs: number): Promise<void> {
  for (const planned of plannedRestarts(world.options.ms)) {
    await wait(systemClock, startedMs + planned.atMs - performance.now(), world.signal);
    if (world.signal.aborted) return;
    await restart(world, planned);
  }
}

async function restart(world: SoakWorld, { part, signal }: PlannedRestart): Promise<void> {
  const launcher = world.product.process.pid ?? 0;
  const victim = await findProcess(launcher, ENTRIES[part]);
  const outage = world.outages.begin(part);
  process.kill(victim.pid, signal);
  const isBack = async (): Promise<boolean> =>
    (await findProcess(launcher, ENTRIES[part])).pid !== victim.pid && (await playing(world)) >= world.cameras.length;
  const failure = await waitFor(`the ${part} to be back`, isBack, BACK_MS).then(
    () => null,
    (error: unknown) => error,
  );
  outage.toMs = Date.now();
  world.book.note(`backMs/${part}`, outage.toMs - outage.fromMs);
  if (failure !== null) world.troubles.insist(`a restart of the ${part}`, failure);
}

/** Cameras that give pictures. */
export async function playing({ operator }: Pick<SoakWorld, 'operator'>): Promise<number> {
  const { siteOnline, streamList } = await operator.ok('system/health', {});
  const serials = streamList.filter(({ state }) => state === 'playing').map(({ deviceSerial }) => deviceSerial);
  return siteOnline ? new Set(serials).size : 0;
}
