// A Wayland desktop with two monitors: Debian's weston, each of whose outputs is a window on a virtual screen.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { asUser, type VirtualScreen } from './desktop-shell.ts';
import { waitFor } from './wait-for.ts';

const SOCKET = 'wayland-test';
const SIZE = { width: 400, height: 300 };

export class TwoMonitors {
  /** What programs of this desktop are given beside the screen. */
  readonly env: NodeJS.ProcessEnv;
  readonly #screen: VirtualScreen;
  readonly #process: ChildProcess;

  private constructor(screen: VirtualScreen, env: NodeJS.ProcessEnv, process: ChildProcess) {
    this.#screen = screen;
    this.env = env;
    this.#process = process;
  }

  /** `home`: of the user that the shell runs as. */
  static async start(screen: VirtualScreen, home: string): Promise<TwoMonitors> {
    const folder = path.join(home, 'run');
    mkdirSync(folder, { mode: 0o700 });
    if (asUser.uid !== undefined) chownSync(folder, asUser.uid, asUser.gid);
    const size = [`--width=${SIZE.width}`, `--height=${SIZE.height}`];
    const args = ['--backend=x11-backend.so', '--output-count=2', ...size, '--use-pixman', '--no-config'];
    const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: folder, DISPLAY: screen.display };
    const child = spawn('weston', [...args, `--socket=${SOCKET}`, '--idle-time=0'], {
      env,
      cwd: home,
      stdio: 'ignore',
      ...asUser,
    });
    await waitFor('weston', () => existsSync(path.join(folder, SOCKET)), 30_000);
    return new TwoMonitors(screen, { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: SOCKET, GDK_BACKEND: 'wayland' }, child);
  }

  /** The colours of the corners and the middle of a monitor, as `#rrggbb`; `screen0` and `screen1`. */
  colours(monitor: string): string[] {
    const id = /0x[0-9a-f]+/.exec(this.#run('xwininfo', ['-name', `Weston Compositor - ${monitor}`]).toString())?.[0];
    if (id === undefined) return [];
    this.#run('xdotool', ['windowraise', id]);
    const args = ['-loglevel', 'error', '-f', 'x11grab', '-draw_mouse', '0', '-window_id', id];
    const output = ['-i', this.#screen.display, '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
    const pixels = this.#run('ffmpeg', [...args, ...output]);
    const { width, height } = SIZE;
    const places = [
      [0, 0],
      [width - 1, 0],
      [width / 2, height / 2],
      [0, height - 1],
      [width - 1, height - 1],
    ] as const;
    return places.map(([x, y]) => {
      const at = (y * width + x) * 3;
      return `#${pixels.subarray(at, at + 3).toString('hex')}`;
    });
  }

  stop(): void {
    this.#process.kill();
  }

  #run(program: string, args: readonly string[]): Buffer {
    return spawnSync(program, args, { env: { PATH: process.env['PATH'], DISPLAY: this.#screen.display } }).stdout;
  }
}
