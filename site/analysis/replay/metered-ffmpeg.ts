// Counts the processor time of the ffmpeg processes that are started through it.
import { readFileSync } from 'node:fs';
import { errorCode } from '@vedette/foundation/errors/error-message.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';

/** Of the times in /proc: always 100 a second (USER_HZ). */
const MS_PER_TICK = 10;
/** Fields of /proc/<pid>/stat behind the name, which may contain anything (proc(5): utime, stime). */
const [USER_FIELD, SYSTEM_FIELD] = [11, 12];

/** `onSpent` is told, in milliseconds, when a process has given all its output, and before it is killed. */
export function meteredFfmpeg(start: StartFfmpeg, onSpent: (cpuMs: number) => void): StartFfmpeg {
  return (args, folder) => {
    const tool = start(args, folder);
    let countedMs = 0;
    const count = (): void => {
      const cpuMs = cpuMsOf(tool.pid);
      if (cpuMs <= countedMs) return;
      onSpent(cpuMs - countedMs);
      countedMs = cpuMs;
    };
    tool.output.once('end', count);
    return {
      ...tool,
      kill: () => {
        count();
        tool.kill();
      },
    };
  };
}

/** 0 where it is over, and on systems without /proc, where no analyst runs. */
function cpuMsOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])) * MS_PER_TICK;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return 0;
    throw error;
  }
}
