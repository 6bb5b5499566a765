// Models that are not what their description says are refused.
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { madeModel } from './made-model.fake.ts';
import { readDescription, readModel } from './model-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-'));
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = madeModel({ outputs: [] });
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

it('refuses a link in place of a file, and one that names other files', async () => {
  await put(described);
  await rename(join(folder, 'model.onnx'), join(folder, 'other.onnx'));
  await symlink(join(folder, 'other.onnx'), join(folder, 'model.onnx'));
  await expect(readModel(folder, await readDescription(folder))).rejects.toMatchObject({ reason: 'file' });
  await rm(join(folder, 'model.onnx'));
  const external = madeModel({ outputs: [{ dims: [1, 5, 4], values: {} }], externalFile: '/etc/hostname' });
  await put({ ...described, sha256: createHash('sha256').update(external).digest('hex') }, external);
  await expect(readModel(folder, await readDescription(folder))).rejects.toMatchObject({ reason: 'external' });
});

it('takes the colours of a family, in the order that it names', async () => {
  await put({ ...described, kind: 'rf-detr', colours: 'bgr' });
  expect((await readDescription(folder)).planes).toEqual({
    order: 'bgr',
    mean: [103.53, 116.28, 123.675],
    deviation: [57.375, 57.12, 58.395],
  });
  await put({ ...described, kind: 'yolo', mean: [1, 2, 3], deviation: [4, 5, 6], labels: ['car'] });
  const { planes, labels } = await readDescription(folder);
  expect([planes, labels]).toEqual([{ order: 'rgb', mean: [1, 2, 3], deviation: [4, 5, 6] }, ['car']]);
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
  await expect(readDescription(join(folder, 'none'))).rejects.toMatchObject({ reason: 'file' });
});
