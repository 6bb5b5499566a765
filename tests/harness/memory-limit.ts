// Memory limit for some processes by cgroup v1 or v2 (root alone), which makes the kernel kill one of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from './wait-for.ts';

interface Controller {
  readonly root: string;
  readonly limitFile: string;
}

const controller = findController();
export const canLimitMemory = controller !== null && canMake(controller);

/** What runs out of memory beside the victim. */
const HOG = 'const all = []; setInterval(() => all.push(Buffer.alloc(4e6, 1)), 5)';

export class MemoryLimit {
  readonly #folder: string;
  #hog: ChildProcess | null = null;

  constructor(megabytes: number) {
    if (!controller) throw new Error('no memory controller');
    this.#folder = join(controller.root, `vedette-${process.pid}-${performance.now()}`);
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, controller.limitFile), String(megabytes * 1024 * 1024));
  }

  /** Fills the cage with another process until the kernel must kill; `pid` is the one it is to choose. */
  squeeze(pid: number): void {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
    this.#hog = spawn(process.execPath, ['-e', HOG], { stdio: 'ignore' });
    for (const one of [pid, this.#hog.pid]) writeFileSync(join(this.#folder, 'cgroup.procs'), String(one));
  }

  async remove(): Promise<void> {
    this.#hog?.kill('SIGKILL');
    // A killed process leaves the cage only once it is gone.
    await waitFor('the cage to be empty', () => {
      if (readFileSync(join(this.#folder, 'cgroup.procs'), 'utf8') !== '') return false;
      rmdirSync(this.#folder);
      return true;
    });
  }
}

function findController(): Controller | null {
  const root = '/sys/fs/cgroup';
  if (existsSync(join(root, 'memory', 'memory.limit_in_bytes')))
    return { root: join(root, 'memory'), limitFile: 'memory.limit_in_bytes' };
  const shared = join(root, 'cgroup.subtree_control');
  const isShared = existsSync(shared) && readFileSync(shared, 'utf8').includes('memory');
  return isShared ? { root, limitFile: 'memory.max' } : null;
}

function canMake({ root }: Controller): boolean {
  const folder = join(root, `vedette-try-${process.pid}`);
  try {
    mkdirSync(folder);
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
