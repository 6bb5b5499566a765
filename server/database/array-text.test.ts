// PostgreSQL array literals: any text, nulls, and text that looks like array syntax.
import { expect, test } from 'vitest';
import { flagsText, numbersText, textsText } from './array-text.ts';

test('encodes numbers, flags and null', () => {
  expect(numbersText([1, null, -2.5])).toBe('{1,NULL,-2.5}');
  expect(flagsText([true, false])).toBe('{true,false}');
  expect([numbersText([]), flagsText([]), textsText([])]).toEqual(['{}', '{}', '{}']);
});

test('keeps texts that look like array syntax', () => {
  expect(textsText(['', null, 'NULL', 'a,b', '{c}', '"', '\\', '前门', '{"a":"\\"b\\\\"}'])).toBe(
    String.raw`{"",NULL,"NULL","a,b","{c}","\"","\\","前门","{\"a\":\"\\\"b\\\\\"}"}`,
  );
});
