// Encodings of XML documents: what the bytes say counts more than what the declaration says.
import { expect, test } from 'vitest';
import { decodeXmlBytes } from './xml-encoding.ts';

const wide = (text: string, isLittle: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};
const gate = Uint8Array.of(0xb4, 0xf3, 0xc3, 0xc5);
const declared = (encoding: string, body: Uint8Array) =>
  Buffer.concat([Buffer.from(`<?xml version="1.0" encoding=${encoding}?><a>`), body, Buffer.from('</a>')]);

test.each([
  ['UTF-8 without a declaration', Buffer.from('<a>大门</a>'), '<a>大门</a>'],
  ['UTF-8 behind its mark', Buffer.from('\ufeff<a>ü</a>'), '<a>ü</a>'],
  ['wide, little end first, with a mark', wide('\ufeff<a>ü</a>', true), '<a>ü</a>'],
  ['wide, big end first, with a mark', wide('\ufeff<a>ü</a>', false), '<a>ü</a>'],
  ['wide, little end first, without a mark', wide('<a>大</a>', true), '<a>大</a>'],
  ['wide, big end first, without a mark', wide('<a>大</a>', false), '<a>大</a>'],
  ['nothing', new Uint8Array(), ''],
  ['one byte', Uint8Array.of(0x3c), '<'],
])('%s', (_, bytes, text) => expect(decodeXmlBytes(bytes)).toBe(text));

test.each([
  ['"utf-16"', 'plain ASCII that says it is wide'],
  ["'gb2312'", 'ASCII of any other name'],
])('encoding=%s: %s', (encoding) => {
  expect(decodeXmlBytes(declared(encoding, Buffer.from('ok')))).toContain('<a>ok</a>');
});

test.each([
  ['"GB2312"', gate, '大门'],
  ["'gbk'", gate, '大门'],
  ['"iso-8859-1"', Uint8Array.of(0xfc), 'ü'],
  // Not UTF-8, though it says so.
  ['"UTF-8"', gate, '大门'],
  ['"utf-16"', gate, '大门'],
  ['"x-never-heard-of"', gate, '大门'],
  ['none', gate, '大门'],
])('bytes that are not UTF-8 with encoding=%s', (encoding, bytes, text) => {
  expect(decodeXmlBytes(declared(encoding, bytes))).toContain(`<a>${text}</a>`);
});
