// The analyst as a process of its own: a runtime that is missing, and models that are not what they say.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_FOLDER } from '../../site/analysis/analyst-place.ts';
import { spawnAnalyst } from '../../site/analysis/spawn-analyst.ts';
import { analystAnswer, frameHead } from '../../site/analyst/frame-wire.ts';
import { describedModel, madeModel, type MadeModel, seeingModel } from '../../site/analyst/made-model.fake.ts';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';

let model: string;
beforeEach(async () => {
  model = await mkdtemp(join(tmpdir(), 'model-'));
  await cp(MODEL_FOLDER, model, { recursive: true });
});
afterEach(() => rm(model, { recursive: true }));

/** What it says first, and its exit code if it ends by that. */
async function start(runtime: string, folder: string) {
  const child = spawnAnalyst(runtime, folder);
  try {
    for await (const line of createInterface({ input: child.output })) {
      const answer = analystAnswer.parse(JSON.parse(line));
      return { ...answer, code: answer.event === 'failed' ? await child.ended : null };
    }
    return { event: 'silent', code: await child.ended };
  } finally {
    child.kill();
  }
}

async function replaceModel(bytes: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const builtIn = JSON.parse(await readFile(join(MODEL_FOLDER, 'model.json'), 'utf8')) as object;
  await writeFile(join(model, 'model.onnx'), bytes);
  await writeFile(join(model, 'model.json'), JSON.stringify({ ...builtIn, sha256 }));
}

it('without its runtime it says so, and ends', async () => {
  const answer = await start(join(model, 'none'), model);
  expect(answer).toMatchObject({ event: 'failed', code: 1 });
});

describe.skipIf(!hasAnalystRuntime)('with its runtime', () => {
  it('is ready with the model of the program', async () => {
    const model320 = { name: 'nanodet-g-320', size: 320, licence: 'Apache-2.0' };
    expect(await start(analystRuntime, model)).toMatchObject({ event: 'ready', code: null, model: model320 });
  });

  it('refuses a model that was changed', async () => {
    await writeFile(join(model, 'model.onnx'), 'changed');
    const fault = expect.stringContaining('another hash');
    expect(await start(analystRuntime, model)).toEqual({ event: 'failed', code: 1, fault, reason: 'hash' });
  });

  it.each([
    ['no model at all', () => Buffer.from('no model')],
    ['a model of other shapes', () => madeModel({ outputs: [{ dims: [1, 3, 320, 320], values: {} }], size: 320 })],
    ['an empty file', () => Buffer.alloc(0)],
  ])('fails with %s, and does not crash', async (_, bytes) => {
    await replaceModel(bytes());
    expect(await start(analystRuntime, model)).toMatchObject({ event: 'failed', code: 1 });
  });

  const put = async (bytes: Buffer, more: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    await writeFile(join(model, 'model.onnx'), bytes);
    await writeFile(join(model, 'model.json'), describedModel('mine', bytes, more));
  };

  it.each([
    ['yolo', { dims: [1, 5, 4], values: {} }],
    ['yolox', { dims: [1, 21, 6], values: {} }],
  ])('[RS-03] runs a model of the operator of the kind %s', async (kind, output) => {
    await put(madeModel({ outputs: [output] }), { kind });
    const answer = { event: 'ready', model: { name: 'mine', classes: ['vehicle'] } };
    expect(await start(analystRuntime, model)).toMatchObject(answer);
  });

  it.each(['d-fine', 'rf-detr'])('[RS-03] runs a model of the operator of the kind %s', async (kind) => {
    const outputs = [
      { dims: [1, 3, 4], values: {} },
      { dims: [1, 3, 1], values: {} },
    ];
    await put(madeModel({ outputs }), { kind });
    expect(await start(analystRuntime, model)).toMatchObject({ event: 'ready' });
  });

  it.each<[string, MadeModel, Readonly<Record<string, unknown>>, string]>([
    ['answers with numbers that are none', { outputs: [{ dims: [1, 5, 4], values: { 3: Number.NaN } }] }, {}, 'trial'],
    ['has other outputs', { outputs: [{ dims: [1, 4, 4], values: {} }] }, {}, 'trial'],
    ['has none', { outputs: [] }, {}, 'trial'],
    ['takes a frame of another size', { outputs: [{ dims: [1, 5, 4], values: {} }], size: 64 }, {}, 'trial'],
    ['takes two frames', { outputs: [{ dims: [1, 5, 4], values: {} }], inputs: 2 }, {}, 'trial'],
    ['names another file', { outputs: [{ dims: [1, 5, 4], values: {} }], externalFile: 'model.json' }, {}, 'external'],
    [
      'knows nothing that is looked for',
      { outputs: [{ dims: [1, 5, 4], values: {} }] },
      { labels: ['spoon'] },
      'description',
    ],
  ])('refuses one that %s, with its reason', async (_, made, more, reason) => {
    await put(madeModel(made), more);
    expect(await start(analystRuntime, model)).toMatchObject({ event: 'failed', code: 1, reason });
  });

  it('[RS-03] finds what a model of the operator sees', async () => {
    await put(seeingModel(0.8, [16, 8, 8, 8]));
    const child = spawnAnalyst(analystRuntime, model);
    try {
      const lines = createInterface({ input: child.output })[Symbol.asyncIterator]();
      await lines.next();
      const frame = { id: 1, width: 64, height: 32, region: null };
      child.input.write(frameHead({ ...frame, rgb: new Uint8Array() }));
      child.input.write(Buffer.alloc(64 * 32 * 3));
      const { value } = await lines.next();
      const [car] = (JSON.parse(String(value)) as { detections: { score: number }[] }).detections;
      expect(car).toMatchObject({ objectClass: 'vehicle', box: { x: 0.375, y: 0.25, width: 0.25, height: 0.5 } });
      expect(car?.score).toBeCloseTo(0.8, 5);
    } finally {
      child.kill();
    }
  });
});
