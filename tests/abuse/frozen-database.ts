// Attack: PostgreSQL is frozen; calls and a page must still be answered, and changes made again once it goes on.
import { processesBelow } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { AttackTarget, AttackResult } from './attack.ts';
import { newTenant } from './tenants.ts';

/** Ten seconds, and a moment for the way. */
const WITHIN_MS = 10_500;
const PATHS = ['device/list', 'org/resource/list', 'alarm/list', 'layout/list', 'account/notice/list'] as const;

export async function frozenDatabase(place: AttackTarget): Promise<AttackResult> {
  const { url, owner, launcherPid } = place;
  const about = { name: 'frozen-database', memoryMB: null, p95Ms: null } as const;
  if (launcherPid === null) return { ...about, tried: 'nothing: not on this machine', ownerSaw: {}, broken: [] };
  const postgres = (await processesBelow(launcherPid)).filter(({ command }) => command.includes('postgres'));
  const took: Record<string, number> = {};
  const timed = async (name: string, what: Promise<unknown>): Promise<void> => {
    const from = performance.now();
    await what.catch(() => undefined);
    took[name] = Math.round(performance.now() - from);
  };
  for (const { pid } of postgres) process.kill(pid, 'SIGSTOP');
  try {
    await Promise.all([...PATHS.map((path) => timed(path, owner.raw(path, {}))), timed('page', fetch(`${url}/login`))]);
  } finally {
    for (const { pid } of postgres) process.kill(pid, 'SIGCONT');
  }
  await timed(
    'change after it',
    waitFor('a change to be made again', () => newTenant(place), WITHIN_MS),
  );
  const broken = Object.entries(took).flatMap(([name, ms]) => (ms > WITHIN_MS ? [`${name} took ${ms} ms`] : []));
  const tried = `${postgres.length} processes of the database stopped under ${PATHS.length} calls and a page`;
  return { ...about, tried, ownerSaw: took, broken };
}
