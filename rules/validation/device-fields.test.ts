// Tables of good and bad values for the fields of devices.
import { expect, test } from 'vitest';
import {
  cdnCodeProblem,
  descriptionProblem,
  deviceNameProblem,
  deviceSerialProblem,
  registrationCodeProblem,
  textRangeProblem,
} from './device-fields.ts';

test.each([
  ['A', null],
  ['SN1234567890abcdefgh', null],
  ['SN1234567890abcdefghi', 'format'],
  ['SN-1', 'format'],
  ['号', 'format'],
  ['', 'required'],
])('[VA-04] device serial %j gives %s', (text, problem) => expect(deviceSerialProblem(text)).toBe(problem));

test.each([
  ['Gate', null],
  [' Gate 1 ', null],
  ['东门', null],
  ['😀'.repeat(64), null],
  ['x'.repeat(65), 'deviceName'],
  ['a<b', 'deviceName'],
  ['a>b', 'deviceName'],
  ['   ', 'deviceName'],
  ['', 'required'],
])('[VA-04] [VA-06] device name %j gives %s', (text, problem) => expect(deviceNameProblem(text)).toBe(problem));

test('[VA-04] a variant of the device name accepts the empty text', () => {
  expect(deviceNameProblem('', { canBeEmpty: true })).toBeNull();
  expect(deviceNameProblem(' ', { canBeEmpty: true })).toBe('deviceName');
});

test.each([
  ['x', null],
  ['x'.repeat(256), null],
  ['x'.repeat(257), 'format'],
  ['<x>', 'format'],
  ['', 'required'],
])('[VA-04] description %j gives %s', (text, problem) => expect(descriptionProblem(text)).toBe(problem));

test.each([
  ['x', null],
  ['<x>', null],
  ['x'.repeat(64), null],
  ['x'.repeat(65), 'format'],
  ['', 'required'],
])('[VA-04] text range %j gives %s', (text, problem) => expect(textRangeProblem(text)).toBe(problem));

test.each([
  ['ABCDEFGH12345678', null],
  ['ABCDEFGH1234567', 'format'],
  ['abcdefgh12345678', 'format'],
  ['', 'required'],
])('[VA-05] CDN code %j gives %s', (text, problem) => expect(cdnCodeProblem(text)).toBe(problem));

test.each([
  ['a'.repeat(25), null],
  ['A1'.repeat(12), 'format'],
  [`${'a'.repeat(24)}-`, 'format'],
  ['', 'required'],
])('[VA-05] registration code %j gives %s', (text, problem) => expect(registrationCodeProblem(text)).toBe(problem));
