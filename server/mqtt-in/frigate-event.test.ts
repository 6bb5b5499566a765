// Frigate events as documented, and messages that are none.
import { expect, it } from 'vitest';
import { readFrigateEvent } from './frigate-event.ts';

const message = (type: string, after: object) =>
  JSON.stringify({
    type,
    before: {},
    after: {
      id: '1607123955.475377-mxklsc',
      camera: 'front_door',
      label: 'person',
      top_score: 0.958984375,
      false_positive: false,
      start_time: 1607123955.475377,
      end_time: null,
      entered_zones: ['yard', 'driveway'],
      ...after,
    },
  });

it('reads the begin and end of an object', () => {
  expect(readFrigateEvent(message('new', {}))).toEqual({
    id: '1607123955.475377-mxklsc',
    camera: 'front_door',
    type: 'HumanShapeDetect',
    phase: 'start',
    at: 1_607_123_955_475,
    data: { label: 'person', score: '0.96', zones: 'yard, driveway' },
  });
  expect(readFrigateEvent(message('end', { end_time: 1607123960 }))).toMatchObject({
    phase: 'end',
    at: 1_607_123_960_000,
  });
});

it.each([
  ['an update', message('update', {})],
  ['a false positive', message('new', { false_positive: true })],
])('%s raises nothing', (_name, payload) => {
  expect(readFrigateEvent(payload)).toBe('none');
});

it.each([
  ['an end without its time', message('end', {})],
  ['a time beyond all', message('new', { start_time: 1e300 })],
  ['a name without end', message('new', { id: 'x'.repeat(1000) })],
  ['no camera', message('new', { camera: 7 })],
  ['a bad time', message('new', { start_time: -1 })],
  ['no JSON', '{"type":'],
  ['null', 'null'],
  ['a number', '5'],
  ['an empty text', ''],
])('%s is no event', (_name, payload) => {
  expect(readFrigateEvent(payload)).toBeNull();
});

it('reads an unknown label as a tracked object', () => {
  for (const label of ['umbrella', '__proto__', 'constructor']) {
    expect(readFrigateEvent(message('new', { label }))).toMatchObject({ type: 'ObjectTracked' });
  }
});
