// Tables of good and bad values for colours, the address field and the upload batch.
import { expect, test } from 'vitest';
import { isThemeColour, parseColour, toHex } from './colour.ts';
import { clampSegment, EMPTY_SEGMENTS, ipProblem, joinSegments, pasteSegments } from './ip-input.ts';
import { chooseUploadBatch } from './upload-batch.ts';

test.each(['#fff', '#FFAA00', '#1d4ed8'])('[VA-09] takes the theme colour %s', (text) =>
  expect(isThemeColour(text)).toBe(true));
test.each(['fff', '#ff', '#ffff', '#12345g', '#11223344', 'red', ''])('[VA-09] refuses the theme colour %j', (text) =>
  expect(isThemeColour(text)).toBe(false));

test.each([
  ['#f80', '#ff8800', 1],
  ['FF8800', '#ff8800', 1],
  ['#ff880080', '#ff8800', 128 / 255],
  ['rgb(255, 136, 0)', '#ff8800', 1],
  ['rgba(255,136,0,.5)', '#ff8800', 0.5],
  ['rgb(100% 0% 0% / 25%)', '#ff0000', 0.25],
  ['hsl(120, 100%, 50%)', '#00ff00', 1],
  ['hsl(-120, 100%, 50%)', '#0000ff', 1],
  ['hsl(0, 0%, 0%)', '#000000', 1],
  ['hsla(210deg 50% 40% / 0.3)', '#336699', 0.3],
  ['hsv(120, 100%, 100%)', '#00ff00', 1],
  ['hsv(32, 100%, 100%)', '#ff8800', 1],
])('[VA-09] reads the colour %s', (text, hex, alpha) => {
  const colour = parseColour(text);
  expect(colour && toHex(colour)).toBe(hex);
  expect(colour?.alpha).toBeCloseTo(alpha);
});
test.each([
  '',
  '#ffff',
  '#fffff',
  'rgb(1,2)',
  'rgb(256,0,0)',
  'hsl(a,1,1)',
  'hsv(1,101%,1%)',
  'lab(1 2 3)',
  'rgb(1,2,3,4)',
])('[VA-09] refuses the colour %j', (text) => expect(parseColour(text)).toBeUndefined());

test.each([
  ['1', '1'],
  ['256', '255'],
  ['999', '255'],
  ['1234', '123'],
  ['1a2', '12'],
  ['', ''],
  ['000', '000'],
])('[VA-10] segment %j becomes %j', (typed, held) => expect(clampSegment(typed)).toBe(held));

test('[VA-10] a pasted address is split at dots from the focused segment', () => {
  expect(pasteSegments(EMPTY_SEGMENTS, 0, '192.168.1.300')).toEqual(['192', '168', '1', '255']);
  expect(pasteSegments(['10', '', '', ''], 2, '3.4.5')).toEqual(['10', '', '3', '4']);
  expect(joinSegments(['192', '168', '1', '2'])).toBe('192.168.1.2');
  expect(joinSegments(EMPTY_SEGMENTS)).toBe('');
});
test('[VA-10] [VA-06] an address needs all four segments', () => {
  expect(ipProblem(EMPTY_SEGMENTS)).toBe('required');
  expect(ipProblem(['1', '2', '3', ''])).toBe('format');
  expect(ipProblem(['1', '2', '3', '4'])).toBeNull();
});

const file = (name: string, type = '') => ({ name, type });
const offer = {
  files: [file('a.csv'), file('b.csv')],
  currentCount: 0,
  limit: 6,
  isMultiple: true,
  accept: '',
  isDropped: false,
};
test('[VA-11] a batch beyond the limit is refused as a whole', () => {
  expect(chooseUploadBatch({ ...offer, currentCount: 4 })).toEqual({ files: offer.files, isExceeded: false });
  expect(chooseUploadBatch({ ...offer, currentCount: 5 })).toEqual({ files: [], isExceeded: true });
  expect(chooseUploadBatch({ ...offer, currentCount: 99, limit: null }).isExceeded).toBe(false);
});
test('[VA-11] a single upload keeps the first file', () => {
  expect(chooseUploadBatch({ ...offer, isMultiple: false }).files).toEqual([file('a.csv')]);
});
test('[VA-11] dropped files are filtered by the accept list', () => {
  const files = [file('a.CSV'), file('b.png', 'image/png'), file('c.bin', 'application/zip')];
  const dropped = { ...offer, files, isDropped: true };
  expect(chooseUploadBatch({ ...dropped, accept: '.csv, image/*' }).files).toEqual(files.slice(0, 2));
  expect(chooseUploadBatch({ ...dropped, accept: 'application/zip' }).files).toEqual(files.slice(2));
  expect(chooseUploadBatch(dropped).files).toEqual(files);
  expect(chooseUploadBatch({ ...dropped, isDropped: false, accept: '.csv' }).files).toEqual(files);
});
