// Reads what a process of this machine uses from Linux's /proc; null where there is none, or no such process.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ProcessUsage {
  /** Processor time since it started. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** Open files and sockets; null where they may not be read. */
  readonly handles: number | null;
}

/** proc(5) counts in hundredths of a second for programs, whatever the kernel's own tick. */
const TICK_MS = 10;
const KILOBYTE = 1024;
/** Fields of /proc/<pid>/stat after the name in brackets: utime and stime. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

export async function processUsage(pid: number): Promise<ProcessUsage | null> {
  const [stat, status] = await Promise.all([readProc(pid, 'stat'), readProc(pid, 'status')]);
  if (stat === null || status === null) return null;
  // The name in brackets may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { cpuMs: ticks * TICK_MS, residentBytes: resident * KILOBYTE, handles: await handlesOf(pid) };
}

/** Memory of its own alone: what PostgreSQL's processes share would count for each. */
export async function ownMemory(pid: number): Promise<number> {
  const status = await readProc(pid, 'status');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0) * KILOBYTE;
}

export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readProc(pid, join('task', String(pid), 'children'));
  return (text ?? '').split(' ').filter(Boolean).map(Number);
}

export async function commandOf(pid: number): Promise<string> {
  return (await readProc(pid, 'cmdline'))?.replaceAll('\0', ' ') ?? '';
}

/** The main process of the embedded database; null with a database of the operator's own. */
export async function postmasterOf(clusterFolder: string): Promise<number | null> {
  const text = await readOrNull(join(clusterFolder, 'postmaster.pid'));
  const pid = Number(text?.split('\n')[0]);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}

/** Free for programs, and all; null without /proc. */
export async function machineMemory(): Promise<{ freeBytes: number; totalBytes: number } | null> {
  const text = (await readOrNull('/proc/meminfo')) ?? '';
  const lines = new Map(text.split('\n').map((line) => [line.split(':')[0] ?? '', line]));
  const kilobytes = (name: string): number => Number(/\d+/.exec(lines.get(name) ?? '')?.[0] ?? 0);
  const totalBytes = kilobytes('MemTotal') * KILOBYTE;
  return totalBytes === 0 ? null : { freeBytes: kilobytes('MemAvailable') * KILOBYTE, totalBytes };
}

async function handlesOf(pid: number): Promise<number | null> {
  try {
    return (await readdir(`/proc/${pid}/fd`)).length;
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

function readProc(pid: number, name: string): Promise<string | null> {
  return readOrNull(join('/proc', String(pid), name));
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES', 'ENOTDIR'].includes(String(error.code))
  );
}
