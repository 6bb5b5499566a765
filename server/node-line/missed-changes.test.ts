// When a server brings everything to its sites once more, since another one may have told of something that did not arrive.
import { expect, it } from 'vitest';
import { MissedChanges } from './missed-changes.ts';

it('nothing is missed of a server that told of nothing, and something of one that did before it was heard', () => {
  const missed = new MissedChanges();
  missed.seen('a');
  expect(missed.begun('a', { run: 'r', changes: 0 })).toBe(false);
  expect(missed.begun('b', { run: 'r', changes: 2 })).toBe(true);
});

it('a line that begins again missed what was told meanwhile, and nothing else', () => {
  const missed = new MissedChanges();
  missed.begun('a', { run: 'r', changes: 0 });
  expect(missed.told('a', 1)).toBe(false);
  expect(missed.begun('a', { run: 'r', changes: 1 })).toBe(false);
  expect(missed.begun('a', { run: 'r', changes: 2 })).toBe(true);
  expect(missed.told('a', 3)).toBe(false);
});

it('a number that was left out is missed once', () => {
  const missed = new MissedChanges();
  missed.begun('a', { run: 'r', changes: 4 });
  expect(missed.told('a', 6)).toBe(true);
  expect(missed.told('a', 7)).toBe(false);
  expect(missed.told('nobody', 1)).toBe(true);
});

it('another run of a server may have been told of by the one before', () => {
  const missed = new MissedChanges();
  missed.begun('a', { run: 'r', changes: 0 });
  expect(missed.begun('a', { run: 's', changes: 0 })).toBe(true);
});

it('a server that is gone may have told of something, also one that was never heard', () => {
  const missed = new MissedChanges();
  missed.seen('a');
  missed.begun('b', { run: 'r', changes: 0 });
  expect([missed.gone('a'), missed.gone('b'), missed.gone('b')]).toEqual([true, true, false]);
});
