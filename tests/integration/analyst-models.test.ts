// The analyst as a process of its own: a runtime that is missing, and models that are not what they say.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_FOLDER } from '../../site/analysis/analyst-place.ts';
import { spawnAnalyst } from '../../site/analysis/spawn-analyst.ts';
import { analystAnswer } from '../../site/analyst/frame-wire.ts';
import { readDescription } from '../../site/analyst/model-file.ts';
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
  await writeFile(join(model, 'model.onnx'), bytes);
  await writeFile(join(model, 'model.json'), JSON.stringify({ ...(await readDescription(MODEL_FOLDER)), sha256 }));
}

/** ONNX with one node that answers its input: a valid model of other shapes (onnx.proto: ModelProto, GraphProto, NodeProto). */
function identityModel(): Buffer {
  const text = (value: string) => Buffer.from(value);
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const varint = (number: number, value: number) => Buffer.from([number << 3, value]);
  const dim = (value: number) => field(1, Buffer.concat([Buffer.from([0x08]), leb(value)]));
  const shape = Buffer.concat([1, 3, 320, 320].map(dim));
  const tensor = Buffer.concat([varint(1, 1), field(2, shape)]);
  const value = (name: string) => Buffer.concat([field(1, text(name)), field(2, field(1, tensor))]);
  const node = Buffer.concat([field(1, text('images')), field(2, text('same')), field(4, text('Identity'))]);
  const graph = Buffer.concat([
    field(1, node),
    field(2, text('g')),
    field(11, value('images')),
    field(12, value('same')),
  ]);
  return Buffer.concat([varint(1, 8), field(7, graph), field(8, varint(2, 13))]);
}

function leb(value: number): Buffer {
  return value < 128 ? Buffer.from([value]) : Buffer.from([(value & 127) | 128, value >> 7]);
}

it('without its runtime it says so, and ends', async () => {
  const answer = await start(join(model, 'none'), model);
  expect(answer).toMatchObject({ event: 'failed', code: 1 });
});

describe.skipIf(!hasAnalystRuntime)('with its runtime', () => {
  it('is ready with the model of the program', async () => {
    expect(await start(analystRuntime, model)).toEqual({ event: 'ready', code: null });
  });

  it('refuses a model that was changed', async () => {
    await writeFile(join(model, 'model.onnx'), 'changed');
    const fault = expect.stringContaining('another hash');
    expect(await start(analystRuntime, model)).toEqual({ event: 'failed', code: 1, fault });
  });

  it.each([
    ['no model at all', () => Buffer.from('no model')],
    ['a model of other shapes', identityModel],
    ['an empty file', () => Buffer.alloc(0)],
  ])('fails with %s, and does not crash', async (_, bytes) => {
    await replaceModel(bytes());
    expect(await start(analystRuntime, model)).toMatchObject({ event: 'failed', code: 1 });
  });
});
