// Tests of random ids and secrets: forms, ranges, and that none comes twice.
import { expect, it } from 'vitest';
import { newId, newTimedId } from './ids.ts';
import { random32, random48, randomBytes, randomFraction, randomHex } from './random-numbers.ts';
import { newDigits, newNumber, newReadable, newSalt, newSecret } from './secrets.ts';

const many = <T>(draw: () => T): T[] => Array.from({ length: 1000 }, draw);

it('ids have their form and none comes twice', () => {
  const ids = many(newId);
  expect(new Set(ids).size).toBe(1000);
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  expect(newTimedId(1_800_000_000_000.5)).toMatch(/^[0-9a-z]{9}[0-9a-f]{24}$/);
  expect([newTimedId(2000), newTimedId(1000)].sort()[0]).toMatch(/^0000000rs/);
});

it('secrets have their form and none comes twice', () => {
  expect(new Set(many(newSecret)).size).toBe(1000);
  expect(newSecret()).toMatch(/^[\w-]{43}$/);
  expect(newSalt()).toHaveLength(16);
  expect(many(newDigits).every((digits) => /^\d{6}$/.test(digits))).toBe(true);
  expect(newReadable(16)).toMatch(/^[A-HJ-NP-Z2-9]{16}$/);
  expect(new Set(many(() => newNumber(3, 5)))).toEqual(new Set([3, 4, 5]));
});

it('numbers lie in their ranges', () => {
  expect([randomBytes(5).length, randomHex(5).length]).toEqual([5, 10]);
  expect(many(random32).every((number) => Number.isInteger(number) && number < 2 ** 32)).toBe(true);
  expect(many(random48).every((number) => Number.isSafeInteger(number) && number < 2 ** 48)).toBe(true);
  expect(many(randomFraction).every((number) => number >= 0 && number < 1)).toBe(true);
});
