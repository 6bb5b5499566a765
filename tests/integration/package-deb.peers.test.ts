// The Debian package: built, unpacked where nobody may write, and started by an ordinary user; its service is locked down.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const has = (program: string): boolean => existsSync(join('/usr/bin', program));

describe.skipIf(!has('dpkg-deb'))('the Debian package', () => {
  let folder: string;
  let file: string;
  let unpacked: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-deb-'));
    chmodSync(folder, 0o755);
    file = await build(join(folder, 'first'));
    unpacked = join(folder, 'unpacked');
    await run('dpkg-deb', ['-x', file, unpacked]);
  }, 180_000);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function build(to: string, root = ROOT, withoutNetwork = false): Promise<string> {
    const command = [process.execPath, join(root, 'launcher/package-deb.js'), '--to', to];
    const [program = '', ...args] = withoutNetwork ? ['unshare', '--net', ...command] : command;
    const { stdout } = await run(program, args, { cwd: root });
    return (JSON.parse(stdout) as { file: string }).file;
  }

  /** The same files in another folder, what is not committed among them, with the same packages and nothing that was built. */
  async function cloneElsewhere(): Promise<string> {
    const to = join(folder, 'another/folder');
    await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, to]);
    const { stdout } = await run('git', ['diff', '--name-only', '--diff-filter=d', '-z', 'HEAD'], { cwd: ROOT });
    for (const name of stdout.split('\0').filter((one) => one !== '')) cpSync(join(ROOT, name), join(to, name));
    await run('git', ['add', '--all'], { cwd: to });
    await run('cp', ['--archive', join(ROOT, 'node_modules'), join(to, 'node_modules')]);
    return to;
  }

  it('[SE-99] [GO-23] is the same when all of it is built again, in the same place and in another one without a network', async () => {
    // Without its stamp the console is built anew too; the rest is of an earlier build, which a clone keeps.
    rmSync(join(ROOT, 'console/dist/.vedette-build'));
    writeFileSync(join(ROOT, 'console/dist/assets/of-an-earlier-build.js'), '');
    appendFileSync(join(ROOT, 'console/dist/assets/.of-this-build'), '\nof-an-earlier-build.js');
    const again = await build(join(folder, 'second'));
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
    const elsewhere = await build(join(folder, 'third'), await cloneElsewhere(), isRoot);
    expect(readFileSync(elsewhere).equals(readFileSync(file))).toBe(true);
  });

  it('holds no tests, and is smaller than 100 MB', () => {
    expect(statSync(file).size).toBeLessThan(100e6);
    const names = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    expect(names.length).toBeGreaterThan(1000);
    const ours = names.filter((name) => !name.includes('node_modules'));
    expect(ours.filter((name) => /\.test\.|\.fake\.|\/tests?\//.test(name))).toEqual([]);
    expect(
      names.filter((name) => /node_modules\/(?:vite|react|typescript|vitest|playwright-core)$/.test(name)),
    ).toEqual([]);
  });

  it.skipIf(!isRoot)('starts from a folder that it may not write, as a user who owns its data alone', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, NOBODY, NOBODY);
    const home = join(unpacked, 'usr/lib/vedette');
    const service = readFileSync(join(unpacked, 'usr/lib/systemd/system/vedette.service'), 'utf8');
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(service) ?? [];
    const [node = '', ...args] = command.split(' ').map((part) => part.replace('/usr/lib/vedette', home));
    const env = { PATH: '/usr/bin:/bin', HOME: data, VEDETTE_DATA: data, VEDETTE_PORT: '0', VEDETTE_NO_DEMO: '1' };
    const child = spawn(node, args, { uid: NOBODY, gid: NOBODY, env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    try {
      const ended = once(child, 'exit').then(() => Promise.reject(new Error(said.join('\n'))));
      const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
      const { url, setupUrl } = JSON.parse(line) as { url: string; setupUrl: string };
      const page = await fetch(url);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const client = new ApiClient(url);
      const secret = new URL(setupUrl).hash.replace('#secret=', '');
      await client.ok('account/setup', { secret, username: 'operator', password: 'Watch-2026' });
      ended.catch(() => undefined);
    } finally {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    expect(readdirSync(data)).toEqual(expect.arrayContaining(['keys', 'postgres', 'recordings']));
  });

  it.skipIf(!has('systemd-analyze'))(
    'has a service that systemd finds no fault in, with an exposure of 2.0 at most',
    async () => {
      const unit = join(unpacked, 'usr/lib/systemd/system/vedette.service');
      // It ends with 0 whatever it finds: what it says counts. The program is where the package would put it.
      const { stderr } = await run('systemd-analyze', ['verify', unit]).catch((error: { stderr: string }) => error);
      const faults = stderr.split('\n').filter((line) => line.includes('vedette.service'));
      expect(faults.filter((line) => !/is not executable|No such file/.test(line))).toEqual([]);
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      expect(Number(exposure)).toBeLessThanOrEqual(2);
    },
  );
});
