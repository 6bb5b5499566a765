// Debian's nginx as tests run it: one process in the foreground, with a configuration and a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

const PEERS = new URL('../../.vedette/peers/', import.meta.url).pathname;
const PROGRAM = join(PEERS, 'nginx/usr/sbin/nginx');
export const RTMP_MODULE = join(PEERS, 'libnginx-mod-rtmp/usr/lib/nginx/modules/ngx_rtmp_module.so');

export function hasNginx(): boolean {
  return existsSync(PROGRAM);
}

export class NginxProcess {
  readonly folder: string;
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** @param configure all but how the process is run; `port` is free on 127.0.0.1 */
  static async create(configure: (folder: string, port: number) => string): Promise<NginxProcess> {
    const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'nginx-')), freePort()]);
    const usual = `daemon off; master_process off; pid ${folder}/nginx.pid;`;
    await writeFile(join(folder, 'nginx.conf'), `${configure(folder, port)}\n${usual}\n`);
    return new NginxProcess(folder, port);
  }

  async start(): Promise<void> {
    const { folder } = this;
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
    this.#process = spawn(PROGRAM, args, { stdio: 'ignore' });
    await waitFor('nginx to listen', async () => {
      const socket = connect(this.port, '127.0.0.1');
      const connected = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return connected;
    });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
  }
}
