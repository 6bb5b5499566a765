// Recovery points are found behind other messages, and only ahead of a picture of I slices; no broken unit is taken for one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startsAtRecoveryPoint } from './recovery-point.ts';

const SEI = 6;
const SLICE = 1;
const PARAMETERS = 7;
/** Slice headers from first_mb_in_slice on: ue(0) is `1`; types 2 and 7 are I, 0 and 5 are P. */
const I_SLICE = [0b1_011_1000];
const ONLY_I_SLICES = [0b1_0001000, 0];
const P_SLICE = [0b1_1_000000];
const RECOVERY = [6, 1, 0x84];
const TRAILING = 0x80;

function unit(...nals: readonly (readonly number[])[]): Uint8Array {
  return Buffer.concat(
    nals.map((nal) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(nal.length);
      // A slice header of real pictures is longer than what is read of it.
      return Buffer.concat([length, Buffer.from(nal)]);
    }),
  );
}
const sei = (...messages: readonly number[]) => [SEI, ...messages, TRAILING];
const slice = (header: readonly number[]) => [SLICE, ...header, 0, 0, 0, 0];

test.each([
  ['a recovery point ahead of an I slice', [sei(...RECOVERY), slice(I_SLICE)], true],
  ['slices that are all I', [sei(...RECOVERY), slice(ONLY_I_SLICES)], true],
  ['parameter sets before it', [[PARAMETERS, 1, 2, 3], sei(...RECOVERY), slice(I_SLICE)], true],
  ['other messages before it', [sei(1, 2, 9, 9, ...RECOVERY), slice(I_SLICE)], true],
  [
    'a message of 256 bytes before it',
    [sei(5, 255, 1, ...Array<number>(256).fill(7), ...RECOVERY), slice(I_SLICE)],
    true,
  ],
  ['a type above 255 before it', [sei(255, 6, 1, 9, ...RECOVERY), slice(I_SLICE)], true],
  ['a stuffed byte in the message before it', [sei(1, 3, 0, 0, 3, 1, ...RECOVERY), slice(I_SLICE)], true],
  ['messages in two units', [sei(1, 1, 9), sei(...RECOVERY), slice(I_SLICE)], true],
  ['a P slice', [sei(...RECOVERY), slice(P_SLICE)], false],
  ['no message', [slice(I_SLICE)], false],
  ['another message', [sei(1, 1, 9), slice(I_SLICE)], false],
  ['a message that only contains the number', [sei(5, 3, ...RECOVERY), slice(I_SLICE)], false],
  ['a message behind the picture', [slice(I_SLICE), sei(...RECOVERY)], false],
  ['no picture', [sei(...RECOVERY)], false],
  ['a slice header that is cut', [sei(...RECOVERY), [SLICE, 0, 0]], false],
])('%s', (_, nals, expected) => expect(startsAtRecoveryPoint(unit(...nals))).toBe(expected));

test('any bytes, and any cut of a good unit, are answered without an error', () => {
  const good = unit(sei(1, 2, 9, 9, ...RECOVERY), slice(I_SLICE));
  for (let length = 0; length < good.length - 6; length += 1)
    expect(startsAtRecoveryPoint(good.subarray(0, length))).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => typeof startsAtRecoveryPoint(bytes) === 'boolean'),
  );
});
