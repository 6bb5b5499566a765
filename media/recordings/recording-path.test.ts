// Folders of days and names of files: in order over leap days and turns of the year, whatever the zone of the machine.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dayFolder, dayOf, indexPath, isDayName, mediaPath, parseFileName } from './recording-path.ts';

const KEY = { channelId: 'camera1', quality: 0 } as const;
const DAY = 86_400_000;
/** Within what 15 digits and four digits of a year hold. */
const instant = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the folder of a day', () => {
  it.each([
    ['2027-12-31T23:59:59.999Z', '20271231'],
    ['2028-01-01T00:00:00.000Z', '20280101'],
    ['2028-02-28T23:59:59.999Z', '20280228'],
    ['2028-02-29T00:00:00.000Z', '20280229'],
    ['2028-03-01T00:00:00.000Z', '20280301'],
    ['2100-02-28T23:59:59.999Z', '21000228'],
    ['2100-03-01T00:00:00.000Z', '21000301'],
  ])('of %s is %s, in every zone', (text, day) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin']) {
      vi.stubEnv('TZ', zone);
      expect(dayOf(Date.parse(text)), zone).toBe(day);
    }
  });

  it('changes at each midnight of UTC and at no other time: clocks that change lose and double nothing', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const midnight = Math.floor(at / DAY) * DAY;
        expect(dayOf(at)).toBe(dayOf(midnight));
        expect(dayOf(midnight + DAY - 1)).toBe(dayOf(at));
        expect(dayOf(midnight + DAY)).not.toBe(dayOf(at));
        expect(isDayName(dayOf(at))).toBe(true);
      }),
    );
  });

  it('and of a later time sorts behind: the oldest is found by its name', () => {
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [earlier, later] = one <= other ? [one, other] : [other, one];
        expect(dayFolder('/r', KEY, earlier) <= dayFolder('/r', KEY, later)).toBe(true);
      }),
    );
  });
});

it('a name gives back when the file began', () => {
  fc.assert(
    fc.property(instant, (startMs) => {
      for (const [path, kind] of [
        [mediaPath('/r', KEY, startMs), 'mp4'],
        [indexPath('/r', KEY, startMs), 'idx'],
      ] as const) {
        const [day = '', name = ''] = path.split('/').slice(-2);
        expect(parseFileName(name)).toEqual({ startMs, kind });
        expect(day).toBe(dayOf(startMs));
      }
    }),
  );
});
