// Starts ffmpeg, the media engine's one external program: over pipes, at low priority, without our environment or secrets.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { setPriority } from 'node:os';
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

/** `folder`: where it finds files that its arguments name; our own folder otherwise. */
export type StartFfmpeg = (args: readonly string[], folder?: string) => FfmpegProcess;

/** Lower priority than live video and recording. */
const NICENESS = 10;
const STDERR_TAIL_CHARS = 1000;

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
  return (args, folder) => {
    // A group of its own, so that what it may have started ends with it.
    const options = { env, cwd: folder, windowsHide: true, detached: true } as const;
    const child = spawn(path, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
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

function endOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<FfmpegExit> {
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
