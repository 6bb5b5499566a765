// Proves H.265 parameter sets and hvcC against sets of real devices, and fuzzes them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitstreamError } from '../bits/bit-reader.ts';
import { parseHvcC, writeHvcC } from './hvcc.ts';
import { h265NalType, isH265Key, isH265Picture } from './nal.ts';
import { h265CodecString, parseH265Sps } from './sps.ts';

const vps = Buffer.from('QAEMAf//AWAAAAMAsAAAAwAAAwBarAwAAAMABAAAAwAyqA==', 'base64');
const sps = Buffer.from('QgEBAWAAAAMAsAAAAwAAAwBaoAWCAeFja5JFL83BQYFBAAADAAEAAAMADKE=', 'base64');
const pps = Buffer.from('RAHA8saNA7NA', 'base64');

test('a camera of 704 x 480', () => {
  const parsed = parseH265Sps(sps);
  expect(parsed).toMatchObject({ width: 704, height: 480, chromaFormat: 1, bitDepthLuma: 8, reorderDepth: 0 });
  expect(h265CodecString(parsed)).toBe('hvc1.1.6.L90.B0');
});

test('a camera of 1280 x 704 whose level is unusual', () => {
  const other = Buffer.from('QgEBAUAAAAMAAAMAAAMAAAMAmaACgIAsH+Wu5Gwa5VE1BQYFAIA=', 'base64');
  expect(parseH265Sps(other)).toMatchObject({ width: 1280, height: 704 });
});

test('hvcC carries the sets and reads back', () => {
  const record = writeHvcC({ vps: [vps], sps: [sps], pps: [pps] });
  expect(Array.from(record.subarray(0, 2))).toEqual([1, 1]);
  const read = parseHvcC(record);
  expect([read.vps, read.sps, read.pps].map((list) => list.map((set) => Buffer.from(set)))).toEqual([
    [vps],
    [sps],
    [pps],
  ]);
});

test('unit types', () => {
  expect(h265NalType(0x26)).toBe(19);
  expect([1, 19, 21, 33].map(isH265Key)).toEqual([false, true, true, false]);
  expect([1, 31, 32].map(isH265Picture)).toEqual([true, true, false]);
});

test('mutated and random sets throw nothing but BitstreamError', () => {
  const edits = fc.array(fc.tuple(fc.nat(sps.length - 1), fc.nat(255)), { maxLength: 10 });
  fc.assert(
    fc.property(edits, fc.uint8Array({ maxLength: 200 }), (list, noise) => {
      const mutated = Buffer.from(sps);
      for (const [at, value] of list) mutated[at] = value;
      for (const input of [mutated, Uint8Array.of(0x42, 1, ...noise)]) {
        for (const run of [
          () => parseH265Sps(input),
          () => writeHvcC({ vps: [input], sps: [input], pps: [] }),
          () => parseHvcC(input),
        ]) {
          expectOnlyBitstreamError(run);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

function expectOnlyBitstreamError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof BitstreamError)) throw error;
  }
}
