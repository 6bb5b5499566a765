// Counts the processor time of the ffmpeg processes that are started through it.
import { readFileSync } from 'node:fs';
import { errorCode } from '@vedette/foundation/errors/error-message.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';

/** Of the times in /proc: always 100 a second (USER_HZ). */
const MS_PER_TICK = 10;
/** Fields of /proc/<pid>/stat behind the name, which may contain anything (proc(5): utime, stime). */
const [USER_FIELD, SYSTEM_FIELD] = [11, 12];
/** Between two looks at processes that run. */
const COUNT_EVERY_MS = 1000;

export class MeteredFfmpeg {
  readonly #start: StartFfmpeg;
  readonly #onSpent: (cpuMs: number) => void;
  /** One for each process that runs: adds what it took since it was last looked at. */
  readonly #meters = new Set<() => void>();
  #countedAt = Number.NEGATIVE_INFINITY;

  /** `onSpent` is told, in milliseconds, when a process has given all its output, before it is killed, and with `count`. */
  constructor(start: StartFfmpeg, onSpent: (cpuMs: number) => void) {
    this.#start = start;
    this.#onSpent = onSpent;
  }

  readonly start: StartFfmpeg = (args, place) => {
    const tool = this.#start(args, place);
    const meter = this.#meterOf(tool.pid);
    this.#meters.add(meter);
    tool.output.once('end', meter);
    void tool.ended.then(() => this.#meters.delete(meter));
    const kill = (): void => {
      meter();
      tool.kill();
    };
    return { ...tool, kill };
  };

  /** What runs on for hours is counted while it does: to be called often, looks once a second. `nowMs`: monotonic. */
  count(nowMs: number): void {
    if (nowMs - this.#countedAt < COUNT_EVERY_MS) return;
    this.#countedAt = nowMs;
    for (const meter of this.#meters) meter();
  }

  #meterOf(pid: number | undefined): () => void {
    let countedMs = 0;
    return () => {
      const cpuMs = cpuMsOf(pid);
      if (cpuMs <= countedMs) return;
      this.#onSpent(cpuMs - countedMs);
      countedMs = cpuMs;
    };
  }
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
