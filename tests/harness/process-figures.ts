// What a process of the product costs while it is attacked: its memory, and how long its callers wait.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Resident now, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export interface Figures {
  /** Beyond what was resident at the start. */
  readonly addedMb: number;
  readonly p95Ms: number;
}

/** As many calls follow each other at once; where work takes longer, the others leave what is measured its core. */
const AT_ONCE = 200;
const PAUSE_MS = 20;

/** Calls again and again while `work` runs, ten times at least. */
export async function figuresDuring(
  pid: number,
  call: () => Promise<unknown>,
  work: Promise<unknown>,
): Promise<Figures> {
  const beforeMb = await residentMb(pid);
  let mostMb = beforeMb;
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  // Its failure is told below.
  ended.catch(() => undefined);
  const times: number[] = [];
  while (!isOver || times.length < 10) {
    const startedMs = performance.now();
    await call();
    times.push(performance.now() - startedMs);
    mostMb = Math.max(mostMb, await residentMb(pid));
    if (times.length > AT_ONCE) await pause(PAUSE_MS);
  }
  await ended;
  times.sort((one, other) => one - other);
  return { addedMb: mostMb - beforeMb, p95Ms: Math.round(times[Math.floor(times.length * 0.95)] ?? 0) };
}
