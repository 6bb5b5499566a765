// Frames on the pipe of the analyst, however it cuts them, and heads that no decoder makes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type NumberedFrame, frameHead, readFrames } from './frame-wire.ts';

const region = (width: number, height: number) =>
  fc.record({ x: fc.nat({ max: width - 1 }), y: fc.nat({ max: height - 1 }) }).chain(({ x, y }) =>
    fc.record({
      x: fc.constant(x),
      y: fc.constant(y),
      width: fc.integer({ min: 1, max: width - x }),
      height: fc.integer({ min: 1, max: height - y }),
    }),
  );

const frame = fc
  .record({
    id: fc.nat({ max: 2 ** 32 - 1 }),
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
  })
  .chain(({ id, width, height }) =>
    fc
      .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
      .chain((rgb) =>
        fc.option(region(width, height)).map((part): NumberedFrame => ({ id, width, height, rgb, region: part })),
      ),
  );

async function all(frames: AsyncIterable<NumberedFrame>): Promise<NumberedFrame[]> {
  const found: NumberedFrame[] = [];
  for await (const one of frames) found.push(one);
  return found;
}

async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

it('reads the same frames however the pipe cuts them', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 4 }), sizes, async (frames, cuts) => {
      const bytes = Buffer.concat(frames.flatMap((one) => [frameHead(one), Buffer.from(one.rgb)]));
      const read = await all(readFrames(inPieces(bytes, cuts)));
      expect(read.map((one) => ({ ...one, rgb: Uint8Array.from(one.rgb) }))).toEqual(frames);
    }),
  );
});

it.each([
  [0, 10],
  [10, 0],
  [2049, 10],
  [10, 4_294_967_295],
])('refuses a frame of %i × %i', async (width, height) => {
  const head = frameHead({ id: 1, width, height, rgb: new Uint8Array(), region: null });
  await expect(all(readFrames(inPieces(head, [28])))).rejects.toThrow(RangeError);
});

it('refuses a region that leaves the frame', async () => {
  const region = { x: 5, y: 0, width: 6, height: 10 };
  const head = frameHead({ id: 1, width: 10, height: 10, rgb: new Uint8Array(300), region });
  await expect(all(readFrames(inPieces(head, [28])))).rejects.toThrow(RangeError);
});
