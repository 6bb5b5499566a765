// Two PostgreSQL servers of one database: a primary, and a standby that has each commit before it is acknowledged.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { clusterSettings } from '../../launcher/postgres/cluster.js';
import { migratedCluster } from '../contract/migrated-cluster.ts';
import { copyCluster, postgresCommand } from './postgres-cluster.ts';
import { processesBelow } from './processes.ts';
import { waitFor } from './wait-for.ts';

/** A standby takes no fewer connections than the cluster that it was copied from (tests/contract/test-database.ts). */
const SETTINGS = { ...clusterSettings, max_connections: '300', listen_addresses: '127.0.0.1', wal_level: 'replica' };

export class PostgresNode {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(folder: string, port: number) {
    this.port = port;
    this.#folder = folder;
  }

  get data(): string {
    return join(this.#folder, `pg-${this.port}`);
  }

  /** `primary`: whose standby it is. */
  async up(primary?: PostgresNode): Promise<void> {
    if (primary !== undefined) writeFileSync(join(this.data, 'standby.signal'), '');
    const from = primary && `host=127.0.0.1 port=${primary.port} user=vedette application_name=standby`;
    const chosen = {
      ...SETTINGS,
      port: this.port,
      unix_socket_directories: this.#folder,
      primary_conninfo: from ?? '',
    };
    const settings = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [postgres = '', ...args] = postgresCommand('postgres', ['-D', this.data, ...settings]);
    const log = openSync(join(this.#folder, `pg-${this.port}.log`), 'a');
    this.#child = spawn(postgres, args, { cwd: '/', stdio: ['ignore', 'ignore', log] });
    closeSync(log);
    await waitFor(`PostgreSQL at ${this.port}`, async () => (await this.query('select 1')).length === 1, 20_000);
  }

  /** In order, with its last changes at the standby. */
  async down(): Promise<void> {
    await this.#end((child) => child.kill('SIGINT'));
  }

  /** All of its processes at once, as by a power cut. */
  async kill(): Promise<void> {
    const below = (await processesBelow(this.#child?.pid ?? 0)).map(({ pid }) => pid);
    await this.#end((child) => {
      child.kill('SIGKILL');
      for (const pid of below) killIfThere(pid);
    });
  }

  /** All of its processes stand still, and its machine goes on taking connections. */
  async freeze(): Promise<void> {
    const root = this.#child?.pid ?? 0;
    for (const pid of [root, ...(await processesBelow(root)).map((one) => one.pid)]) process.kill(pid, 'SIGSTOP');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  get url(): string {
    return `postgres://vedette@127.0.0.1:${this.port}/vedette`;
  }

  async #end(kill: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    kill(child);
    await exited;
  }
}

/** It may have ended by itself meanwhile. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export class ReplicatedPostgres {
  readonly primary: PostgresNode;
  readonly standby: PostgresNode;
  /** Short: sockets may lie there. */
  readonly folder: string;

  private constructor(folder: string, ports: readonly [number, number]) {
    this.folder = folder;
    this.primary = new PostgresNode(folder, ports[0]);
    this.standby = new PostgresNode(folder, ports[1]);
  }

  /** With every migration done. */
  static async start(): Promise<ReplicatedPostgres> {
    const pair = new ReplicatedPostgres(mkdtempSync('/tmp/vdt-'), [await freePort(), await freePort()]);
    const { primary, standby } = pair;
    copyCluster(await migratedCluster(), primary.data);
    copyCluster(primary.data, standby.data);
    await primary.up();
    await standby.up(primary);
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query('select pg_reload_conf()');
    const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'";
    await waitFor('the standby to be synchronous', async () => (await primary.query(isSynchronous)).length === 1);
    return pair;
  }

  /** Names both, the standby first: the order says nothing. */
  get url(): string {
    return `postgres://vedette@127.0.0.1:${this.standby.port},127.0.0.1:${this.primary.port}/vedette`;
  }

  async stop(): Promise<void> {
    // A primary that waits for its standby would not end in order.
    await Promise.all([this.standby.kill(), this.primary.kill()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
