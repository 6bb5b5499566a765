// Models that are not what their description says are refused.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDescription, readModel } from './model-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-'));
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = Buffer.from('a model');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const described = { name: 'mine', kind: 'nanodet', size: 320, sha256, licence: 'MIT' };
const put = async (description: unknown, model = bytes) => {
  await writeFile(
    join(folder, 'model.json'),
    typeof description === 'string' ? description : JSON.stringify(description),
  );
  await writeFile(join(folder, 'model.onnx'), model);
};

it('reads a model that has the hash of its description', async () => {
  await put(described);
  expect(await readModel(folder, await readDescription(folder))).toEqual(bytes);
});

it('refuses a file that was changed', async () => {
  await put(described, Buffer.from('another model'));
  await expect(readModel(folder, await readDescription(folder))).rejects.toThrow('another hash');
});

it.each([
  ['is no JSON', '{'],
  ['has a size that no stride divides', { ...described, size: 300 }],
  ['would need gigabytes', { ...described, size: 100_000 }],
  ['has a hash that is none', { ...described, sha256: 'x' }],
  ['is of a kind that cannot be read', { ...described, kind: 'other' }],
  ['names a path', { ...described, name: '../model' }],
])('refuses a description that %s', async (_, description) => {
  await put(description);
  await expect(readDescription(folder)).rejects.toThrow(/JSON|size|sha256|kind|name/);
});

it('refuses a folder without one', async () => {
  await expect(readDescription(join(folder, 'none'))).rejects.toThrow('ENOENT');
});
