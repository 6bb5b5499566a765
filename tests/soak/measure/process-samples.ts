// Memory, handles, sockets and threads of every process of a product's own tree, summed by what they run.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { processesBelow } from '../../harness/processes.ts';
import type { SampleBook } from './sample-book.ts';

export interface ProcessFigures {
  /** Shared pages counted once. */
  readonly pssMb: number;
  /** Of these what is no shared memory: PostgreSQL's cache of a fixed size fills slowly. */
  readonly ownMb: number;
  readonly rssMb: number;
  readonly handles: number;
  readonly sockets: number;
  readonly threads: number;
}

const NONE: ProcessFigures = { pssMb: 0, ownMb: 0, rssMb: 0, handles: 0, sockets: 0, threads: 0 };

/** A role's life is that of its topmost process; those of helpers are short and compared with nothing. */
export async function sampleProcesses(launcherPid: number, book: SampleBook): Promise<void> {
  const roles = new Map<string, { life: string; figures: ProcessFigures; count: number }>();
  const found = [{ pid: launcherPid, command: 'main-launcher.js' }, ...(await processesBelow(launcherPid))];
  for (const { pid, command } of found) {
    const figures = await figuresOf(pid);
    if (figures === null) continue;
    const role = roleOf(command);
    const known = roles.get(role) ?? { life: String(pid), figures: NONE, count: 0 };
    roles.set(role, { ...known, figures: sum(known.figures, figures), count: known.count + 1 });
  }
  for (const [role, { life, figures, count }] of roles) {
    for (const [measure, value] of Object.entries(figures)) book.note(`${measure}/${role}`, value, life);
    book.note(`processes/${role}`, count, life);
  }
}

/** `site` for `node … site/main-site.ts`, `postgres` for a backend that calls itself `postgres: vedette …`. */
export function roleOf(command: string): string {
  const entry = /\bmain-([\w-]+)\.(?:ts|js)\b/.exec(command)?.[1];
  return entry ?? basename((command.split(' ')[0] ?? '').replace(/:$/, ''));
}

function sum(one: ProcessFigures, other: ProcessFigures): ProcessFigures {
  return {
    pssMb: one.pssMb + other.pssMb,
    ownMb: one.ownMb + other.ownMb,
    rssMb: one.rssMb + other.rssMb,
    handles: one.handles + other.handles,
    sockets: one.sockets + other.sockets,
    threads: one.threads + other.threads,
  };
}

/** Null for one that ended meanwhile. */
async function figuresOf(pid: number): Promise<ProcessFigures | null> {
  try {
    const [rollup, status, handles] = await Promise.all([
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
      readdir(`/proc/${pid}/fd`),
    ]);
    const targets = await Promise.all(handles.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    const pssMb = kilobytes(rollup, 'Pss') / 1024;
    return {
      pssMb,
      ownMb: pssMb - kilobytes(rollup, 'Pss_Shmem') / 1024,
      rssMb: kilobytes(rollup, 'Rss') / 1024,
      handles: handles.length,
      sockets: targets.filter((target) => target.startsWith('socket:')).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}
