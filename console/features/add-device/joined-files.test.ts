// Tests of several CSV files as one: their columns, and where each line came from.
import { readImportRows } from '@vedette/rules/onboarding/import-rows.ts';
import { expect, it } from 'vitest';
import { joinFiles, problemOfFiles } from './joined-files.ts';

const north = { name: 'north.csv', text: 'name,address\r\nGate,192.0.2.1\r\n\r\n"Dock\n3",192.0.2.2\r\n' };
const south = { name: 'south.csv', text: 'Address;User;Name\n192.0.2.3;admin;Yard\n' };

it('files with other columns and separators become one, in their order', () => {
  const { csv } = joinFiles([north, south]);
  const rows = readImportRows(csv).map(({ name, target, user }) => [name, target, user]);
  expect(rows).toEqual([
    ['Gate', '192.0.2.1', ''],
    ['Dock\n3', '192.0.2.2', ''],
    ['Yard', '192.0.2.3', 'admin'],
  ]);
});

it('a line of the whole is named by its file and its line there', () => {
  const { csv, placeOf } = joinFiles([north, south]);
  expect(readImportRows(csv).map(({ line }) => placeOf(line))).toEqual(['north.csv:2', 'north.csv:4', 'south.csv:2']);
});

it('one file stays as it is', () => {
  const { csv, placeOf } = joinFiles([south]);
  expect(csv).toBe(south.text);
  expect(placeOf(7)).toBe('7');
});

it('names the first file that cannot be read, with its line', () => {
  const broken = { name: 'broken.csv', text: 'name,address\nGate,"192.0.2.1\n' };
  expect(problemOfFiles([north, broken, { name: 'odd.csv', text: 'x\ny' }])).toEqual({
    name: 'broken.csv',
    problem: 'quote',
    line: 2,
  });
  expect(problemOfFiles([north, south])).toBeNull();
});
