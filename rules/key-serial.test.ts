// Keys of device rows never collide; pages add up.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keySerial } from './key-serial.ts';
import { hasMorePages, pageRange } from './paging.ts';

const parts = fc.record({
  deviceSerial: fc.stringMatching(/^[A-Za-z0-9]{1,20}$/),
  isShared: fc.integer({ min: 0, max: 3 }),
  shareType: fc.constantFrom(1, 2),
  channelNo: fc.option(fc.integer({ min: 1, max: 65535 })),
});

test('[EN-02] [SE-25] different rows have different keys', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const isSame =
        one.deviceSerial === other.deviceSerial &&
        one.isShared === other.isShared &&
        (one.isShared === 0 || (one.shareType === other.shareType && one.channelNo === other.channelNo));
      expect(keySerial(one) === keySerial(other)).toBe(isSame);
    }),
    { numRuns: 2000 },
  );
  expect(keySerial({ deviceSerial: 'SN1', isShared: 3, shareType: 2, channelNo: 11 })).not.toBe(
    keySerial({ deviceSerial: 'SN11', isShared: 3, shareType: 2, channelNo: 1 }),
  );
});

test('[CA-05] pageStart counts from 0, pageNo from 1, and the loop ends with the last page', () => {
  expect(pageRange({ pageStart: 2, pageSize: 100 })).toEqual({ offset: 200, limit: 100 });
  expect(pageRange({ pageNo: 3, pageSize: 20 })).toEqual({ offset: 40, limit: 20 });
  expect(pageRange({ pageSize: 20 })).toEqual({ offset: 0, limit: 20 });
  expect(hasMorePages(201, 1, 100)).toBe(true);
  expect(hasMorePages(200, 1, 100)).toBe(false);
});
