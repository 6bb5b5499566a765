// Which disk a new file goes to: by room, steady within an hour, and without a stream that moves for another's sake.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseDisk, type DiskOffer } from './disk-choice.ts';

const GB = 1e9;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 27);

const offer = fc.record({
  storageId: fc.uuid(),
  roomBytes: fc.integer({ min: 0, max: 1e13 }),
  capacityBytes: fc.integer({ min: 0, max: 1e13 }),
});
const offers = fc.uniqueArray(offer, { minLength: 1, maxLength: 8, selector: ({ storageId }) => storageId });
const key = fc.record({
  channelId: fc.stringMatching(/^[a-z0-9]{1,12}$/),
  quality: fc.constantFrom(0 as const, 1 as const, 2 as const),
});

/** Share of the draws of many channels and hours that each disk gets. */
function sharesOf(disks: readonly DiskOffer[]): readonly number[] {
  const counts = new Map<string, number>();
  const draws = 40 * 100;
  for (let channel = 0; channel < 40; channel += 1) {
    for (let hour = 0; hour < 100; hour += 1) {
      const at = START_MS + hour * HOUR_MS;
      const { storageId = '' } = chooseDisk(disks, { channelId: `c${channel}`, quality: 0 }, at) ?? {};
      counts.set(storageId, (counts.get(storageId) ?? 0) + 1);
    }
  }
  return disks.map(({ storageId }) => (counts.get(storageId) ?? 0) / draws);
}

it('always names one of the disks that are offered, and none where there is none', () => {
  fc.assert(
    fc.property(offers, key, fc.nat(), (disks, track, at) => {
      expect(disks).toContain(chooseDisk(disks, track, at));
    }),
  );
  expect(chooseDisk([], { channelId: 'a', quality: 0 }, 0)).toBeNull();
});

it('keeps the files of a track within an hour together, in whatever order the disks are named', () => {
  fc.assert(
    fc.property(offers, key, fc.nat({ max: 1e6 }), fc.nat({ max: HOUR_MS - 1 }), (disks, track, hour, later) => {
      const [at, other] = [hour * HOUR_MS, hour * HOUR_MS + later];
      expect(chooseDisk(disks.toReversed(), track, other)).toBe(chooseDisk(disks, track, at));
    }),
  );
});

it('moves, when a disk goes, what was on that disk and nothing else', () => {
  fc.assert(
    fc.property(offers, key, fc.nat(), fc.nat(), (disks, track, at, place) => {
      const gone = disks[place % disks.length];
      const chosen = chooseDisk(disks, track, at);
      const left = disks.filter((disk) => disk !== gone);
      if (chosen !== gone) expect(chooseDisk(left, track, at)).toBe(chosen);
    }),
  );
});

it.each([
  ['by their room', [300 * GB, 100 * GB], [300 * GB, 100 * GB], [0.75, 0.25]],
  ['by their size where all are full', [0, 0], [300 * GB, 100 * GB], [0.75, 0.25]],
  ['nearly all to a new one beside a full one', [0, 1000 * GB], [1000 * GB, 1000 * GB], [1 / 66, 65 / 66]],
  ['evenly where nothing is known', [0, 0, 0], [0, 0, 0], [1 / 3, 1 / 3, 1 / 3]],
])('spreads %s', (_, rooms, capacities, shares) => {
  const disks = rooms.map((roomBytes, at) => ({
    storageId: `disk${at}`,
    roomBytes,
    capacityBytes: capacities[at] ?? 0,
  }));
  for (const [at, share] of sharesOf(disks).entries()) expect(Math.abs(share - (shares[at] ?? 0))).toBeLessThan(0.03);
});
