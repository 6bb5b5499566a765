// Tests of AMF0: bytes of the specification, every value back, and nothing but AmfError for what is broken.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmfError, type AmfValue, readAmf, writeAmf } from './amf0.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const anyValue = fc.letrec<{ value: AmfValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

describe('AMF0', () => {
  it('writes a command as the specification lays it out', () => {
    const bytes = writeAmf(['connect', 1, { app: 'live', on: true }, null]);
    const expected = hex(
      '02 0007 636f6e6e656374 00 3ff0000000000000 03 0003 617070 02 0004 6c697665 0002 6f6e 01 01 0000 09 05',
    );
    expect(bytes).toEqual(expected);
  });

  it('reads back every value', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 4 }), (values) => {
        expect(readAmf(writeAmf(values))).toEqual(values);
      }),
    );
  });

  it('reads an ECMA array, undefined and a long string', () => {
    const long = 'x'.repeat(70_000);
    expect(readAmf(hex('08 00000001 0001 61 05 0000 09 06'))).toEqual([{ a: null }, null]);
    expect(readAmf(writeAmf([long]))).toEqual([long]);
  });

  it('refuses what ends early, is nested too deep, or counts more than there is', () => {
    for (const broken of ['00 3ff0', '02 0005 61', '03 0001 61', '0a ffffffff', '0d', `${'0a 00000001 '.repeat(20)}05`])
      expect(() => readAmf(hex(broken)), broken).toThrow(AmfError);
  });

  it('throws nothing but AmfError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          readAmf(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(AmfError);
        }
      }),
    );
  });
});
