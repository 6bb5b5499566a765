// The contract against the specification's list of calls: each exists with the names that are fixed, or is told as absent.
import { calls } from '@vedette/contract/calls/calls.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requirements } from '../project/requirement-tables.ts';
import { FAMILY_CALLS, type SpecifiedCall, TABLE_CALLS } from './specification-calls.ts';

const contract = calls as Readonly<Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>>;

/** Names of the fields on the wire, of any form that they come in. */
function namesOf(schema: z.ZodType, io: 'input' | 'output'): string[] {
  const found = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, anyOf, oneOf, allOf } = node as Record<string, unknown>;
    for (const name of Object.keys((properties as object | undefined) ?? {})) found.add(name);
    for (const part of [anyOf, oneOf, allOf]) if (Array.isArray(part)) part.forEach(look);
  };
  look(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  return [...found];
}

function isMet([path, { takes, answers, absentWith }]: [string, SpecifiedCall]): void {
  const call = contract[path];
  if (absentWith !== undefined) {
    expect(call, `${path} exists: drop its absentWith`).toBeUndefined();
    expect(requirements().find(({ id }) => id === absentWith)?.status, absentWith).toBe('absent');
    return;
  }
  if (call === undefined) throw new Error(`${path} is no call of the contract`);
  const words = (text = '') => text.split(' ').filter((word) => word !== '');
  expect(namesOf(call.input, 'input')).toEqual(expect.arrayContaining(words(takes)));
  expect(namesOf(call.output, 'output')).toEqual(expect.arrayContaining(words(answers)));
}

describe('[CA-03] each call of the specification', () => {
  it.each(Object.entries(TABLE_CALLS))('%s exists with its names, or stands as absent', (...call) => isMet(call));
});

describe('[CA-04] each family of the specification', () => {
  it.each(Object.entries(FAMILY_CALLS))('%s exists, or stands as absent', (...call) => isMet(call));
});
