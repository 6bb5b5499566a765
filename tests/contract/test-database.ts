// A PostgreSQL of its own for one test file: the embedded programs, a folder that is removed afterwards, no syncing.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { clusterSettings } from '../../launcher/postgres/cluster.js';
import { processesBelow } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
const FAST = ['shared_buffers=16MB', 'jit=off', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** As the product has it. */
const DURABLE = Object.entries(clusterSettings).map(([name, value]) => `${name}=${value}`);

export interface TestDatabase {
  readonly url: string;
  /** Also the place for sockets of the server under test: the path is short. */
  readonly folder: string;
  /** What PostgreSQL itself has logged. */
  log(): string;
  /** As after a crash of the database alone. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** All of its processes stand still, as on a machine that swaps or a disk that hangs. */
  freeze(): Promise<void>;
  /** They go on where they stood. */
  thaw(): void;
  stop(): Promise<void>;
}

/** `isDurable`: commits reach the disk, as where figures are taken. */
export async function startTestDatabase({ isDurable = false } = {}): Promise<TestDatabase> {
  const folder = mkdtempSync('/tmp/vdt-');
  const { folder: programs, prefix } = findPostgres(ROOT);
  const command = (program: string, args: string[]) => [...prefix, join(programs, 'bin', program), ...args];
  const data = join(folder, 'pg');
  cpSync(emptyCluster(programs, command), data, { recursive: true });
  // PostgreSQL takes no folder that others may read.
  chmodSync(data, 0o700);
  const places = [`unix_socket_directories=${folder}`, 'listen_addresses='];
  const settings = [...(isDurable ? DURABLE : FAST), ...places].flatMap((setting) => ['-c', setting]);
  const [postgres = '', ...args] = command('postgres', ['-D', data, ...settings]);
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
    url: `postgres:///vedette?host=${encodeURIComponent(folder)}&user=vedette`,
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

/** Made once for each build of PostgreSQL and copied ever after: initdb takes ten times as long. */
function emptyCluster(programs: string, command: (program: string, args: string[]) => string[]): string {
  const { size, mtimeMs } = statSync(join(programs, 'bin', 'postgres'));
  const place = join(ROOT, '.vedette', `empty-cluster-${size}-${Math.trunc(mtimeMs)}`);
  if (existsSync(place)) return place;
  mkdirSync(join(ROOT, '.vedette'), { recursive: true });
  const aside = mkdtempSync(`${place}-`);
  const [initdb = '', ...args] = command('initdb', ['-D', aside, '-U', 'vedette', '--auth=trust', '-N', ...LOCALE]);
  const made = spawnSync(initdb, args, { cwd: '/', encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  try {
    renameSync(aside, place);
  } catch {
    // Another file of tests made it meanwhile.
    rmSync(aside, { recursive: true, force: true });
  }
  return place;
}

async function makeDatabase(host: string): Promise<boolean> {
  const client = new pg.Client({ host, user: 'vedette', database: 'postgres' });
  try {
    await client.connect();
    await client.query('create database vedette');
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (['ENOENT', 'ECONNREFUSED', '57P03'].includes(code)) return false;
    // Already there.
    if (code === '42P04') return true;
    throw error;
  } finally {
    await client.end();
  }
}
