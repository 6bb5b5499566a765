// A class that the model of a channel does not know is not looked for, so no recording goes sooner since none of it was seen.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { expect, it } from 'vitest';
import { knownClasses } from './known-classes.ts';

it('is what tasks are about and the model knows, the same set while both stay', () => {
  const both = knownClasses();
  const watched = new Set<ObjectClass>(['person', 'vehicle']);
  const known = ['vehicle', 'bag'] as const;
  const first = both(watched, known);
  expect(first).toEqual(new Set(['vehicle']));
  expect(both(watched, known)).toBe(first);
  expect(both(watched, ['person'])).toEqual(new Set(['person']));
  expect(both(new Set<ObjectClass>(['bag']), known)).toEqual(new Set(['bag']));
});

it('is nothing where nobody looks, or the model is gone', () => {
  const both = knownClasses();
  expect(both(null, ['person'])).toBeNull();
  expect(both(new Set<ObjectClass>(['person']), null)).toBeNull();
});
