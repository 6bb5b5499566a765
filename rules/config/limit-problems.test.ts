// Values beyond a device's limits are reported at their field, in plain sections and in rows.
import { configSections } from '@vedette/contract/config/sections.ts';
import { describe, expect, test } from 'vitest';
import { differences, limitProblems, limitsOfRow } from './limit-problems.ts';

describe('limits of a device', () => {
  const { fields } = configSections.image;
  const limits = { brightness: { min: 0, max: 100 }, dayNight: { options: ['auto', 'day'] } };

  test.each([
    [{ brightness: 100, dayNight: 'day' }, {}],
    [{ brightness: -1 }, { brightness: 'tooSmall' }],
    [{ brightness: 101 }, { brightness: 'tooBig' }],
    [{ dayNight: 'night' }, { dayNight: 'notAllowed' }],
    [{ contrast: 50 }, { contrast: 'notAllowed' }],
  ])('%j', (value, problems) => expect(limitProblems(fields, value, limits)).toEqual(problems));

  test('rows have the limits of their codec', () => {
    const streams = {
      most: 1,
      isFixed: true,
      item: {},
      byKey: { 'e1 h264': { fps: { min: 1, max: 25 } }, 'e1 h265': { fps: { min: 1, max: 50 } } },
    };
    const row = (codec: string) => ({ id: 'e1', codec, fps: 40 });
    expect(limitsOfRow(streams, row('h265'), 'codec')).toEqual({ fps: { min: 1, max: 50 } });
    const problems = limitProblems(configSections.video.fields, { streams: [row('h264')] }, { streams });
    expect(problems).toEqual({ 'streams.0.codec': 'notAllowed', 'streams.0.fps': 'tooBig' });
    const twoRows = { streams: [row('h264'), row('h264')] };
    expect(limitProblems(configSections.video.fields, twoRows, { streams })).toEqual({ streams: 'tooBig' });
  });

  test('names fields where the device reports another value than was sent', () => {
    expect(
      differences({ a: 1, b: 'x', rows: [{ id: '', y: 0.5 }] }, { a: 2, b: 'x', rows: [{ id: 'n', y: 0.501 }] }),
    ).toEqual(['a']);
    expect(differences({ rows: [1, 2] }, { rows: [1] })).toEqual(['rows']);
  });
});
