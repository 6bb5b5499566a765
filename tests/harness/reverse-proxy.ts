// Debian's nginx, HAProxy and Caddy with the configurations of docs/operations/reverse-proxy/, in which addresses and certificates alone are replaced.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './gateway-process.ts';
import { waitFor } from './wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const PEERS = join(ROOT, '.vedette/peers');
const CONFIGURATIONS = join(ROOT, 'docs/operations/reverse-proxy');
/** The name that the configurations stand for. */
export const PROXY_HOST = 'vedette.example';

export type ProxyName = 'nginx' | 'haproxy' | 'caddy';

interface Place {
  readonly folder: string;
  readonly port: number;
  /** Of plain HTTP. */
  readonly plainPort: number;
  /** Of the product. */
  readonly upstream: string;
}

interface ProxyKind {
  readonly program: string;
  readonly file: string;
  readonly configure: (text: string, place: Place) => string;
  readonly args: (file: string) => readonly string[];
  /** Folders of libraries that were unpacked beside it. */
  readonly libraries?: readonly string[];
}

const KINDS: Readonly<Record<ProxyName, ProxyKind>> = {
  nginx: {
    program: 'nginx/usr/sbin/nginx',
    file: 'nginx.conf',
    configure: (text, { folder, port, plainPort, upstream }) => {
      const here = replaced(text, [
        ['listen 80;', `listen 127.0.0.1:${plainPort};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
        ['127.0.0.1:8800', upstream],
        ['/etc/letsencrypt/live/vedette.example/fullchain.pem', `${folder}/server.pem`],
        ['/etc/letsencrypt/live/vedette.example/privkey.pem', `${folder}/server.key`],
      ]).replaceAll(/^ *listen \[::\].*\n/gmu, '');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      return `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http { access_log off; ${temporary.join(' ')}
${here} }`;
    },
    args: (file) => ['-c', file, '-e', `${file}.errors`],
  },
  haproxy: {
    program: 'haproxy/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    configure: (text, { folder, port, plainPort, upstream }) =>
      replaced(text, [
        ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
        ['bind :443 ', `bind 127.0.0.1:${port} `],
        ['/etc/haproxy/certs/vedette.example.pem', `${folder}/both.pem`],
        ['127.0.0.1:8800', upstream],
      ]),
    args: (file) => ['-db', '-f', file],
    libraries: ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  },
  caddy: {
    program: 'caddy/usr/bin/caddy',
    file: 'Caddyfile',
    // Here nobody gives it a certificate for this name.
    configure: (text, { folder, port, plainPort, upstream }) =>
      `{
  admin off
  http_port ${plainPort}
  https_port ${port}
  storage file_system ${folder}/storage
}
${replaced(text, [
  ['vedette.example {', `vedette.example {\n\tbind 127.0.0.1\n\ttls ${folder}/server.pem ${folder}/server.key`],
  ['127.0.0.1:8800', upstream],
])}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
};

export const PROXIES = Object.keys(KINDS) as ProxyName[];

export function hasProxies(): boolean {
  return PROXIES.every((name) =>
    [KINDS[name].program, ...(KINDS[name].libraries ?? [])].every((one) => existsSync(join(PEERS, one))),
  );
}

function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the configuration has no ${from}`);
    return before.replaceAll(from, to);
  }, text);
}

export class ReverseProxy {
  readonly port: number;
  readonly plainPort: number;
  /** Its certificate authority. */
  readonly authority: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(place: Place, authority: string, process: ChildProcess) {
    this.port = place.port;
    this.plainPort = place.plainPort;
    this.authority = authority;
    this.#folder = place.folder;
    this.#process = process;
  }

  /** @param upstream host and port of the product */
  static async start(name: ProxyName, upstream: string): Promise<ReverseProxy> {
    const kind = KINDS[name];
    const folder = await mkdtemp(join(tmpdir(), `vedette-${name}-`));
    const [port = 0, plainPort = 0] = await freePorts(2);
    const place = { folder, port, plainPort, upstream };
    const authority = await makeCertificate(folder, [PROXY_HOST]);
    const parts = ['server.pem', 'server.key'].map((one) => readFile(join(folder, one), 'utf8'));
    await writeFile(join(folder, 'both.pem'), (await Promise.all(parts)).join('\n'));
    const file = join(folder, kind.file);
    await writeFile(file, kind.configure(await readFile(join(CONFIGURATIONS, kind.file), 'utf8'), place));
    const child = spawn(join(PEERS, kind.program), kind.args(file), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environment(folder, kind),
    });
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const proxy = new ReverseProxy(place, authority, child);
    await waitFor(`${name} to listen`, async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
      return await accepts(port);
    });
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function environment(folder: string, { libraries = [] }: ProxyKind): NodeJS.ProcessEnv {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const places = libraries.map((name) => join(PEERS, name, 'usr/lib', triplet));
  return { ...process.env, HOME: folder, LD_LIBRARY_PATH: places.join(':') };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, 'close');
    }),
  );
  return ports;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}
