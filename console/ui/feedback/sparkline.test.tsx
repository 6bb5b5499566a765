// The path of a small line.
// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { sparklinePath } from './sparkline.tsx';

it('begins at zero and ends at the newest value, on the right', () => {
  expect(sparklinePath([0, 5, 10], 3)).toBe('M0.0 20.0L48.0 11.0L96.0 2.0');
});

it('a short course stands on the right, and a gap breaks it', () => {
  expect(sparklinePath([4, null, 4], 5)).toBe('M48.0 2.0M96.0 2.0');
});

it('nothing but zeros is a flat line, and nothing at all is none', () => {
  expect(sparklinePath([0, 0], 2)).toBe('M0.0 20.0L96.0 20.0');
  expect(sparklinePath([null], 2)).toBe('');
});
