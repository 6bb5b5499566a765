// Forms of uploads in any order, cut and changed at any place: each is taken or refused, and ends nothing but itself.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CallError } from '../../core/call-error.ts';
import { FirmwareForm, type ReadForm } from './firmware-form.ts';
import { FirmwareStore } from './firmware-store.ts';

let folder: string;
let store: FirmwareStore;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-forms-'));
  store = new FirmwareStore(folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const HEADERS = { 'content-type': 'multipart/form-data; boundary=edge' };
const DISPOSITIONS = [
  'form-data; name="deviceModel"',
  'form-data; name="version"',
  'form-data; name="file"; filename="fw.bin"',
  'form-data; name="other"; filename="fw.bin"',
  'form-data; name=""; filename=""',
  'form-data; filename="fw.bin"',
  'form-data',
  "attachment; filename*=utf-8''%ff",
  '',
];

async function read(chunks: readonly Buffer[], headers = HEADERS): Promise<ReadForm | CallError> {
  count += 1;
  return await new FirmwareForm(String(count), store)
    .read(headers, Readable.from(chunks, { objectMode: false }))
    .catch((error: unknown) => {
      if (error instanceof CallError) return error;
      throw error;
    });
}

const part = fc
  .tuple(fc.constantFrom(...DISPOSITIONS), fc.string({ maxLength: 40 }), fc.constantFrom('\r\n\r\n', '\r\n', ''))
  .map(([disposition, value, head]) => `--edge\r\nContent-Disposition: ${disposition}${head}${value}\r\n`);
const form = fc
  .tuple(
    fc.array(part, { maxLength: 12 }),
    fc.constantFrom('--edge--\r\n', '--edge', ''),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([parts, end, kept]) => {
    const body = Buffer.from(parts.join('') + end);
    return body.subarray(0, Math.ceil(body.length * kept));
  });

it('[SE-94] any form, cut anywhere, is taken or refused, and nothing is written once its file is dropped', async () => {
  await fc.assert(
    fc.asyncProperty(form, fc.integer({ min: 1, max: 64 }), async (body, chunk) => {
      const chunks = Array.from({ length: Math.ceil(body.length / chunk) }, (_none, at) =>
        body.subarray(at * chunk, (at + 1) * chunk),
      );
      await read(chunks);
      await store.drop(String(count));
      expect(await readdir(folder)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('[SE-94] a part of another name that is cut off is refused', async () => {
  for (const disposition of DISPOSITIONS) {
    const body = Buffer.from(`--edge\r\nContent-Disposition: ${disposition}\r\n\r\nhalf of it`);
    expect(await read([body]), disposition).toBeInstanceOf(CallError);
  }
});

it('[SE-94] a form that says no boundary is refused', async () => {
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; edge',
    'text/plain',
  ])
    expect(await read([Buffer.from('--edge--')], { 'content-type': type }), type).toBeInstanceOf(CallError);
});
