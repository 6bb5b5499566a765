// Names of field problems: `data` of code 1003 and the console's field messages use the same list.
import { STORAGE_REASONS } from '@vedette/contract/enumerations.ts';

export const FIELD_PROBLEMS = [
  'required',
  'format',
  'passwordRange',
  'passwordsDiffer',
  'deviceName',
  'captchaFirst',
  'captchaFailed',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooBig',
  'wrongType',
  'unknownField',
  'notAllowed',
  // Of a folder for recordings.
  ...STORAGE_REASONS,
] as const;
export type FieldProblem = (typeof FIELD_PROBLEMS)[number];
