// Rules of the fields of devices and their codes: serial, name, description, registration and CDN code (VA-04, VA-05).
import { lengthOf } from '@vedette/contract/text-length.ts';
import type { FieldProblem } from './field-problem.ts';

export const DEVICE_NAME_LENGTH_MAX = 64;
export const DESCRIPTION_LENGTH_MAX = 256;
export const TEXT_RANGE_LENGTH_MAX = 64;

export function deviceSerialProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return /^[A-Za-z0-9]{1,20}$/.test(text) ? null : 'format';
}

/** 1 to 64 characters, no angle brackets, not blank; the variant with `canBeEmpty` takes the empty text. */
export function deviceNameProblem(text: string, options: { canBeEmpty?: boolean } = {}): FieldProblem | null {
  if (text === '') return options.canBeEmpty === true ? null : 'required';
  const isName = lengthOf(text) <= DEVICE_NAME_LENGTH_MAX && !/[<>]/.test(text) && text.trim() !== '';
  return isName ? null : 'deviceName';
}

export function descriptionProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return lengthOf(text) <= DESCRIPTION_LENGTH_MAX && !/[<>]/.test(text) ? null : 'format';
}

export function textRangeProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return lengthOf(text) <= TEXT_RANGE_LENGTH_MAX ? null : 'format';
}

export function cdnCodeProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return /^[A-Z0-9]{16}$/.test(text) ? null : 'format';
}

export function registrationCodeProblem(text: string): FieldProblem | null {
  if (text === '') return 'required';
  return /^[A-Za-z0-9]{25}$/.test(text) ? null : 'format';
}
