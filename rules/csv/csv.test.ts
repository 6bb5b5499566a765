// Tests of reading and writing CSV: what is written is read back, and no cell becomes a formula.
import { expect, test } from 'vitest';
import { CsvError, parseCsv, unguardCell, writeCsv } from './csv.ts';

/** A small generator of its own, so that a failure can be told again (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const alphabet = ['a', '正', '😀', '"', ',', ';', '\n', '\r', '\t', "'", '=', '+', '-', '@', '＝', ' ', '1'];

test('[LM-03] [SE-95] reads back whatever was written, and no cell starts a formula', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomOf(seed);
    const cell = () =>
      Array.from({ length: Math.floor(random() * 6) }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    const width = 2 + Math.floor(random() * 3);
    const header = Array.from({ length: width }, (_, index) => `c${index}`);
    const rows = [header, ...Array.from({ length: 3 }, () => Array.from({ length: width }, cell))];
    const text = writeCsv(rows);
    expect(text.startsWith('\uFEFF'), 'the byte order mark').toBe(true);
    const read = parseCsv(text).rows;
    expect(
      read.map((row) => row.map(unguardCell)),
      `seed ${seed}`,
    ).toEqual(rows);
    for (const one of read.flat()) expect(one, `seed ${seed}`).not.toMatch(/^[=+\-@\t\r＝＋－＠]/u);
  }
});

test('reads CSV as spreadsheets write it', () => {
  expect(parseCsv('\uFEFFname;address\r\nGate;192.0.2.1\r\n').rows).toEqual([
    ['name', 'address'],
    ['Gate', '192.0.2.1'],
  ]);
  expect(parseCsv('name\taddress\nGate\t192.0.2.1').rows[1]).toEqual(['Gate', '192.0.2.1']);
  expect(parseCsv('name,address\n\n"Dock ""3""\nleft",x\n,y\n')).toEqual({
    rows: [
      ['name', 'address'],
      ['Dock "3"\nleft', 'x'],
      ['', 'y'],
    ],
    lines: [1, 3, 5],
  });
  expect(parseCsv('').rows).toEqual([]);
});

test.each([
  ['a,"b\nc', 1],
  ['a,b\nx,y"z"', 2],
  ['a,b\n"x"y,z', 2],
])('refuses %j with its line number', (text, line) => {
  expect(() => parseCsv(text)).toThrow(CsvError);
  try {
    parseCsv(text);
  } catch (error) {
    expect((error as CsvError).line).toBe(line);
  }
});
