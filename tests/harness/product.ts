// Starts the whole product (`launcher/start.js`) on a free port and a folder of its own, and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { migratedCluster } from '../contract/migrated-cluster.ts';
import { ApiClient } from './api-client.ts';
import { copyCluster } from './postgres-cluster.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export interface ReadyLine {
  readonly event: 'ready';
  readonly url: string;
  readonly setupUrl: string | null;
  readonly httpsUrls?: readonly string[];
}

export interface ProductOptions {
  readonly demo?: boolean;
  /** Hours that the demo was recorded before; what makes them takes ten seconds of a core for each. */
  readonly demoHours?: number;
  /** Data folder of an earlier run; else a new one that `stop` removes. */
  readonly data?: string;
  /** A first start in every respect; else the database is there already, empty. */
  readonly isFirstStart?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Ctrl+C in the terminal does not reach it: who started it ends it. */
  readonly isOwnGroup?: boolean;
}

interface StartedProduct {
  readonly ready: ReadyLine;
  readonly data: string;
  readonly process: ChildProcess;
  readonly log: string[];
  readonly ownsData: boolean;
}

export class Product {
  readonly ready: ReadyLine;
  readonly data: string;
  readonly process: ChildProcess;
  readonly #log: string[];
  readonly #ownsData: boolean;

  private constructor({ ready, data, process, log, ownsData }: StartedProduct) {
    this.ready = ready;
    this.data = data;
    this.process = process;
    this.#log = log;
    this.#ownsData = ownsData;
  }

  static async start(options: ProductOptions = {}): Promise<Product> {
    const data = options.data ?? (await mkdtemp(join(tmpdir(), 'vedette-test-')));
    if (options.data === undefined && !options.isFirstStart) await putDatabase(data);
    const args = ['launcher/start.js', '--port', '0', '--data', data, ...(options.args ?? [])];
    if (options.demo) args.push('--demo-hours', String(options.demoHours ?? 0.25));
    else args.push('--no-demo');
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: options.isOwnGroup ?? false,
    });
    const log: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line);
      if (log.length > 2000) log.shift();
    });
    const ready = await readyLine(child, log);
    return new Product({ ready, data, process: child, log, ownsData: options.data === undefined });
  }

  get url(): string {
    return this.ready.url;
  }

  /** The last lines of every process's log. */
  get log(): string {
    return this.#log.join('\n');
  }

  /** Uses the one-time link to make the first administrator and answers a signed-in client. */
  async setUp(username = 'operator', password = 'Watch-2026'): Promise<ApiClient> {
    const secret = new URL(this.ready.setupUrl ?? '').hash.replace('#secret=', '');
    const client = new ApiClient(this.url);
    const signedIn = await client.ok('account/setup', { secret, username, password });
    client.accessToken = signedIn.accessToken;
    return client;
  }

  async signIn(account: string, password: string): Promise<ApiClient> {
    const client = new ApiClient(this.url);
    const input = { account, password, browserId: 'test', clientType: 'web' } as const;
    client.accessToken = (await client.ok('account/login', input)).accessToken;
    return client;
  }

  async stop(keepData = !this.#ownsData): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exited = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await exited;
    }
    if (!keepData) await rm(this.data, { recursive: true, force: true });
  }
}

async function putDatabase(data: string): Promise<void> {
  // Where PostgreSQL runs as somebody else, the launcher alone makes what belongs to them.
  if (findPostgres(ROOT).owner !== null) return;
  copyCluster(await migratedCluster(), join(data, 'postgres'));
  // A database without its key is refused.
  await mkdir(join(data, 'keys'), { mode: 0o700 });
  await writeFile(join(data, 'keys', 'master'), randomBytes(32).toString('hex'), { mode: 0o600 });
}

async function readyLine(child: ChildProcess, log: readonly string[]): Promise<ReadyLine> {
  if (!child.stdout) throw new Error('no standard output');
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the launcher ended with ${String(code)} before it was ready:\n${log.slice(-40).join('\n')}`);
  });
  const ready = (async () => {
    for await (const line of lines) if (line.startsWith('{')) return JSON.parse(line) as ReadyLine;
    return exited;
  })();
  return Promise.race([ready, exited]);
}
