// Names of segments of the write-ahead log (PostgreSQL manual, 26.3).
import { expect, it } from 'vitest';
import { segmentAt } from './base-backup.js';

it.each([
  ['0/5000028', 1, '000000010000000000000005'],
  ['0/FF000000', 1, '0000000100000000000000FF'],
  ['1A/2B3C4D5E', 2, '000000020000001A0000002B'],
])('%s of timeline %i lies in %s', (recptr, tli, name) => {
  expect(segmentAt({ recptr, tli })).toBe(name);
});
