// Values beyond a device's limits are reported at their field, in plain sections and in rows.
import {
  choice,
  type Fields,
  flag,
  grid,
  list,
  polygon,
  range,
  several,
  text,
  week,
} from '@vedette/contract/config/fields.ts';
import { configSections } from '@vedette/contract/config/sections.ts';
import { HOLIDAY_ROW } from '@vedette/contract/limits.ts';
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

  test('what a device holds may be given back, though it lies beyond the limits it states', () => {
    const held = { streams: [{ id: 'e1', codec: 'h264', fps: 0, gop: 400, quality: 80 }] };
    const item = { codec: { options: ['h264'] }, fps: { min: 1, max: 25 }, quality: { min: 1, max: 6 } };
    const limits = { streams: { most: 1, isFixed: true, item } };
    const { fields: video } = configSections.video;
    expect(limitProblems(video, held, limits)).toMatchObject({
      'streams.0.fps': 'tooSmall',
      'streams.0.gop': 'notAllowed',
    });
    expect(limitProblems(video, held, limits, held)).toEqual({});
    const other = { streams: [{ ...held.streams[0], fps: 30 }] };
    expect(limitProblems(video, other, limits, held)).toEqual({ 'streams.0.fps': 'tooBig' });
  });

  test('names fields where the device reports another value than was sent', () => {
    expect(
      differences({ a: 1, b: 'x', rows: [{ id: '', y: 0.5 }] }, { a: 2, b: 'x', rows: [{ id: 'n', y: 0.501 }] }),
    ).toEqual(['a']);
    expect(differences({ rows: [1, 2] }, { rows: [1] })).toEqual(['rows']);
  });

  describe('every kind of field', () => {
    const weekly = (...entryList: readonly (readonly [string, string])[]) =>
      entryList.map(([StartTime, EndTime]) => ({ StartTime, EndTime, Type: 1 }));
    const kinds = {
      size: range(),
      word: choice(),
      name: text(),
      shape: polygon(),
      cells: grid(),
      times: week(),
      words: several(),
      shown: text({ readOnly: true }),
      isOn: flag(),
      rows: list({ size: range() }),
    } satisfies Fields;
    const limits = {
      size: { min: 1, max: 3 },
      word: { options: ['a'] },
      name: { most: 3 },
      shape: { most: 2 },
      cells: { columns: 2, rows: 1 },
      times: { most: 2, hasHoliday: false },
      words: { options: ['a', 'b'] },
      isOn: {},
      rows: { most: 2, isFixed: false, item: { size: { min: 1, max: 3 } } },
    };
    const problems = (value: Readonly<Record<string, unknown>>) => limitProblems(kinds, value, limits);
    const day = (number: number, ...entries: readonly (readonly [string, string])[]) => ({
      day: number,
      entryList: weekly(...entries),
    });

    test.each([
      ['a text as long as allowed', { name: 'abc' }, {}],
      ['a longer text', { name: 'abcd' }, { name: 'tooLong' }],
      ['a polygon with as many corners as allowed', { shape: [1, 2] }, {}],
      ['a polygon with more', { shape: [1, 2, 3] }, { shape: 'tooBig' }],
      ['a grid of the size of the device', { cells: { columns: 2, rows: 1 } }, {}],
      ['a grid with other columns', { cells: { columns: 3, rows: 1 } }, { cells: 'format' }],
      ['a grid with other rows', { cells: { columns: 2, rows: 2 } }, { cells: 'format' }],
      ['words of which each is allowed', { words: ['b', 'a'] }, {}],
      ['words of which one is not', { words: ['a', 'c'] }, { words: 'notAllowed' }],
      ['a flag, which has no limits', { isOn: true }, {}],
      ['a field that only the device writes', { shown: 'anything' }, {}],
      ['a field that does not exist', { other: 1 }, {}],
      ['a field that is not given', { size: undefined }, {}],
      ['a new row, whose id is empty', { rows: [{ id: '', size: 4 }] }, { 'rows.0.size': 'tooBig' }],
      ['a row without an id', { rows: [{ size: 3 }, { size: 0 }] }, { 'rows.1.size': 'tooSmall' }],
    ])('%s', (_, value, expected) => expect(problems(value)).toEqual(expected));

    test.each([
      ['days in any order', [day(2), day(1, ['10:00:00', '11:00:00'], ['08:00:00', '10:00:00'])], {}],
      ['a holiday, where the device has none', [day(HOLIDAY_ROW)], { times: 'notAllowed' }],
      ['a day that is named twice', [day(1), day(1)], { times: 'notAllowed' }],
      [
        'more hours a day than allowed',
        [day(1, ['01:00:00', '02:00:00'], ['03:00:00', '04:00:00'], ['05:00:00', '06:00:00'])],
        { times: 'tooBig' },
      ],
      ['hours that overlap', [day(1, ['10:00:00', '12:00:00'], ['08:00:00', '10:00:01'])], { times: 'notAllowed' }],
    ])('%s', (_, times, expected) => expect(problems({ times })).toEqual(expected));

    test('a holiday, where the device has one', () => {
      const withHoliday = { ...limits, times: { most: 2, hasHoliday: true } };
      expect(limitProblems(kinds, { times: [day(HOLIDAY_ROW)] }, withHoliday)).toEqual({});
    });
  });

  test.each([
    ['own limits of the variant', { id: 'e1', codec: 'h264' }, 'codec', { of: 'e1 h264' }],
    ['those of the row where the variant has none', { id: 'e1', codec: 'mjpeg' }, 'codec', { of: 'e1' }],
    ['those of the row where nothing varies', { id: 'e1' }, undefined, { of: 'e1' }],
    ['those of the row where its variant is not given', { id: 'e1' }, 'codec', { of: 'e1' }],
    ['those of all rows where it has none', { id: 'e2', codec: 'h264' }, 'codec', { of: 'all' }],
    ['those of all rows where it has no id', { codec: 'h264' }, 'codec', { of: 'all' }],
  ])('a row has %s', (_, row, variant, expected) => {
    const byKey = { 'e1 h264': { of: 'e1 h264' }, e1: { of: 'e1' } };
    expect(limitsOfRow({ most: 1, isFixed: true, item: { of: 'all' }, byKey }, row, variant)).toEqual(expected);
  });

  test.each([
    [{ a: undefined }, { a: 1 }, []],
    [{ a: { b: 1 } }, { a: { b: 2 } }, ['a.b']],
    [{ a: 1 }, { a: '1' }, ['a']],
    [{ a: [] }, { a: {} }, ['a']],
    [{ a: null }, { a: null }, []],
    [{ a: 1 }, { a: 1.02 }, ['a']],
    [{ id: 'x' }, { id: 'y' }, ['id']],
  ])('%j is held as %j', (asked, held, expected) => expect(differences(asked, held)).toEqual(expected));
});
