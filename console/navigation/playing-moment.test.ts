// Tests of the moment that an address is given when its page is left.
import { afterEach, expect, it } from 'vitest';
import { keepMoment, searchAtMoment } from './playing-moment.ts';

let end: () => void = () => undefined;
afterEach(() => end());

it('is written into the address while something plays', () => {
  end = keepMoment(() => 1_790_000_000_123.4);
  expect(searchAtMoment('?device=D1&channel=1&time=5')).toBe('?device=D1&channel=1&time=1790000000123');
  expect(searchAtMoment('')).toBe('?time=1790000000123');
});

it('leaves the address as it is while nothing plays, and after its page', () => {
  end = keepMoment(() => null);
  expect(searchAtMoment('?time=5')).toBe('?time=5');
  const endFormer = keepMoment(() => 7);
  end = keepMoment(() => 9);
  endFormer();
  expect(searchAtMoment('')).toBe('?time=9');
  end();
  expect(searchAtMoment('?time=5')).toBe('?time=5');
});
