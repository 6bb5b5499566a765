// The calls of the contract as lines: who may make each, how it is audited, and every field that goes in and comes out.
import type { Call } from '@vedette/contract/call.ts';
import { z } from 'zod';

/** Of alternatives, each of which is a schema of its own. */
const KINDS: readonly string[] = ['anyOf', 'oneOf', 'allOf'];

interface Schema {
  readonly [name: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

export function callLines(path: string, declared: Call): string[] {
  const { permission, audit, stepUp = null, opensVideo = false, errors = [] } = declared;
  return [
    `${path} ${JSON.stringify({ permission, audit, stepUp, opensVideo, errors: errors.toSorted() })}`,
    ...schemaLines(`${path} >`, described(declared.input, 'input')),
    ...schemaLines(`${path} <`, described(declared.output, 'output')),
  ];
}

function described(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema;
}

/** One line for a schema without what stands below it, then one for each that does. */
function schemaLines(label: string, schema: Schema): string[] {
  const { $schema: _dialect, properties, items, additionalProperties, required = [], ...own } = schema;
  const alternatives = KINDS.flatMap((kind) =>
    ((own[kind] ?? []) as readonly Schema[]).flatMap((one, index) => schemaLines(`${label} ${kind}[${index}]`, one)),
  );
  const fields = Object.entries(properties ?? {}).flatMap(([name, one]) =>
    schemaLines(`${label} ${name}${required.includes(name) ? '' : '?'}`, one),
  );
  const isOpen = typeof additionalProperties === 'object';
  const closed = typeof additionalProperties === 'boolean' ? { additionalProperties } : {};
  return [
    `${label} ${JSON.stringify(sorted({ ...own, ...closed }))}`,
    ...alternatives,
    ...fields,
    ...(isOpen ? schemaLines(`${label} {}`, additionalProperties) : []),
    ...(items === undefined ? [] : [items].flat().flatMap((one) => schemaLines(`${label} []`, one))),
  ];
}

function sorted(value: Readonly<Record<string, unknown>>): object {
  const plain = Object.entries(value).filter(([name]) => !KINDS.includes(name));
  return Object.fromEntries(plain.sort(([one], [other]) => (one < other ? -1 : 1)));
}
