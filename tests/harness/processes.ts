// Processes below a running product, found in /proc, so that tests can kill them one by one.
import { readdir, readFile } from 'node:fs/promises';

export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process below `rootPid`, at any depth. */
export async function processesBelow(rootPid: number): Promise<FoundProcess[]> {
  const all = await everyProcess();
  const below: FoundProcess[] = [];
  let parents = new Set([rootPid]);
  while (parents.size > 0) {
    const found = all.filter((process) => parents.has(process.parent));
    below.push(...found);
    parents = new Set(found.map((process) => process.pid));
  }
  return below;
}

/** The one process below `rootPid` whose command line has `part`. */
export async function findProcess(rootPid: number, part: string): Promise<FoundProcess> {
  const found = (await processesBelow(rootPid)).find((process) => process.command.includes(part));
  if (!found) throw new Error(`nothing below ${rootPid} runs ${part}`);
  return found;
}

/** Every process whose command line has `part`, whoever its parent is. */
export async function processesNaming(part: string): Promise<FoundProcess[]> {
  return (await everyProcess()).filter(({ command }) => command.includes(part));
}

async function everyProcess(): Promise<FoundProcess[]> {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(entries.map((name) => readProcess(Number(name))));
  return read.filter((process) => process !== null);
}

async function readProcess(pid: number): Promise<FoundProcess | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The parent is the second field after the command name, which may itself hold spaces and brackets.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, parent, command: command.replaceAll('\0', ' ').trim() };
  } catch (error) {
    // It ended between the listing and the reading.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return null;
    throw error;
  }
}
