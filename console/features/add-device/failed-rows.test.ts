// What failed of an import is sent again as it was written, and nothing else.
import { parseCsv, unguardCell } from '@vedette/rules/csv/csv.ts';
import { expect, it } from 'vitest';
import { failedLines, linesOf } from './failed-rows.ts';

const FILE =
  '\uFEFFname;address;password\r\nPier;192.0.2.1;a\r\n\r\n"Quay; north";192.0.2.2;"\'=1+1"\r\n门;192.0.2.3;"x""y"\r\n';

const rowsOf = (csv: string) => parseCsv(csv).rows.map((cells) => cells.map(unguardCell));

it('keeps the header and the lines that failed, with their marks and guards', () => {
  const again = linesOf(FILE, new Set([4, 5]));
  expect(rowsOf(again)).toEqual(rowsOf(FILE).toSpliced(1, 1));
  expect(rowsOf(again)[1]).toEqual(['Quay; north', '192.0.2.2', '=1+1']);
});

it('lists failed lines only after an import that was to add has ended', () => {
  const rowList = [
    { line: 2, state: 'added' },
    { line: 4, state: 'failed' },
  ] as never;
  expect(failedLines({ mode: 'apply', state: 'finished', rowList })).toEqual(new Set([4]));
  expect(failedLines({ mode: 'apply', state: 'running', rowList })).toEqual(new Set());
  expect(failedLines({ mode: 'check', state: 'finished', rowList })).toEqual(new Set());
  expect(failedLines(null)).toEqual(new Set());
});
