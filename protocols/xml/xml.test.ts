// Tests of the XML reader and writer: limits, encodings, namespaces, and that what is written is read back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { XmlError, parseXml } from './xml.ts';
import { element, escapeXml, serializeXml } from './xml-writer.ts';

function kindOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof XmlError) return error.kind;
    throw error;
  }
  return 'accepted';
}

describe('parseXml', () => {
  test('reads names, namespaces, attributes, text and nesting', () => {
    const root = parseXml('<a:r xmlns:a="urn:a" xmlns="urn:d" a:id="1" id="2"><c>x<![CDATA[<y>]]>z</c><a:c/></a:r>');
    expect([root.name, root.prefix, root.namespace]).toEqual(['r', 'a', 'urn:a']);
    expect(root.attributes).toEqual([
      { name: 'id', namespace: 'urn:a', value: '1' },
      { name: 'id', namespace: '', value: '2' },
    ]);
    expect(root.child('c')?.text).toBe('x<y>z');
    expect(root.child('c')?.namespace).toBe('urn:d');
    expect(root.child('c', 'urn:a')?.text).toBe('');
    expect(root.childrenNamed('c')).toHaveLength(2);
  });

  test('resolves QNames in text against the prefixes in scope, also rebound ones', () => {
    const root = parseXml('<r xmlns:t="urn:outer"><a>t:X</a><b xmlns:t="urn:inner"><c>t:X</c></b></r>');
    const at = (...path: string[]) => root.path(...path)?.resolveQName(' t:X ');
    expect(at('a')).toEqual({ namespace: 'urn:outer', name: 'X' });
    expect(at('b', 'c')).toEqual({ namespace: 'urn:inner', name: 'X' });
    expect(root.resolveQName('q:X')).toEqual({ namespace: '', name: 'X' });
  });

  test('keeps an element whose prefix is bound nowhere', () => {
    const root = parseXml('<S:Envelope xmlns:s="urn:s"><S:Body/></S:Envelope>');
    expect([root.name, root.namespace, root.child('Body')?.name]).toEqual(['Envelope', '', 'Body']);
  });

  test('attributes named like members of Object.prototype are ordinary', () => {
    const root = parseXml('<r __proto__="1" constructor="2"/>');
    expect(root.attribute('__proto__')).toBe('1');
    expect(root.attribute('constructor')).toBe('2');
    expect(root.attribute('toString')).toBeUndefined();
  });

  test.each([
    ['doctype', '<!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>'],
    ['doctype', '<?xml version="1.0"?><!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'],
    ['malformed', '<r>&undefined;</r>'],
    ['malformed', '<r><a></r>'],
    ['malformed', '<r a="1" a="2"/>'],
    ['malformed', '<r>'],
    ['malformed', ''],
    ['malformed', 'HTTP page'],
    ['malformed', '<?xml version="1.0"'],
    ['malformed', '<a/><b/>'],
    ['too-deep', '<a>'.repeat(70) + '</a>'.repeat(70)],
    ['too-many-attributes', `<a ${Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' ')}/>`],
  ])('refuses as %s: %.40s', (kind, text) => {
    expect(kindOf(() => parseXml(text))).toBe(kind);
  });

  test('bounds size and number of elements', () => {
    expect(kindOf(() => parseXml('<a/>', { maxSize: 3 }))).toBe('too-large');
    expect(kindOf(() => parseXml(Buffer.alloc(5 << 20, 0x20)))).toBe('too-large');
    expect(kindOf(() => parseXml('<a><b/><b/></a>', { maxElements: 2 }))).toBe('too-many-elements');
  });

  test('accepts what devices write wrongly around the root', () => {
    expect(parseXml('\n\n<?xml version=”1.0” ?>\n<a/>').name).toBe('a');
    expect(parseXml('\uFEFF<?xml version="1.0"?><a/>\0\0').name).toBe('a');
    expect(parseXml(Buffer.from('<?xml version="1.0" encoding="utf-16"?><a/>')).name).toBe('a');
  });

  test.each([
    ['white space', ' '],
    ['null characters', '\0'],
    ['line ends', '\r\n'],
  ])('the time that %s inside of a document takes grows no faster than the document', (_, unit) => {
    const began = process.cpuUsage();
    kindOf(() => parseXml(`<a>${unit.repeat(60_000)}x</a>`));
    const { user, system } = process.cpuUsage(began);
    // Tried anew from each of them it takes ten seconds.
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  test('decodes by bytes first, then by declaration, then as GB 18030', () => {
    const gbk = Buffer.from([0xb4, 0xf3, 0xc3, 0xc5]);
    const around = (head: string) => Buffer.concat([Buffer.from(`${head}<a>`), gbk, Buffer.from('</a>')]);
    expect(parseXml(around('<?xml version="1.0" encoding="gb2312"?>')).text).toBe('大门');
    expect(parseXml(around('<?xml version="1.0" encoding="UTF-8"?>')).text).toBe('大门');
    expect(parseXml(around('<?xml version="1.0" encoding="x-unknown"?>')).text).toBe('大门');
    expect(parseXml(Buffer.from('<a>大门</a>', 'utf16le')).text).toBe('大门');
    expect(parseXml(Buffer.from('\uFEFF<a>大门</a>', 'utf16le')).text).toBe('大门');
  });
});

describe('serializeXml', () => {
  test('any text and attribute comes back as it went in', () => {
    const carried = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(carried, carried, (text, value) => {
        const back = parseXml(serializeXml(element('t:a', { 'xmlns:t': 'urn:t', v: value }, element('t:b', {}, text))));
        const expected = (s: string) => s.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
        expect(back.attribute('v')).toBe(expected(value));
        expect(back.child('b')?.text).toBe(expected(text));
      }),
      { numRuns: 300 },
    );
  });

  test('names with markup stay one text', () => {
    expect(escapeXml(`p<1>&"'大门`)).toBe('p&lt;1&gt;&amp;&quot;&apos;大门');
    expect(parseXml(serializeXml(element('a', {}, 'p<1>&"大门]]>'))).text).toBe('p<1>&"大门]]>');
  });

  test('leaves out what is undefined and refuses names that are none', () => {
    expect(serializeXml(element('a', { x: undefined, y: '' }, undefined, [element('b'), undefined]))).toContain(
      '<a y=""><b/></a>',
    );
    expect(() => serializeXml(element('a b'))).toThrow(TypeError);
    expect(() => serializeXml(element('a', { 'x="" y': '' }))).toThrow(TypeError);
  });
});
