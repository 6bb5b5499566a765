// Converts zod issues to field → reason, the `data` of code 1003.
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export function fieldErrors(issues: readonly Issue[], input: unknown): Record<string, FieldProblem> {
  const problems = issues.flatMap((issue) => problemsOf(issue, input));
  // The first problem of a field stands; a field may bear any name, `constructor` too.
  return Object.fromEntries(problems.reverse());
}

function problemsOf(issue: Issue, input: unknown): [string, FieldProblem][] {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => [field === '' ? key : `${field}.${key}`, 'unknownField']);
  }
  return [[field === '' ? 'body' : field, problemOf(issue, valueAt(input, issue.path))]];
}

function problemOf(issue: Issue, value: unknown): FieldProblem {
  if (value === undefined || value === '') return 'required';
  switch (issue.code) {
    case 'invalid_type':
      return 'wrongType';
    case 'too_small':
      return typeof value === 'number' ? 'tooSmall' : 'tooShort';
    case 'too_big':
      return typeof value === 'number' ? 'tooBig' : 'tooLong';
    case 'invalid_value':
      return 'notAllowed';
    default:
      return 'format';
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
