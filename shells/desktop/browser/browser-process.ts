// The installed Chromium, Chrome or Edge as a process of the shell, with a profile of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { DevtoolsEvent } from './devtools-events.ts';
import { DevtoolsPipe } from './devtools-pipe.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--hide-crash-restore-bubble',
  // A wall of cameras starts without a click.
  '--autoplay-policy=no-user-gesture-required',
];

export interface BrowserOptions {
  readonly program: string;
  readonly profile: string;
  /** SHA-256 of the public key of a server whose certificate no authority vouches for, base64; null: authorities alone. */
  readonly pin: string | null;
}

/** The first of the known browsers that the search path has; null where there is none. */
export function findBrowser(searchPath: string): string | null {
  const files = PROGRAMS.flatMap((name) => searchPath.split(path.delimiter).map((folder) => path.join(folder, name)));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export class BrowserProcess {
  readonly devtools: DevtoolsPipe;
  readonly #process: ChildProcess;
  readonly #options: BrowserOptions;

  /** `onEnd` is called once, however the browser ends. It ends by itself when the shell does: its pipe closes then. */
  constructor(options: BrowserOptions, onEvent: (event: DevtoolsEvent) => void, onEnd: () => void) {
    this.#options = options;
    this.#process = spawn(options.program, [...argsOf(options), '--remote-debugging-pipe', '--no-startup-window'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const [, , , toBrowser, fromBrowser] = this.#process.stdio;
    this.devtools = new DevtoolsPipe(toBrowser as Writable, fromBrowser as Readable, onEvent);
    this.#process.once('error', onEnd);
    this.#process.once('exit', onEnd);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** A window without tabs and address bar. A second start with the same profile is handed to the running browser, and ends at once. */
  openWindow(url: string): void {
    const child = spawn(this.#options.program, [...argsOf(this.#options), `--app=${url}`], { stdio: 'ignore' });
    // The running browser has ended meanwhile, which `onEnd` tells.
    child.on('error', () => undefined);
  }
}

function argsOf({ profile, pin }: BrowserOptions): string[] {
  const trusted = pin === null ? [] : [`--ignore-certificate-errors-spki-list=${pin}`];
  return [`--user-data-dir=${profile}`, ...FLAGS, ...trusted];
}
