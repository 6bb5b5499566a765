// Values that fit the shape of a field and break what lies behind it: control characters, halves of characters, numbers beyond a column.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '@vedette/contract/call.ts';
import { type CallPath, calls } from '@vedette/contract/calls.ts';
import { z } from 'zod';
import { goodInputs } from './good-inputs.ts';
import { type Stage, setStage } from './inputs/stage.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stage: Stage;
const paths = Object.keys(goodInputs) as CallPath[];

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await setStage(server, operator, site);
  // As the real site answers what is no address.
  site.refusals.set('probe', { code: 1003, data: { target: 'format' } });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202eevil',
  '👩‍👩‍👧‍👦',
  "'; drop table account; --",
  '%_\\',
  '\uffff',
  '../../x',
];
const NUMBERS = [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 8.64e15 + 1, 1e300, -0];

interface Hostile {
  readonly field: string;
  readonly value: unknown;
}

function hostile(declaration: Call): Hostile[] {
  const schema = z.toJSONSchema(declaration.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string; items?: { type?: string } }>;
  };
  return Object.entries(schema.properties ?? {}).flatMap(([field, { type, items }]): Hostile[] => {
    if (type === 'string') return TEXTS.map((value) => ({ field, value }));
    if (type === 'integer' || type === 'number') return NUMBERS.map((value) => ({ field, value }));
    return type === 'array' && items?.type === 'string' ? TEXTS.map((value) => ({ field, value: [value] })) : [];
  });
}

describe('[SE-96] [GO-17] a hostile value', () => {
  it.each(paths)('of any field of %s is refused or taken, and nothing fails', async (path) => {
    const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
    for (const { field, value } of hostile(calls[path])) {
      const input = { ...(goodInputs[path](stage) as object), [field]: value };
      const { code } = await caller.raw(path, input);
      expect(code, `${path} with ${field} = ${JSON.stringify(value)}\n${server.log.at(-1)}`).not.toBe(1000);
    }
  });

  it('left no error in the log', () => {
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
