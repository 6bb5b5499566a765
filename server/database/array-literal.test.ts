// PostgreSQL array literals: any text, nulls, and text that looks like array syntax.
import { expect, test } from 'vitest';
import { booleanArrayLiteral, numberArrayLiteral, textArrayLiteral } from './array-literal.ts';

test('encodes numbers, flags and null', () => {
  expect(numberArrayLiteral([1, null, -2.5])).toBe('{1,NULL,-2.5}');
  expect(booleanArrayLiteral([true, false])).toBe('{true,false}');
  expect([numberArrayLiteral([]), booleanArrayLiteral([]), textArrayLiteral([])]).toEqual(['{}', '{}', '{}']);
});

test('keeps texts that look like array syntax', () => {
  expect(textArrayLiteral(['', null, 'NULL', 'a,b', '{c}', '"', '\\', '前门', '{"a":"\\"b\\\\"}'])).toBe(
    String.raw`{"",NULL,"NULL","a,b","{c}","\"","\\","前门","{\"a\":\"\\\"b\\\\\"}"}`,
  );
});
