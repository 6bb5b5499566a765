// Models whose tensors lie in other files are found, wherever in the model; what is no model is refused.
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hasExternalData } from './external-data.ts';
import { madeModel, seeingModel } from './made-model.fake.ts';

const outputs = [{ dims: [1, 5, 4], values: {} }];

it('finds a tensor in a file of the machine', () => {
  expect(hasExternalData(madeModel({ outputs, externalFile: '/etc/passwd' }))).toBe(true);
  expect(hasExternalData(madeModel({ outputs, externalFile: 'weights.bin' }))).toBe(true);
});

it('finds none in whole models', async () => {
  expect(hasExternalData(seeingModel(0.9, [16, 16, 8, 8]))).toBe(false);
  const ours = await readFile(new URL('models/nanodet-g-320/model.onnx', import.meta.url));
  expect(hasExternalData(ours)).toBe(false);
});

it('answers or throws RangeError, whatever the bytes are', () => {
  const whole = madeModel({ outputs, externalFile: 'weights.bin' });
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.nat({ max: whole.length - 1 }).map((end) => whole.subarray(0, end)),
  );
  fc.assert(
    fc.property(anything, (bytes) => {
      try {
        hasExternalData(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});
