// Rules of the fields of an account: password, user name, phone, e-mail, verification code (VA-01, VA-02, VA-03, VA-05).
import { lengthOf } from '@vedette/contract/text-length.ts';
import type { FieldProblem } from './field-problem.ts';

export const PASSWORD_LENGTH = { min: 6, max: 20 } as const;
export const EMAIL_LENGTH_MAX = 64;

/** 6 to 20 characters that combine at least two of digits, letters and others. */
export function passwordProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  const length = lengthOf(text);
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) return 'passwordRange';
  const kinds = [/[0-9]/, /[A-Za-z]/, /[^0-9A-Za-z]/].filter((kind) => kind.test(text)).length;
  return kinds >= 2 ? null : 'passwordRange';
}

export function confirmationProblem(password: string, confirmation: string): FieldProblem | null {
  if (confirmation === '') return 'required';
  return password === confirmation ? null : 'passwordsDiffer';
}

/** 1 to 20 letters, digits or underscores; neither all digits nor only underscores. */
export function usernameProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  const isWellFormed = /^[A-Za-z0-9_]{1,20}$/.test(text) && !/^[0-9]+$/.test(text) && !/^_+$/.test(text);
  return isWellFormed ? null : 'format';
}

/** A mobile number of mainland China: 11 digits, starts with 1, second digit 3 to 9. */
export function phoneProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return /^1[3-9][0-9]{9}$/.test(text) ? null : 'format';
}

const EMAIL_LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const EMAIL_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;

/** dot-atom@domain of RFC 5322, at least two labels, at most 64 characters. */
export function emailProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  if (text.length > EMAIL_LENGTH_MAX) return 'format';
  const [local, domain, ...more] = text.split('@');
  if (local === undefined || domain === undefined || more.length > 0 || !EMAIL_LOCAL.test(local)) return 'format';
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && labels.every((label) => EMAIL_LABEL.test(label));
  return isDomain ? null : 'format';
}

/** An `@` makes it an e-mail; else 1 to 14 digits (overseas numbers). */
export function phoneOrEmailProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  if (text.includes('@')) return emailProblem(text);
  return /^[0-9]{1,14}$/.test(text) ? null : 'format';
}

export function verificationCodeProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return /^[0-9]{6}$/.test(text) ? null : 'format';
}
