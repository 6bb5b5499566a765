// The desktop shell and the GTK shell as an ordinary user on a screen of its own (Xvfb, openbox), driven by its lines of JSON.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from './wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SHOTS = process.env['VEDETTE_SHOTS'];
/** Chromium keeps its sandbox for ordinary users alone: where tests run as root the shell runs as nobody. */
const NOBODY = 65_534;
export const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export interface ShellEvent {
  readonly event: string;
  readonly topic?: string;
  readonly data?: unknown;
  readonly window?: number;
  readonly tag?: number;
  readonly code?: number;
  readonly what?: string;
  readonly of?: string;
  readonly browser?: number;
  readonly kind?: string;
  readonly pin?: string;
  readonly view?: number;
  readonly tile?: number;
  readonly state?: string;
  readonly isPopup?: boolean;
  readonly monitor?: string | null;
  readonly monitors?: readonly { readonly name: string; readonly rect: { readonly x: number } }[];
  readonly word?: string | null;
  readonly webKit?: string;
  readonly count?: number;
}

const PIXELS = 1280 * 800;
const DESKTOP = 'shells/main-desktop-shell.ts';
const GTK = 'shells/main-gtk-shell.ts';

/** A screen without a monitor, with a window manager. */
export class VirtualScreen {
  readonly display: string;
  readonly #processes: readonly ChildProcess[];

  private constructor(display: string, processes: readonly ChildProcess[]) {
    this.display = display;
    this.#processes = processes;
  }

  static async start(): Promise<VirtualScreen> {
    const args = ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [number] = (await once(server.stdout, 'data')) as [Buffer];
    const display = `:${number.toString().trim()}`;
    const windows = spawn('openbox', [], { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' });
    return new VirtualScreen(display, [windows, server]);
  }

  /** Keeps a picture where VEDETTE_SHOTS names a folder. */
  shot(name: string): void {
    if (SHOTS === undefined) return;
    const file = path.join(SHOTS, `${name}.png`);
    spawnSync('ffmpeg', ['-y', '-loglevel', 'error', '-f', 'x11grab', '-i', this.display, '-frames:v', '1', file]);
  }

  /** One after the other, by the names of X11, in the window that has the focus. */
  press(...keys: string[]): void {
    const { status } = spawnSync('xdotool', ['key', '--delay', '200', ...keys], { env: this.#env });
    if (status !== 0) throw new Error('xdotool pressed nothing');
  }

  /** Into the window that has the focus. */
  type(text: string): void {
    const { status } = spawnSync('xdotool', ['type', '--delay', '50', text], { env: this.#env });
    if (status !== 0) throw new Error('xdotool typed nothing');
  }

  /** Titles of the windows that are shown. */
  titles(): string[] {
    const { stdout } = spawnSync('xdotool', ['search', '--onlyvisible', '--name', '.', 'getwindowname', '%@'], {
      env: this.#env,
      encoding: 'utf8',
    });
    return stdout.split('\n');
  }

  /** The picture on the screen, three bytes a pixel. */
  pixels(): Buffer {
    const output = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
    const args = ['-loglevel', 'error', '-f', 'x11grab', '-draw_mouse', '0', '-i', this.display, ...output];
    return spawnSync('ffmpeg', args, { maxBuffer: 2 * PIXELS * 3 }).stdout;
  }

  /** `colour`: `#rrggbb`, anywhere on the screen. */
  hasColour(colour: string): boolean {
    const wanted = Buffer.from(colour.slice(1), 'hex');
    const pixels = this.pixels();
    for (let at = 0; at < pixels.length; at += 3) if (pixels.compare(wanted, 0, 3, at, at + 3) === 0) return true;
    return false;
  }

  get #env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], DISPLAY: this.display };
  }

  stop(): void {
    for (const process of this.#processes) process.kill();
  }
}

export class DesktopShellUnderTest {
  /** Entry of the shell, from the root. */
  static readonly entry: string = DESKTOP;
  readonly process: ChildProcess;
  readonly events: ShellEvent[] = [];
  readonly errors: string[] = [];
  #tags = 0;

  /** `more`: environment of the shell beside the usual. */
  constructor(screen: VirtualScreen, home: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const { command, options } = shellCommand(screen, home, more, new.target.entry);
    const [program = '', ...first] = command;
    this.process = spawn(program, [...first, ...args], { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    const { stdout, stderr } = this.process;
    if (stdout !== null)
      createInterface({ input: stdout }).on('line', (line) => this.events.push(JSON.parse(line) as ShellEvent));
    if (stderr !== null) createInterface({ input: stderr }).on('line', (line) => this.errors.push(line));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  of(event: string): readonly ShellEvent[] {
    return this.events.filter((one) => one.event === event);
  }

  told(topic: string): readonly unknown[] {
    return this.of('told').flatMap((one) => (one.topic === topic ? [one.data] : []));
  }

  say(command: object): void {
    this.process.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  async ask(topic: string, data: object = {}, window = 0): Promise<ShellEvent> {
    this.#tags += 1;
    const tag = this.#tags;
    this.say({ do: 'ask', topic, data, window, tag });
    return await waitFor(`the answer to ${topic}`, () => this.of('outcome').find((one) => one.tag === tag));
  }

  async waitFor(event: string, count = 1): Promise<void> {
    await waitFor(`${count} × ${event}`, () => this.of(event).length >= count, 60_000).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify(this.events)}\n${this.errors.join('\n')}`);
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await exited;
  }
}

export class GtkShellUnderTest extends DesktopShellUnderTest {
  static override readonly entry: string = GTK;
}

/** A home folder of the user that the shell runs as. */
export function newHome(): { readonly path: string; remove(): void } {
  const home = mkdtempSync(path.join(tmpdir(), 'vedette-shell-'));
  if (asUser.uid !== undefined) chownSync(home, asUser.uid, asUser.gid);
  return { path: home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}

/** How a user starts the shell. */
export function shellCommand({ display }: VirtualScreen, home: string, more: NodeJS.ProcessEnv = {}, entry = DESKTOP) {
  const env = { PATH: process.env['PATH'], HOME: home, DISPLAY: display, LANG: 'en_US.UTF-8', ...more };
  const command = [process.execPath, path.join(ROOT, entry)];
  return { command, options: { cwd: home, env, ...asUser } };
}
