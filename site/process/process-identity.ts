// Unique name of this process, and whether a named process has certainly ended (Linux /proc).
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { WriterFacts } from '@vedette/media/recordings/writer-lease.ts';

/** Machine, boot, process namespace, process id, start in clock ticks since boot: proc(5), field 22 of stat. */
export async function processIdentity(): Promise<WriterFacts> {
  const [machine, boot, space] = await Promise.all([machineId(), bootId(), readlink('/proc/self/ns/pid')]);
  return {
    self: [machine, boot, space, process.pid, await startOf(process.pid)].join(' '),
    isGone: async (text) => {
      const [itsMachine, itsBoot, itsSpace, pid, start] = text.split(' ');
      if (itsMachine !== machine || pid === undefined) return false;
      // A machine runs one boot at a time.
      if (itsBoot !== boot) return true;
      // Another container: unknown.
      return itsSpace === space && (await startOf(Number(pid))) !== start;
    },
  };
}

/** Includes the host name, since containers of one image share the rest. */
async function machineId(): Promise<string> {
  const id = await readFile('/etc/machine-id', 'utf8').catch((error: unknown) => {
    if (isAbsence(error)) return '';
    throw error;
  });
  return `${id.trim()}@${hostname()}`;
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** Empty when there is no such process. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything, so fields are counted after it. A zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '');
  } catch (error) {
    if (isAbsence(error)) return '';
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
