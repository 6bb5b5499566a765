// GJS with the view of the shell as a process: orders go to its standard input, events come by a pipe beside it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ViewEvent, ViewOrder } from './view-lines.ts';

const GJS = 'gjs';
const FOLDER = path.join(import.meta.dirname, 'view');
/** The line that installs everything on Debian; the plugins are recommended by WebKitGTK, and it plays no video without them. */
const INSTALL =
  'apt-get install gjs gir1.2-gtk-4.0 gir1.2-webkit-6.0 gir1.2-gst-plugins-base-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-gl gstreamer1.0-libav';
/** These would open the page's tools to other programs, take the sandbox away, or write addresses of streams into a log. */
const LEFT_OUT = /^(WEBKIT_|GST_DEBUG|G_MESSAGES_DEBUG$|SOUP_|NODE_)/;

/** What is missing, in words. */
export class MissingParts extends Error {}

/** The version of WebKitGTK. @throws MissingParts */
export function checkParts(): string {
  const { error, status, stdout } = spawnSync(GJS, ['-m', path.join(FOLDER, 'main-parts.js')], { encoding: 'utf8' });
  if (error !== undefined || status !== 0) throw new MissingParts(`GJS is not installed. On Debian: ${INSTALL}`);
  const { missing, webKit } = JSON.parse(stdout) as { missing: string[]; webKit: string | null };
  if (webKit === null || missing.length > 0)
    throw new MissingParts(`GJS does not find ${missing.join(', ')}. On Debian: ${INSTALL}`);
  return webKit;
}

export class ViewProcess {
  readonly #process: ChildProcess;
  readonly #orders: Writable;

  /** `onEnd` is called once, however the view ends. It ends by itself when the shell does: its standard input closes then. */
  constructor(onEvent: (event: ViewEvent) => void, onEnd: () => void) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name)));
    this.#process = spawn(GJS, ['-m', path.join(FOLDER, 'main-view.js')], {
      stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
      env,
    });
    const [orders, , , events] = this.#process.stdio;
    this.#orders = orders as Writable;
    // The view has ended meanwhile, which `onEnd` tells.
    this.#orders.on('error', () => undefined);
    createInterface({ input: events as Readable }).on('line', (line) => onEvent(JSON.parse(line) as ViewEvent));
    this.#process.once('error', onEnd);
    this.#process.once('exit', onEnd);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  order(order: ViewOrder): void {
    if (this.#orders.writable) this.#orders.write(`${JSON.stringify(order)}\n`);
  }
}
