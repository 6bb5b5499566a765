// Motion cells and time zones on the wire: captured words, and that reading undoes writing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCellBits, writeCellBits } from './cell-bits.ts';
import { readPosixZone, writePosixZone } from './posix-zone.ts';

describe('cells of the motion detector', () => {
  test('all 22 by 18 cells as cameras send them', () => {
    expect(readCellBits('0P8A8A==', 396)).toBe('1'.repeat(396));
    expect(writeCellBits('1'.repeat(396))).toBe('0P8A8A==');
    expect(readCellBits(writeCellBits('0'.repeat(396)), 396)).toBe('0'.repeat(396));
  });

  test('what does not fill the cells is none', () => {
    for (const text of ['', '0P8=', '!!', 'BQE=']) expect(readCellBits(text, 396)).toBeNull();
  });

  test('reading undoes writing', () => {
    const cells = fc.array(fc.constantFrom('0', '1', '11111111111111111', '00000000000000000'), { minLength: 1 });
    fc.assert(
      fc.property(cells, (parts) => {
        const text = parts.join('');
        expect(readCellBits(writeCellBits(text), text.length)).toBe(text);
      }),
    );
  });
});

describe('POSIX time zones', () => {
  test.each([
    ['MoroccoStandardTime0', 0],
    ['CST-8', 480],
    ['UTC', 0],
    ['<-03>3', -180],
    ['NST3:30NDT,M3.2.0,M11.1.0', -210],
  ])('%s is %i minutes east', (text, offset) => expect(readPosixZone(text)?.offset).toBe(offset));

  test('rules of daylight saving', () => {
    expect(readPosixZone('CET-1CEST,M3.5.0/2,M10.5.0/3')?.daylight).toEqual({
      shift: 60,
      start: { month: 3, week: 5, weekday: 0, minute: 120 },
      end: { month: 10, week: 5, weekday: 0, minute: 180 },
    });
    expect(readPosixZone('')).toBeNull();
    expect(readPosixZone('CET-1CEST,J60,J300')?.daylight).toBeNull();
  });

  test('reading undoes writing', () => {
    const rule = fc.record({
      month: fc.integer({ min: 1, max: 12 }),
      week: fc.integer({ min: 1, max: 5 }),
      weekday: fc.integer({ min: 0, max: 6 }),
      minute: fc.integer({ min: 0, max: 1439 }),
    });
    const shift = fc.constantFrom(30, 60, 90, 120);
    const zone = fc.record({
      offset: fc.integer({ min: -720, max: 840 }),
      daylight: fc.option(fc.record({ shift, start: rule, end: rule })),
    });
    fc.assert(
      fc.property(zone, (one) => {
        expect(readPosixZone(writePosixZone(one))).toEqual(one);
      }),
    );
  });
});
