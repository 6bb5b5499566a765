// The image for containers: built twice with one digest, unpacked, and started by its own user from a root that nobody may write.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}
interface RunConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}
interface Built {
  readonly file: string;
  readonly digest: string;
  readonly bytes: number;
}

/** A Debian takes minutes to make: `VEDETTE_IMAGE_BASE` names one that is there. */
const given = process.env['VEDETTE_IMAGE_BASE'];
const canBuild = given !== undefined || existsSync('/usr/bin/mmdebstrap');

describe.skipIf(!canBuild)('the image', () => {
  let folder: string;
  let layout: string;
  let first: Built;
  let second: Built;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-oci-'));
    first = await build('first', given === undefined ? [] : ['--base', given]);
    layout = join(folder, 'layout');
    mkdirSync(layout);
    await run('tar', ['-xf', first.file, '-C', layout]);
    const base = join(folder, 'base.tar');
    const [debian] = manifest().layers;
    await run('sh', ['-c', `gzip -dc ${blob(debian?.digest ?? '')} > ${base}`]);
    second = await build('second', ['--base', base]);
  }, 1_800_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function build(name: string, args: readonly string[]): Promise<Built> {
    const to = join(folder, name);
    const { stdout } = await run(process.execPath, [join(ROOT, 'launcher/package-image.js'), '--to', to, ...args]);
    return JSON.parse(stdout) as Built;
  }

  const blob = (digest: string) => join(layout, 'blobs', 'sha256', digest.replace('sha256:', ''));
  const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const manifest = () => json(blob(first.digest)) as { config: Descriptor; layers: Descriptor[] };
  const config = () => json(blob(manifest().config.digest)) as { config: RunConfig; rootfs: { diff_ids: string[] } };

  it('is the same when it is built again on the same Debian, and smaller than 250 MB', () => {
    expect(second.digest).toBe(first.digest);
    expect(readFileSync(second.file).equals(readFileSync(first.file))).toBe(true);
    expect(first.bytes).toBeLessThan(250e6);
  });

  it('holds what it names: each blob has its digest and size, and is found from the index', () => {
    const index = json(join(layout, 'index.json')) as { manifests: Descriptor[] };
    expect(index.manifests.map(({ digest }) => digest)).toEqual([first.digest]);
    for (const { digest, size } of [manifest().config, ...manifest().layers]) {
      expect(
        createHash('sha256')
          .update(readFileSync(blob(digest)))
          .digest('hex'),
      ).toBe(digest.slice('sha256:'.length));
      expect(statSync(blob(digest)).size).toBe(size);
    }
    expect(config().rootfs.diff_ids.length).toBe(manifest().layers.length);
  });

  it.skipIf(!canMount)(
    'starts as its own user from a root that is read only, and its health check tells',
    async () => {
      const root = join(folder, 'root');
      const data = join(folder, 'data');
      for (const made of [root, data]) mkdirSync(made);
      for (const { digest } of manifest().layers) await run('tar', ['-xf', blob(digest), '-C', root]);
      const { User, Env, Entrypoint, Healthcheck } = config().config;
      const [owner = 0] = User.split(':').map(Number);
      chownSync(data, owner, owner);
      const mounts = [
        `mount --bind ${root} ${root}`,
        `mount --bind ${data} ${root}/var/lib/vedette`,
        `mount --rbind /dev ${root}/dev`,
        `mount --bind /proc ${root}/proc`,
        `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
        `mount -o remount,ro,bind ${root}`,
      ];
      const start = `exec env -i ${Env.join(' ')} VEDETTE_PORT=0 /usr/sbin/chroot --userspec=${User} ${root} ${Entrypoint.join(' ')}`;
      const child = spawn('unshare', ['-m', 'sh', '-ec', [...mounts, start].join('\n')], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said: string[] = [];
      createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
      const ended = once(child, 'exit');
      let port = '';
      const health = () => {
        const [, , ...script] = Healthcheck.Test;
        return spawnSync(process.execPath, script, { env: { VEDETTE_PORT: port } }).status;
      };
      try {
        const failed = ended.then(() => Promise.reject(new Error(said.join('\n'))));
        const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed])) as [
          string,
        ];
        failed.catch(() => undefined);
        port = new URL((JSON.parse(line) as { url: string }).url).port;
        expect(health()).toBe(0);
        expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
        expect(statSync(join(data, 'postgres')).uid).toBe(owner);
      } finally {
        child.kill('SIGTERM');
        await ended;
      }
      expect(health()).toBe(1);
    },
    120_000,
  );
});
