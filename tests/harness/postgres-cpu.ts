// CPU time of the processes of a test's PostgreSQL, including ended ones, from /proc.
import { readdir, readFile } from 'node:fs/promises';

/** Of Linux on every machine it runs on. */
const TICK_MS = 10;

/** `folder` as startTestDatabase made it: its postmaster's command line names it. */
export async function postgresCpuMs(folder: string): Promise<number> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess));
  const known = all.filter((one) => one !== null);
  const head = known.find(({ command }) => command.includes('postgres') && command.includes(folder));
  if (head === undefined) throw new Error('there is no PostgreSQL of this folder');
  return known
    .filter(({ pid, parent }) => pid === head.pid || parent === head.pid)
    .reduce((sum, one) => sum + one.own * TICK_MS + (one === head ? one.children * TICK_MS : 0), 0);
}

async function readProcess(name: string) {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${name}/stat`, 'utf8'),
      readFile(`/proc/${name}/cmdline`, 'utf8'),
    ]);
    // After the name in parentheses: state, parent … user, system, and those of ended children (proc(5)).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, ended = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) => fields[at]);
    return { pid: Number(name), parent, own: user + system, children: ended + endedSystem, command };
  } catch (error) {
    // It ended meanwhile.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
