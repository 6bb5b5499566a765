// Tables of good and bad values for the fields of an account.
import { expect, test } from 'vitest';
import {
  confirmationProblem,
  emailProblem,
  passwordProblem,
  phoneOrEmailProblem,
  phoneProblem,
  usernameProblem,
  verificationCodeProblem,
} from './account-fields.ts';
import { captchaProblem } from './captcha.ts';

test.each([
  'abc123',
  'a1a1a1',
  '------a',
  '123456 ',
  'pass-word',
  'Ab1!Ab1!Ab1!Ab1!Ab1!',
  '密码密码12',
])('[VA-01] takes the password %j', (text) => expect(passwordProblem(text)).toBeNull());
test.each([
  ['', 'required'],
  ['a1b2c', 'passwordRange'],
  ['Ab1!Ab1!Ab1!Ab1!Ab1!x', 'passwordRange'],
  ['abcdefgh', 'passwordRange'],
  ['12345678', 'passwordRange'],
  ['!!!!!!!!', 'passwordRange'],
])('[VA-01] [VA-06] refuses the password %j with %s', (text, problem) => expect(passwordProblem(text)).toBe(problem));

test('[VA-01] [VA-06] the confirmation must be equal', () => {
  expect(confirmationProblem('abc123', 'abc123')).toBeNull();
  expect(confirmationProblem('abc123', 'abc124')).toBe('passwordsDiffer');
  expect(confirmationProblem('abc123', '')).toBe('required');
});

test.each(['13012345678', '19999999999'])('[VA-02] takes the phone number %s', (text) =>
  expect(phoneProblem(text)).toBeNull());
test.each([
  '12012345678',
  '1301234567',
  '130123456789',
  '23012345678',
  '1301234567a',
  ' 13012345678',
])('[VA-02] refuses the phone number %j', (text) => expect(phoneProblem(text)).toBe('format'));

test.each([
  'a@b.co',
  'first.last+tag@sub.example.org',
  "o'neil@example.com",
  `${'a'.repeat(52)}@example.com`,
])('[VA-02] takes the e-mail %s', (text) => expect(emailProblem(text)).toBeNull());
test.each([
  'a',
  'a@b',
  '@b.co',
  'a@@b.co',
  'a@b..co',
  '.a@b.co',
  'a.@b.co',
  'a b@c.de',
  'a@-b.co',
  'a@b.co ',
  `${'a'.repeat(53)}@example.com`,
])('[VA-02] refuses the e-mail %j', (text) => expect(emailProblem(text)).toBe('format'));

test.each(['1', '12345678901234', 'a@b.co'])('[VA-02] takes %j as phone or e-mail', (text) =>
  expect(phoneOrEmailProblem(text)).toBeNull());
test.each([
  ['', 'required'],
  ['123456789012345', 'format'],
  ['+4912345', 'format'],
  ['a@b', 'format'],
])('[VA-02] refuses %j as phone or e-mail with %s', (text, problem) => expect(phoneOrEmailProblem(text)).toBe(problem));

test.each(['a', 'A_1', '_1', '12345678901234567_90', 'operator'])('[VA-03] takes the user name %j', (text) =>
  expect(usernameProblem(text)).toBeNull());
test.each([
  ['', 'required'],
  ['12345', 'format'],
  ['___', 'format'],
  ['a b', 'format'],
  ['a-b', 'format'],
  ['名字', 'format'],
  ['a'.repeat(21), 'format'],
])('[VA-03] [VA-06] refuses the user name %j with %s', (text, problem) => expect(usernameProblem(text)).toBe(problem));

test.each([
  ['123456', null],
  ['12345', 'format'],
  ['1234567', 'format'],
  ['12345a', 'format'],
  ['', 'required'],
])('[VA-05] verification code %j gives %s', (text, problem) => expect(verificationCodeProblem(text)).toBe(problem));

test('[VA-07] a captcha is required when configured, in web mode alone', () => {
  const asked = { isCaptcha: true, clientType: 'web', captcha: '', lastCode: null } as const;
  expect(captchaProblem(asked)).toBe('captchaFirst');
  expect(captchaProblem({ ...asked, lastCode: 1014 })).toBe('captchaFailed');
  expect(captchaProblem({ ...asked, captcha: 'solved' })).toBeNull();
  expect(captchaProblem({ ...asked, clientType: 'client' })).toBeNull();
  expect(captchaProblem({ ...asked, isCaptcha: false })).toBeNull();
});

test.each([
  ['user name', usernameProblem],
  ['phone number', phoneProblem],
  ['e-mail', emailProblem],
  ['phone number or e-mail', phoneOrEmailProblem],
  ['verification code', verificationCodeProblem],
])('an empty %s is asked for', (_, problem) => expect(problem('')).toBe('required'));
