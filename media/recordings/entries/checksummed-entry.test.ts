// Tests of entries with a checksum: bytes as they lie on disks, cut and damaged ones.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkedEntries, checkedEntry, withChecksum } from './checksummed-entry.ts';

it('writes the CRC-32 of what is before it, big-endian', () => {
  // The check value of CRC-32 is that of these nine digits.
  const entry = withChecksum(Buffer.from('123456789\0\0\0\0', 'latin1'));
  expect(entry.toString('hex')).toBe(`${Buffer.from('123456789').toString('hex')}cbf43926`);
});

it('reads what was written, and nothing of which one bit changed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 5, maxLength: 64 }), fc.nat(), (content, bit) => {
      const entry = withChecksum(Buffer.from(content));
      expect(checkedEntry(entry, 0, entry.length)).toEqual(entry);
      const damaged = Buffer.from(entry);
      const at = bit % (entry.length * 8);
      damaged[at >> 3] = (damaged[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect(checkedEntry(damaged, 0, entry.length)).toBeNull();
    }),
  );
});

it('leaves out damaged entries and a cut last one', () => {
  const entries = [1, 2, 3, 4].map((value) => withChecksum(Buffer.alloc(8, value)));
  const bytes = Buffer.concat(entries).subarray(0, 30);
  bytes[9] = 0xff;
  expect([...checkedEntries(bytes, 8)]).toEqual([entries[0], entries[2]]);
  expect(checkedEntry(bytes, 24, 8)).toBeNull();
});
