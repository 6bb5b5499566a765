// A database for one test file: in the PostgreSQL of the run, or in one of its own that the test may stop or freeze; removed afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { clusterSettings } from '../../launcher/postgres/cluster.js';
import { copyCluster, emptyCluster, postgresCommand } from '../harness/postgres-cluster.ts';
import { processesBelow } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';

const FAST = ['shared_buffers=64MB', 'jit=off', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** Below the folder of a database. */
export const CLUSTER_FOLDER = 'pg';
/** Several test files at a time, each with a server. */
const CROWDED = ['max_connections=300'];
/** As the product has it. */
const DURABLE = Object.entries(clusterSettings).map(([name, value]) => `${name}=${value}`);

/** Folder of sockets of the PostgreSQL that `run-database.ts` starts for all test files of a run. */
export const RUN_DATABASE = 'VEDETTE_RUN_DATABASE';

export interface TestDatabase {
  readonly url: string;
  /** Also the place for sockets of the server under test: the path is short. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** With a PostgreSQL of its own. */
export interface OwnDatabase extends TestDatabase {
  /** What PostgreSQL itself has logged. */
  log(): string;
  /** As after a crash of the database alone. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** All of its processes stand still, as on a machine that swaps or a disk that hangs. */
  freeze(): Promise<void>;
  /** They go on where they stood. */
  thaw(): void;
}

/** In the PostgreSQL of the run, with every migration done; where no run started one, in one of its own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const host = process.env[RUN_DATABASE];
  if (host === undefined) return await startTestDatabase();
  const folder = mkdtempSync('/tmp/vdt-');
  const name = basename(folder);
  await runSql(host, `create database "${name}" template vedette`);
  return {
    url: databaseUrl(host, name),
    folder,
    stop: async () => {
      await runSql(host, `drop database "${name}" with (force)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `isDurable`: commits reach the disk, as where figures are taken. `cluster`: what it starts from. */
export async function startTestDatabase({
  isDurable = false,
  cluster = emptyCluster(),
}: {
  readonly isDurable?: boolean;
  readonly cluster?: Promise<string>;
} = {}): Promise<OwnDatabase> {
  const folder = mkdtempSync('/tmp/vdt-');
  const data = join(folder, CLUSTER_FOLDER);
  copyCluster(await cluster, data);
  const places = [`unix_socket_directories=${folder}`, 'listen_addresses='];
  const settings = [...(isDurable ? DURABLE : FAST), ...CROWDED, ...places].flatMap((setting) => ['-c', setting]);
  const [postgres = '', ...args] = postgresCommand('postgres', ['-D', data, ...settings]);
  let child: ChildProcess | null = null;
  const up = async () => {
    const log = openSync(join(folder, 'postgres.log'), 'a');
    child = spawn(postgres, args, { cwd: '/', stdio: ['ignore', 'ignore', log] });
    closeSync(log);
    await waitFor('the database', () => makeDatabase(folder), 20_000);
  };
  const down = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
  };
  const halted = new Set<number>();
  const freeze = async () => {
    const root = child?.pid ?? 0;
    // Until it stands still it starts processes for whoever connects.
    for (let before = -1; before !== halted.size; ) {
      before = halted.size;
      for (const pid of [root, ...(await processesBelow(root)).map((one) => one.pid)]) {
        process.kill(pid, 'SIGSTOP');
        halted.add(pid);
      }
    }
  };
  const thaw = () => {
    for (const pid of halted) process.kill(pid, 'SIGCONT');
    halted.clear();
  };
  await up();
  return {
    url: databaseUrl(folder, 'vedette'),
    folder,
    log: () => readFileSync(join(folder, 'postgres.log'), 'utf8'),
    up,
    down,
    freeze,
    thaw,
    stop: async () => {
      thaw();
      await down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function databaseUrl(host: string, name: string): string {
  return `postgres:///${name}?host=${encodeURIComponent(host)}&user=vedette`;
}

async function makeDatabase(host: string): Promise<boolean> {
  try {
    await runSql(host, 'create database vedette');
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (['ENOENT', 'ECONNREFUSED', '57P03'].includes(code)) return false;
    // Already there.
    if (code === '42P04') return true;
    throw error;
  }
}

async function runSql(host: string, sql: string): Promise<void> {
  const client = new pg.Client({ host, user: 'vedette', database: 'postgres' });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}
