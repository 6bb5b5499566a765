// Names this process so that no other ever bears the name, and tells whether a named one surely runs no more (Linux /proc).
import { readFile, readlink } from 'node:fs/promises';
import type { WriterFacts } from '@vedette/media/recordings/writer-lease.ts';

/** Boot, process namespace, process id, start in clock ticks since boot: proc(5), field 22 of stat. */
export async function processIdentity(): Promise<WriterFacts> {
  const [boot, space] = await Promise.all([bootId(), readlink('/proc/self/ns/pid')]);
  const place = `${boot} ${space}`;
  return {
    self: `${place} ${process.pid} ${await startOf(process.pid)}`,
    isGone: async (text) => {
      const [pid, start] = text.startsWith(`${place} `) ? text.slice(place.length + 1).split(' ') : [];
      // Another boot, container or machine: nothing can be said.
      if (pid === undefined || start === undefined) return false;
      return (await startOf(Number(pid))) !== start;
    },
  };
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** Empty when there is no such process. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; fields are counted behind it. A zombie runs no more.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
