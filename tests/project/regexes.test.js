// The regular-expression check itself: red for planted slow ones, green for fast ones, confirmed by the engine.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkRegexes } from '../../launcher/check/regex/check-regexes.js';
import { regexesIn } from '../../launcher/check/regex/find-regexes.js';
import { growthOf } from '../../launcher/check/regex/regex-growth.js';

const root = new URL('../../', import.meta.url).pathname;
/** @type {string[]} */
const planted = [];
afterAll(() => planted.forEach((folder) => fs.rmSync(folder, { recursive: true })));

/** @type {[RegExp, string, string][]} expression, what its text repeats, what then stands in the way */
const polynomial = [
  [/\s+$/, ' ', 'x'],
  [/[\s\0]+$/u, '\0', 'x'],
  [/\/+$/, '/', 'x'],
  [/^\s+|\/+$/g, '/', 'x'],
  [/^a*a*b/, 'a', ''],
  [/^\d+\d+$/, '1', 'x'],
  [/\s*,\s*/, ' ', 'x'],
  [/^(.*?)\s*$/, ' ', '\nx'],
  [/\S+@\S+/, 'a', ''],
  [/<[^>]*>/, '<', ''],
  [/^(ab)+(ab)+$/, 'ab', 'x'],
  [/^(?:a+b|a)+/, 'a', ''],
  [/^\s*[+-]?(\d+\.?\d*|\.\d+)$/, '1', 'x'],
  [/max(?:imum)?\w*reached/i, 'max', ''],
];
/** @type {[RegExp, string, string][]} */
const exponential = [
  [/(a+)+$/, 'a', 'x'],
  [/^(a|a)*$/, 'a', 'x'],
  [/^(a|aa)+$/, 'a', 'x'],
  [/^(?:a*)*b/, 'a', ''],
  [/^([a-z]+)*$/i, 'A', '1'],
  [/^(\w+\s?)*$/, 'a', '!'],
  [/^(?:a?b?)*c/, 'ab', ''],
];
/** @type {[RegExp, string, string][]} */
const linear = [
  [/^\s+/, ' ', 'x'],
  [/\s+/g, ' ', 'x'],
  [/^[a-z]{1,63}(?:\.[a-z]{1,63})*$/, 'a.', '!'],
  [/^"(?:[^"\\]|\\.)*"$/, '\\"', 'x'],
  [/^(\w+)=([^]*)$/, '=', '\n'],
  [/^(\d{1,3})\s+(.*)$/s, ' ', '\n'],
  [/\d{1,3}x/, '1', 'y'],
  [/\r?\n/, '\r', 'x'],
  [/(?:^|\D)\d+$/, '1', 'x'],
  [/^(?:(?:a?)*b)/, 'a', 'x'],
  [/^(?=.*a)b/, 'a', ''],
  [/%.*/s, '%', ''],
];

describe('expressions', () => {
  it.each(polynomial)('%s is polynomial', (regex) => {
    expect(growthOf(regex.source, regex.flags)?.kind).toBe('polynomial');
  });

  it.each(exponential)('%s is exponential', (regex) => {
    expect(growthOf(regex.source, regex.flags)?.kind).toBe('exponential');
  });

  it.each(linear)('%s is linear', (regex) => {
    expect(growthOf(regex.source, regex.flags)).toBeNull();
  });

  it.each([
    ['flags inside of it', '(?i:a)b', ''],
    ['a look behind without an end', '(?<=a+)b', ''],
    ['no expression', 'a(b', ''],
  ])('an expression that is not understood does not pass: %s', (_, source, flags) => {
    expect(growthOf(source, flags)?.kind).toBe('unknown');
  });

  it('the engine agrees: sixteen times the text costs the linear ones less than any of the others', () => {
    // Where the work is too small to be measured there is none that grows.
    const slow = linear.filter((one) => timeOf(one, 64_000) > 5 && timeOf(one, 64_000) > 64 * timeOf(one, 4_000));
    expect(slow.map(([regex]) => String(regex))).toEqual([]);
    const fast = polynomial.filter((one) => timeOf(one, 2_400) < 24 * timeOf(one, 150));
    expect(fast.map(([regex]) => String(regex))).toEqual([]);
  });
});

/**
 * Milliseconds of the processor, the best of three.
 * @param {[RegExp, string, string]} planted
 * @param {number} length
 */
function timeOf([regex, unit, end], length) {
  const text = `${unit.repeat(length / unit.length)}${end}`;
  const times = [0, 1, 2].map(() => {
    const began = process.cpuUsage();
    text.replace(regex, '');
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.max(0.01, Math.min(...times));
}

describe('the search for expressions', () => {
  it('finds literals and those built from text of the file, and reports text from elsewhere', () => {
    const text = [
      'const a = 1 / 2 / 3; // /no+/',
      "const found = /a[/]b/giu.exec('/none/');",
      "const WORD = '[a-z]+';",
      'export const made = new RegExp(`^${WORD}\\\\s*$`, "u");',
      'export const raw = RegExp(String.raw`\\d+${WORD}`);',
      'export const twice = new RegExp(found.source + "b");',
      'export const foreign = (word: string) => new RegExp(`${word}$`);',
    ].join('\n');
    expect(regexesIn('a.ts', text)).toEqual([
      { line: 2, source: 'a[/]b', flags: 'giu' },
      { line: 4, source: '^[a-z]+\\s*$', flags: 'u' },
      { line: 5, source: '\\d+[a-z]+', flags: '' },
      { line: 6, source: null, flags: '' },
      { line: 7, source: null, flags: '' },
    ]);
  });

  it('reads every shipped source of this tree, and finds nothing red', { timeout: 60_000 }, () => {
    const { files, regexes, red } = checkRegexes(root);
    expect(red).toEqual([]);
    expect(files).toBeGreaterThan(1500);
    expect(regexes).toBeGreaterThan(400);
  });

  it('[SE-82] is red for a planted one in any room, and for an unused exemption', () => {
    const tree = plantedTree({
      'protocols/a.ts': 'export const slow = (text: string) => text.replace(/\\s+$/u, "");',
      'contract/b.ts': 'import { z } from "zod";\nexport const b = z.string().regex(/^(a+)+$/);',
      'console/c.tsx': 'export const c = <p>{"a/b".split(/,\\s*/)}</p>;',
      'server/d.test.ts': 'export const d = /\\s+$/;',
      'launcher/e.js': "export const e = new RegExp('a*' + 'a*b');",
    });
    const { files, red } = checkRegexes(tree, []);
    expect(files).toBe(4);
    expect(red).toEqual([
      'contract/b.ts:2 /^(a+)+$/ is exponential in the repeats of "aa"',
      'protocols/a.ts:1 /\\s+$/u is polynomial in the repeats of "  "',
      'launcher/e.js:1 /a*a*b/ is polynomial in the repeats of "a"',
    ]);
    const accepted = [
      { file: 'protocols/a.ts', regex: '/\\s+$/u', bound: 'ten characters' },
      { file: 'protocols/a.ts', regex: '/a/', bound: 'ten characters' },
    ];
    expect(checkRegexes(tree, accepted).red).toEqual([
      expect.stringContaining('contract/b.ts:2'),
      expect.stringContaining('launcher/e.js:1'),
      'protocols/a.ts /a/ is accepted, but is not there or needs no acceptance',
    ]);
  });
});

/** @param {Record<string, string>} files */
function plantedTree(files) {
  const tree = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-regexes-'));
  planted.push(tree);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    fs.writeFileSync(path.join(tree, name), text);
  }
  return tree;
}
