// A remote site as its operator starts it (`launcher/site.js`), and a relay before its server that can cut the connection.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProcess } from './processes.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export class RemoteSiteProcess {
  readonly data: string;
  readonly log: string[] = [];
  #child: ChildProcess | null = null;

  private constructor(data: string) {
    this.data = data;
  }

  static async create(): Promise<RemoteSiteProcess> {
    return new RemoteSiteProcess(await mkdtemp(join(tmpdir(), 'vedette-far-')));
  }

  /** Resolves once its process serves; whether the server lets it in is another question. */
  async start(args: readonly string[] = []): Promise<void> {
    const child = spawn(process.execPath, ['launcher/site.js', '--data', this.data, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the far site ended with ${String(code)}:\n${this.log.join('\n')}`);
    });
    await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    ended.catch(() => undefined);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** As its machine does when it loses power: supervisor and site are gone at once, and nothing is closed. */
  async crash(): Promise<void> {
    const launcher = this.#child?.pid ?? 0;
    const site = await findProcess(launcher, 'main-site.ts');
    process.kill(launcher, 'SIGSTOP');
    process.kill(site.pid, 'SIGKILL');
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end();
    await rm(this.data, { recursive: true, force: true });
  }
}

/** Bytes pass as they are, TLS inside; `cut` drops every line and lets none through, as a pulled cable does for a while. */
export class ConnectionRelay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #target: number;
  #mute: 'toServer' | 'toSite' | null = null;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
  }

  static async to(port: number): Promise<ConnectionRelay> {
    const server = createServer((near) => {
      if (relay.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(relay.#target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        relay.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          relay.#sockets.delete(one);
          other.destroy();
        });
        const way = one === near ? 'toServer' : 'toSite';
        one.on('data', (bytes: Buffer) => {
          if (relay.#mute !== way && !other.write(bytes)) one.pause();
        });
        other.on('drain', () => one.resume());
        one.on('end', () => other.end());
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay: ConnectionRelay = new ConnectionRelay(server, port);
    return relay;
  }

  /** New lines go there, as to an address that moves; open ones stay as they are. */
  moveTo(port: number): void {
    this.#target = port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What goes that way is lost, while the other way is as it was and every line stays open: TCP alone notices nothing for minutes. */
  mute(way: 'toServer' | 'toSite'): void {
    this.#mute = way;
  }

  /** Lines that lost bytes are of no use any more. */
  restore(): void {
    if (this.#mute !== null) for (const socket of this.#sockets) socket.destroy();
    this.#mute = null;
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
