// What edge intelligence recognised, in words, and its box; what a device sent stays as it is.
import { pack } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { describe, expect, it } from 'vitest';
import { recognisedObject } from './recognised-object.ts';

const t = translator('en', pack);
const SEEN = {
  class: 'person',
  score: '0.873',
  direction: 'in',
  region: 'Gate',
  box: '0.25 0.5 0.125 0.5',
  track: '7',
};

it('is told by class, certainty, direction and region', () => {
  const seen = recognisedObject(t, SEEN);
  expect(seen?.facts.map(({ value }) => value)).toEqual(['Person', '87 %', 'In', 'Gate']);
  expect(seen?.box).toEqual({ x: 0.25, y: 0.5, width: 0.125, height: 0.5 });
  expect(seen?.names.has('track')).toBe(false);
});

it('is none in the data of a device', () => {
  expect(recognisedObject(t, { State: 'true' })).toBeNull();
  expect(recognisedObject(t, { ...SEEN, class: 'submarine' })).toBeNull();
});

describe('a box', () => {
  it.each([
    '',
    '0.1 0.1 0.2',
    '0.1 0.1 0.2 0.2 0.2',
    '0.9 0 0.2 0.1',
    '0 0 0 1',
    'a b c d',
    '-0.1 0 0.2 0.2',
    '0 0 1e9 1',
  ])('“%s” is none', (box) => {
    const seen = recognisedObject(t, { ...SEEN, box });
    expect(seen?.box).toBeNull();
    expect(seen?.names.has('box')).toBe(false);
  });
});
