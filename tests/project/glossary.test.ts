// The glossary is the authority on names: no exported identifier and no file uses a rejected word, and each term is used by code.
import { expect, it } from 'vitest';
import { filesBelow, sources } from './source-files.ts';

interface GlossaryRow {
  readonly term: string;
  readonly rejected: readonly string[];
}

const [glossary] = filesBelow('docs', /^docs\/glossary\.md$/);
const [rowsText = '', exceptionsText = ''] = (glossary?.text ?? '').split('\n## Words that stay');
const rows = tableRows(rowsText).map(
  ([term = '', , rejected = '']): GlossaryRow => ({ term, rejected: rejected.split(',').map(wordsOf).filter(Boolean) }),
);
/** Names that the section of exceptions spells. */
const allowed = new Set([...exceptionsText.matchAll(/`(\w+)`/g)].map(([, name]) => name));
/** Types named by a table of the database. */
const ofTables = /(?:Row|Table)$/;
const code = sources();

it('the glossary has rows in every part', () => {
  expect(rows.length).toBeGreaterThan(120);
  expect(rows.flatMap(({ rejected }) => rejected).length).toBeGreaterThan(100);
  expect(allowed.size).toBeGreaterThan(10);
});

it('no term and no rejected word has two rows', () => {
  const terms = rows.map(({ term }) => wordsOf(term));
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
  expect(rows.flatMap(({ rejected }) => rejected).filter((word) => terms.includes(word))).toEqual([]);
});

it('finds planted names', () => {
  expect(rejectedIn('ImpoundDesk')).toBe('desk');
  expect(rejectedIn('impound-desk')).toBe('desk');
  expect(rejectedIn('desktop-window')).toBeNull();
  expect(rejectedIn('KnownPictures')).toBe('pictures');
});

it('no file name uses a rejected word', () => {
  const found = code.flatMap(({ name }) =>
    name.split('/').flatMap((part) => {
      const word = rejectedIn(part.replace(/\..*$/, ''));
      return word === null ? [] : [`${name}: "${word}"`];
    }),
  );
  expect([...new Set(found)]).toEqual([]);
});

it('no exported identifier uses a rejected word', () => {
  const found = code.flatMap(({ name, text }) =>
    exportedNames(text).flatMap((identifier) => {
      if (ofTables.test(identifier) || allowed.has(identifier)) return [];
      const word = rejectedIn(identifier);
      return word === null ? [] : [`${name}: ${identifier} ("${word}")`];
    }),
  );
  expect(found).toEqual([]);
});

it('each term is used by code', () => {
  const identifiers = new Set(code.flatMap(({ text }) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const paths = code.flatMap(({ name }) => name.split(/[/.]/));
  const used = ` ${[...new Set([...identifiers, ...paths].map(wordsOf))].join(' | ')} `;
  const isUsed = (words: string) => used.includes(` ${words} `) || used.includes(` ${words}s `);
  expect(rows.map(({ term }) => term).filter((term) => !isUsed(wordsOf(term)))).toEqual([]);
});

function rejectedIn(name: string): string | null {
  const words = ` ${wordsOf(name)} `;
  return rows.flatMap(({ rejected }) => rejected).find((word) => words.includes(` ${word} `)) ?? null;
}

/** `AlarmBurst`, `alarm-burst` and `alarm burst` are the words `alarm burst`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
    .join(' ');
}

function exportedNames(text: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function\*?|const|let|interface|type) (\w+)/gm;
  return [...text.matchAll(declared)].map(([, name]) => name ?? '');
}

/** Cells of each row of each table, without headings. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| term '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
