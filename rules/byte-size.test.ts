// Tests of readable sizes.
import { expect, it } from 'vitest';
import { GIGABYTE, readableSize } from './byte-size.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 kb'],
  [2 * GIGABYTE, '2 gb'],
  [240.4 * GIGABYTE, '240 gb'],
  [1100 * GIGABYTE, '1.1 tb'],
])('%d bytes read as %s', (bytes, text) => {
  const { value, unit } = readableSize(bytes);
  expect(`${value} ${unit}`).toBe(text);
});
