// CPU time and memory of whole process trees, read from /proc (Linux).
import { readdirSync, readFileSync } from 'node:fs';

export interface TreeUsage {
  /** CPU seconds used so far by the processes that are alive. */
  readonly cpuS: number;
  /** Proportional set size in MiB: shared pages counted once. */
  readonly pssMiB: number;
  readonly processes: number;
}

/** USER_HZ of every Linux platform that Node runs on. */
const TICKS_PER_SECOND = 100;

/** @param withRoot false leaves out the process at the top, which only holds the others */
export function treeUsage(rootPid: number, withRoot = true): TreeUsage {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statFields(Number(name));
    if (fields) parents.set(Number(name), Number(fields[1]));
  }
  const pids = [rootPid];
  for (const pid of pids) for (const [child, parent] of parents) if (parent === pid) pids.push(child);
  return pids.slice(withRoot ? 0 : 1).reduce(
    (sum, pid) => ({
      cpuS: sum.cpuS + cpuSeconds(pid),
      pssMiB: sum.pssMiB + pssMiB(pid),
      processes: sum.processes + 1,
    }),
    { cpuS: 0, pssMiB: 0, processes: 0 },
  );
}

function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND : 0;
}

function pssMiB(pid: number): number {
  const rollup = readOrNull(`/proc/${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup ?? '')?.[1] ?? 0) / 1024;
}

/** Fields after the command name: state, parent, … (proc(5)). */
function statFields(pid: number): string[] | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
