// Starts the analyst: at low priority, without environment or sockets, allowed to read the program, its runtime and its model and nothing else.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Readable, Writable } from 'node:stream';

export interface AnalystChild {
  readonly pid: number | undefined;
  readonly input: Writable;
  readonly output: Readable;
  /** With its exit code; null where it was killed or did not start. Never rejects. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

export type SpawnAnalyst = (runtimeFolder: string, modelFolder: string) => AnalystChild;

/** Recording and live video come first. */
const NICENESS = 15;
const ENTRY = fileURLToPath(new URL('../analyst/main-analyst.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url));

export const spawnAnalyst: SpawnAnalyst = (runtimeFolder, modelFolder) => {
  // An addon is not held by these flags: they stop what a model may make the runtime read, as far as it reads through Node.
  const allowed = [PROGRAM, runtimeFolder, modelFolder].map((folder) => `--allow-fs-read=${folder}`);
  const flags = ['--permission', '--allow-addons', ...allowed, '--no-warnings', '--max-semi-space-size=4'];
  const child = spawn(process.execPath, [...flags, ENTRY, runtimeFolder, modelFolder], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    windowsHide: true,
  });
  lower(child.pid);
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('error', () => resolve(null)).on('exit', resolve);
  // Its end says enough.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid,
    input: child.stdin,
    output: child.stdout,
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
};

function lower(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch (error) {
    // It may have exited already.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
