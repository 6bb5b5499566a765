// Changes of a call that break programs of others, and changes that do not.
import type { Call } from '@vedette/contract/call.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { breaksBetween, laterMajors, unaccepted } from './wire/call-breaks.ts';
import { callLines } from './wire/call-lines.ts';

const INPUT = {
  name: z.string().min(1).max(9),
  kind: z.enum(['a', 'b']).optional(),
  count: z.number().int().optional(),
};
const OUTPUT = {
  rows: z.array(z.object({ id: z.string(), state: z.enum(['on', 'off']) })),
  next: z.string().optional(),
};

function linesOf(input: z.ZodRawShape, output: z.ZodRawShape, more: Partial<Call> = {}): string[] {
  const rest = { summary: 'Lists', permission: { kind: 'session' }, audit: 'none' } as const;
  return callLines('a/list', { ...rest, input: z.object(input).strict(), output: z.object(output), ...more });
}

const before = linesOf(INPUT, OUTPUT);
const breaks = (input: z.ZodRawShape, output: z.ZodRawShape, more: Partial<Call> = {}) =>
  breaksBetween(before, linesOf(input, output, more));
const { name: _name, ...withoutName } = INPUT;
const rowsWith = (shape: z.ZodRawShape) => ({ ...OUTPUT, rows: z.array(z.object(shape)) });
const row = OUTPUT.rows.element.shape;

it.each<[string, z.ZodRawShape, z.ZodRawShape]>([
  ['nothing changed', INPUT, OUTPUT],
  ['a new optional field', { ...INPUT, page: z.number().optional() }, OUTPUT],
  ['a new optional object that requires fields', { ...INPUT, more: z.object({ x: z.string() }).optional() }, OUTPUT],
  ['wider limits', { ...INPUT, name: z.string().max(20), count: z.number().optional() }, OUTPUT],
  ['a further value', { ...INPUT, kind: z.enum(['a', 'b', 'c']).optional() }, OUTPUT],
  ['nothing required any more', { ...INPUT, name: INPUT.name.optional() }, OUTPUT],
  ['null taken too', { ...INPUT, name: INPUT.name.nullable() }, OUTPUT],
  ['more answered', INPUT, { ...rowsWith({ ...row, at: z.number() }), total: z.number() }],
  ['a further value answered', INPUT, rowsWith({ ...row, state: z.enum(['on', 'off', 'lost']) })],
  ['always answered now', INPUT, { ...OUTPUT, next: z.string() }],
])('%s breaks nothing', (_what, input, output) => {
  expect(breaks(input, output)).toEqual([]);
});

it.each<[string, z.ZodRawShape, z.ZodRawShape, Partial<Call>?]>([
  ['`a/list > name` is gone', withoutName, OUTPUT],
  ['`a/list > page` is required now', { ...INPUT, page: z.number() }, OUTPUT],
  ['`a/list > kind` is required now', { ...INPUT, kind: z.enum(['a', 'b']) }, OUTPUT],
  ['`a/list > name` takes another shape', { ...INPUT, name: z.string().min(1).max(8) }, OUTPUT],
  ['`a/list > name` takes another shape', { ...INPUT, name: INPUT.name.regex(/^x/) }, OUTPUT],
  ['`a/list > name` takes another shape', { ...INPUT, name: z.number() }, OUTPUT],
  ['`a/list > kind` takes another shape', { ...INPUT, kind: z.enum(['a']).optional() }, OUTPUT],
  ['`a/list < next` is gone', INPUT, { rows: OUTPUT.rows }],
  ['`a/list < rows [] state` is gone', INPUT, rowsWith({ id: row.id })],
  ['`a/list < rows [] id` may be missing now', INPUT, rowsWith({ ...row, id: z.string().optional() })],
  ['`a/list < rows [] id` takes another shape', INPUT, rowsWith({ ...row, id: z.number() })],
  ['`a/list < rows [] id` takes another shape', INPUT, rowsWith({ ...row, id: z.string().nullable() })],
  ['`a/list < rows [] state` takes another shape', INPUT, rowsWith({ ...row, state: z.enum(['on']) })],
  ['`a/list` needs another permission', INPUT, OUTPUT, { permission: { kind: 'public' } }],
])('%s', (found, input, output, more = {}) => {
  expect(breaks(input, output, more)).toEqual([found]);
});

it('null may be answered no more, and taken too, but not the other way round', () => {
  const line = (direction: string, type: unknown): string[] => [`a/get ${direction} x ${JSON.stringify({ type })}`];
  const change = (direction: string, from: unknown, to: unknown) =>
    breaksBetween(
      ['a/get {"permission":{}}', ...line(direction, from)],
      ['a/get {"permission":{}}', ...line(direction, to)],
    );
  const orNull = ['string', 'null'];
  expect([change('<', orNull, 'string'), change('>', 'string', orNull), change('<', orNull, orNull)]).toEqual([
    [],
    [],
    [],
  ]);
  expect(change('<', 'string', orNull)).toEqual(['`a/get < x` takes another shape']);
  expect(change('>', orNull, 'string')).toEqual(['`a/get > x` takes another shape']);
});

it('a call that is gone is named once, and one that is new breaks nothing', () => {
  expect(breaksBetween(before, [])).toEqual(['`a/list` is gone']);
  expect(breaksBetween([], before)).toEqual([]);
});

it('is accepted by a line with its reason, for a later major version alone', () => {
  const text =
    '# Title\n\n## 2.0.0\n\n- `a/list` is gone: b/list says the same and more\n- `c/get` is gone: \n\n## 1.0.0\n\n- `d/get` is gone: long ago and far away\n';
  const found = ['`a/list` is gone', '`c/get` is gone', '`d/get` is gone'];
  expect(unaccepted(found, laterMajors(text, '1.4.2'))).toEqual(['`c/get` is gone', '`d/get` is gone']);
  expect(unaccepted(found, laterMajors(text, '2.0.0'))).toEqual(found);
});
