// An image: equal files make equal bytes, whenever and in whatever order they were written, and everything in it has its digest.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../bootstrap/install.js';
import { productVersion } from '../core/product-version.js';
import { OciImage } from './oci-image.js';

let home = '';
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-image-test-'));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

/**
 * @param {string} name
 * @param {Record<string, string>} files
 */
async function build(name, files) {
  const folder = path.join(home, name);
  fs.mkdirSync(path.join(folder, 'bin'), { recursive: true });
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, file), text);
  const image = new OciImage(path.join(home, `${name}-layout`), 1_790_000_000);
  await image.addFolder(folder, { owner: 1500, note: 'a layer' });
  const file = path.join(home, `${name}.tar`);
  const about = { name: 'vedette:1.2.3', architecture: 'amd64', config: { User: '1500:1500' } };
  return { file, ...image.write(file, about) };
}

it('is equal for equal files and another for others', async () => {
  const one = await build('one', { a: '1', 'bin/b': '2' });
  const again = await build('again', { 'bin/b': '2', a: '1' });
  const other = await build('other', { a: '1', 'bin/b': '3' });
  expect(again.digest).toBe(one.digest);
  expect(fs.readFileSync(again.file).equals(fs.readFileSync(one.file))).toBe(true);
  expect(other.digest).not.toBe(one.digest);
});

it('leads from its index to a layer whose files have owner and time of the image', async () => {
  const { file, digest } = await build('one', { a: '1' });
  const layout = path.join(home, 'unpacked');
  fs.mkdirSync(layout);
  spawnSync('tar', ['-xf', file, '-C', layout]);
  const blob = (/** @type {string} */ one) => path.join(layout, 'blobs', 'sha256', one.replace('sha256:', ''));
  const read = (/** @type {string} */ one) => JSON.parse(fs.readFileSync(one, 'utf8'));
  const [manifest] = read(path.join(layout, 'index.json')).manifests;
  expect([manifest.digest, manifest.annotations['org.opencontainers.image.ref.name']]).toEqual([digest, '1.2.3']);
  const { config, layers } = read(blob(digest));
  const tar = spawnSync('gzip', ['-dc', blob(layers[0].digest)]).stdout;
  const diffId = `sha256:${createHash('sha256').update(tar).digest('hex')}`;
  expect(read(blob(config.digest))).toMatchObject({
    created: '2026-09-21T14:13:20.000Z',
    rootfs: { diff_ids: [diffId] },
  });
  const { stdout } = spawnSync('tar', ['--utc', '-tvf', '-'], { input: tar, encoding: 'utf8' });
  expect(stdout).toMatch(/-rw-r--r-- 1500\/1500 +1 2026-09-21 14:13 \.\/a/);
});

it('has the name that the file for Docker Compose asks for', () => {
  const compose = fs.readFileSync(path.join(root, 'docs/operations/container/compose.yaml'), 'utf8');
  expect(compose).toContain(`image: vedette:${productVersion(root)}\n`);
});
