// Whatever other programs, browsers, disks and earlier versions know of the product stays as it is, however the sources are renamed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@vedette/contract/calls/calls.ts';
import { beforeAll, expect, it } from 'vitest';
import { expectSnapshot } from './snapshot-file.ts';
import { root } from './source-files.ts';
import { breaksBetween, laterMajors, unaccepted } from './wire/call-breaks.ts';
import { callLines } from './wire/call-lines.ts';
import { jsonShapes } from './wire/json-shapes.ts';
import { TypePrinter } from './wire/print-type.ts';
import { openProductProgram, type ProductProgram } from './wire/product-program.ts';
import { typeLines } from './wire/type-lines.ts';
import { valueLines } from './wire/value-lines.ts';
import { wireValues } from './wire/wire-roots.ts';
import { WORD_LISTS, wireWords } from './wire/wire-words.ts';

const ROOTS = 'tests/project/wire/wire-roots.ts';
const kept = (name: string) => `tests/project/wire/snapshots/${name}.txt`;

let product: ProductProgram;

// All sources are read and typed: quick on a quiet machine, minutes beside seven others.
beforeAll(() => {
  product = openProductProgram([ROOTS]);
}, 300_000);

it('keeps the calls with their fields, permissions and kinds of audit, and breaks none before the next major version', () => {
  const lines = Object.entries(calls).flatMap(([path, declared]) => callLines(path, declared));
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const accepted = laterMajors(read('docs/breaking-changes.md'), version);
  const breaks = unaccepted(breaksBetween(read(kept('calls')).split('\n'), lines), accepted);
  // First: the snapshot is not renewed over them.
  expect(breaks, 'these calls break programs of others; see docs/breaking-changes.md').toEqual([]);
  expectSnapshot(kept('calls'), lines.toSorted());
});

it('keeps the numbers and words of the contract, and the bytes of records', () => {
  expectSnapshot(
    kept('values'),
    Object.entries(wireValues).flatMap(([label, value]) => valueLines(label, value)),
  );
});

it('keeps the fields of messages, of calls of sites, of columns and of what is stored in them', () => {
  expectSnapshot(kept('messages'), typeLines(product.checker, product.file(ROOTS), 'WireTypes'));
}, 300_000);

it('keeps the fields of all that is written or read as JSON', () => {
  expectSnapshot(kept('json'), jsonShapes(product, new TypePrinter(product.checker)));
}, 300_000);

it('keeps paths, query words, headers, metrics, variables, options, close codes, files and keys', () => {
  const words = wireWords(product);
  for (const list of WORD_LISTS) expect(words[list].length, `no ${list} found`).toBeGreaterThan(0);
  expectSnapshot(
    kept('words'),
    WORD_LISTS.flatMap((list) => words[list].map((word) => `${list}: ${word.replaceAll('\n', '\\n')}`)),
  );
}, 300_000);
