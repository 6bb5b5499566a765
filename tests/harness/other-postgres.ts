// A cluster of Debian's PostgreSQL 15, ready for logical replication: the older database of an upgrade.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { waitFor } from './wait-for.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const ROOT = new URL('../../', import.meta.url).pathname;

export const hasOtherPostgres = existsSync(join(PROGRAMS, 'postgres'));

export interface OtherPostgres {
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
}

export async function startOtherPostgres(): Promise<OtherPostgres> {
  const folder = mkdtempSync('/tmp/vdt-');
  const data = join(folder, 'pg15');
  const [initdb = '', ...made] = command('initdb', [
    '-D',
    data,
    '-U',
    'vedette',
    '--auth=trust',
    '-N',
    '--locale=C.UTF-8',
  ]);
  const { status, stderr } = spawnSync(initdb, made, { cwd: '/', encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  const settings = [
    'wal_level=logical',
    'fsync=off',
    'max_connections=200',
    `unix_socket_directories=${folder}`,
    'listen_addresses=',
  ];
  const [postgres = '', ...args] = command('postgres', ['-D', data, ...settings.flatMap((one) => ['-c', one])]);
  const child: ChildProcess = spawn(postgres, args, { cwd: '/', stdio: 'ignore' });
  await waitFor('PostgreSQL 15', () => makeDatabase(folder), 20_000);
  return {
    url: `postgres:///vedette?host=${encodeURIComponent(folder)}&user=vedette`,
    folder,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Behind the same prefix as the embedded one: as root, in a user namespace. */
function command(program: string, args: readonly string[]): string[] {
  return [...findPostgres(ROOT).prefix, join(PROGRAMS, program), ...args];
}

async function makeDatabase(folder: string): Promise<boolean> {
  const client = new pg.Client({ host: folder, user: 'vedette', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('create database vedette');
    return true;
  } catch {
    return false; // it does not take connections yet
  } finally {
    await client.end().catch(() => undefined);
  }
}
