// How keys are written for people.
import { expect, it } from 'vitest';
import { shownKey } from './shown-key.ts';

it.each([
  ['$mod+k', 'Ctrl K'],
  ['$mod+Shift+z', 'Ctrl ⇧ Z'],
  ['Shift+ArrowLeft', '⇧ ←'],
  ['Shift+?', '?'],
  ['+', '+'],
  ['Shift++', '⇧ +'],
  ['l', 'L'],
])('%s is written %s', (press, shown) => {
  expect(shownKey(press)).toBe(shown);
});
