// Attack: PostgreSQL is frozen; calls, a page and a socket must still be answered.
import { processesBelow } from '../harness/processes.ts';
import type { AttackTarget, AttackResult } from './attack.ts';

/** Ten seconds, and a moment for the way. */
const WITHIN_MS = 10_500;
const PATHS = ['device/list', 'org/resource/list', 'alarm/list', 'layout/list', 'account/notice/list'] as const;

export async function frozenDatabase({ url, owner, launcherPid }: AttackTarget): Promise<AttackResult> {
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
  const broken = Object.entries(took).flatMap(([name, ms]) => (ms > WITHIN_MS ? [`${name} took ${ms} ms`] : []));
  const tried = `${postgres.length} processes of the database stopped under ${PATHS.length} calls and a page`;
  return { ...about, tried, ownerSaw: took, broken };
}
