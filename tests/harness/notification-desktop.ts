// What a desktop has for notifications, on a screen without a monitor: a bus of the session and dunst, which prints what it shows; and other windows.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { asUser, type VirtualScreen } from './desktop-shell.ts';
import { waitFor } from './wait-for.ts';

/** A bus of the person's own that starts no program by itself. */
const BUS = (address: string): string =>
  `<busconfig><type>session</type><listen>${address}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

export class NotificationDesktop {
  /** What programs of this desktop are given beside the screen. */
  readonly env: Readonly<Record<string, string>>;
  readonly #screen: VirtualScreen;
  readonly #home: string;
  readonly #processes: ChildProcess[] = [];
  readonly #printed: string[] = [];

  private constructor(screen: VirtualScreen, home: string) {
    this.#screen = screen;
    this.#home = home;
    this.env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(home, 'bus')}` };
  }

  /** `home`: of the user that the shell runs as. */
  static async start(screen: VirtualScreen, home: string): Promise<NotificationDesktop> {
    const desktop = new NotificationDesktop(screen, home);
    const address = desktop.env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
    const bus = desktop.#start('dbus-daemon', [
      '--config-file',
      desktop.#write('bus.conf', BUS(address)),
      '--nofork',
      '--print-address=1',
    ]);
    await waitFor('the bus', () => bus.length > 0);
    const settings = desktop.#write('dunstrc', '[global]\nidle_threshold = 0\n[urgency_normal]\ntimeout = 0\n');
    desktop.#start('dunst', ['-print', '-conf', settings], desktop.#printed);
    await waitFor('the server of notifications', () => desktop.#control('is-paused') === 'false');
    return desktop;
  }

  /** Everything that was shown, as dunst prints it. */
  get printed(): string {
    return this.#printed.join('\n');
  }

  get shown(): number {
    return Number(this.#control('count', 'displayed'));
  }

  /** Presses the newest. */
  press(): void {
    this.#control('action', '0');
  }

  dismissAll(): void {
    this.#control('close-all');
  }

  /** A window of another program, which takes the focus; returns how to close it. */
  async openOther(): Promise<() => void> {
    const other = spawn('xmessage', ['-title', 'other program', 'Something else.'], this.#options);
    await waitFor('the focus of another program', () => this.activeTitle() === 'other program');
    return () => void other.kill();
  }

  /** Of the window that has the focus. */
  activeTitle(): string {
    const root = this.#run('xprop', ['-root', '_NET_ACTIVE_WINDOW']);
    const id = /0x[0-9a-f]+/.exec(root)?.[0] ?? '0x0';
    if (id === '0x0') return '';
    const names = this.#run('xprop', ['-id', id, '_NET_WM_NAME', 'WM_NAME']);
    return /= "(.*)"$/m.exec(names)?.[1] ?? '';
  }

  stop(): void {
    for (const one of this.#processes.toReversed()) one.kill();
  }

  get #options() {
    const env = {
      PATH: process.env['PATH'],
      HOME: this.#home,
      DISPLAY: this.#screen.display,
      LANG: 'C.UTF-8',
      ...this.env,
    };
    return { env, cwd: this.#home, ...asUser };
  }

  #write(name: string, text: string): string {
    const file = path.join(this.#home, name);
    writeFileSync(file, text);
    return file;
  }

  #start(program: string, args: readonly string[], lines: string[] = []): readonly string[] {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], ...this.#options });
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    this.#processes.push(child);
    return lines;
  }

  #control(...args: string[]): string {
    return this.#run('dunstctl', args);
  }

  #run(program: string, args: readonly string[]): string {
    return spawnSync(program, args, { encoding: 'utf8', ...this.#options }).stdout.trim();
  }
}
