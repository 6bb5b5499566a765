// Starts ffmpeg, the media engine's one external program: over pipes, at low priority, without our environment or secrets.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export interface FfmpegExit {
  /** Null if it was killed by a signal or did not start. */
  readonly code: number | null;
  /** End of its standard error. */
  readonly stderrTail: string;
}

/** A running process. It exits when its input ends, also if we are killed, since the kernel then closes the pipe. */
export interface FfmpegProcess {
  readonly pid: number | undefined;
  readonly input: Writable;
  readonly output: Readable;
  /** Never rejects. */
  readonly ended: Promise<FfmpegExit>;
  /** SIGKILL, with all that it started: it has no state to save. */
  kill(): void;
}

export interface FfmpegPlace {
  /** Where it finds files that its arguments name; our own folder otherwise. */
  readonly folder?: string;
  /** Text that it reads at FFMPEG_SECRETS: what no argument may say, since every user of the machine sees arguments. */
  readonly secrets?: string;
}

export type StartFfmpeg = (args: readonly string[], place?: FfmpegPlace) => FfmpegProcess;

/** Its third descriptor is the first that we may choose. */
export const FFMPEG_SECRETS = '/dev/fd/3';

/** Lower priority than live video and recording. */
const NICENESS = 10;
const STDERR_TAIL_CHARS = 1000;
const MEMORY_FOLDER = '/dev/shm';

/** The path of an executable file, or null; `searchPath` is the value of PATH. */
export function findFfmpeg(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
  return null;
}

/** `searchPath` is its only environment variable. */
export function ffmpegStarter(path: string, searchPath: string): StartFfmpeg {
  const env = { PATH: searchPath };
  return (args, { folder, secrets } = {}) => {
    // A group of its own, so that what it may have started ends with it.
    const options = { env, cwd: folder, windowsHide: true, detached: true } as const;
    const descriptor = secrets === undefined ? null : descriptorOf(secrets);
    const more = descriptor === null ? [] : [descriptor];
    const child = spawn(path, args, { ...options, stdio: ['pipe', 'pipe', 'pipe', ...more] }) as MediaProcess;
    if (descriptor !== null) closeSync(descriptor);
    lower(child.pid);
    return {
      pid: child.pid,
      input: child.stdin,
      output: child.stdout,
      ended: endOf(child),
      kill: () => killGroup(child.pid),
    };
  };
}

/** With pipes at its three usual descriptors. */
type MediaProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** In memory where the system has a place for that; its file has no name by the time anyone could look for it. */
function descriptorOf(text: string): number {
  const folder = mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'vedette-'));
  try {
    const descriptor = openSync(join(folder, 'secrets'), 'wx+', 0o600);
    // At a place of its own: who gets the descriptor reads from the start.
    writeSync(descriptor, text, 0);
    return descriptor;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All of it has exited already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function lower(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch (error) {
    // It may have exited already.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function endOf(child: MediaProcess): Promise<FfmpegExit> {
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-STDERR_TAIL_CHARS);
  });
  // Write errors are ignored: the exit of the process says enough.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, stderrTail: error.message }));
    child.once('close', (code) => resolve({ code, stderrTail: lastWords.trim() }));
  });
}
