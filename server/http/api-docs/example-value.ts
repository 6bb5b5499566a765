// A value that fits a JSON Schema, with words that a reader knows: the examples of the calls.
import { z } from 'zod';
import { alternativesOf, type JsonSchema, schemaOf, typeOf } from './json-schema.ts';

/** By the name of a field, where its schema says too little. */
const TEXTS: Readonly<Record<string, string>> = {
  deviceSerial: 'D1A2B3C4',
  deviceName: 'Gate',
  account: 'operator',
  userName: 'operator',
  password: 'Watch-2026',
  email: 'operator@example.org',
  timeZone: 'Europe/Berlin',
  target: 'rtsp://192.168.1.20/stream1',
  endpoint: 'https://store.example.org',
  picture: 'data:image/png;base64,iVBORw0KGgo=',
  folder: '/srv/backups',
};
/** What the patterns of the contract take: a code, versions, times of day, a colour, a day, an address, a currency, random words. */
const SAMPLES = [
  '123456',
  '1.4.0.0',
  '08:00:00',
  '2026-12-25',
  '#2f80ed',
  'EUR',
  'https://portal.example/hook',
  'operator@example.org',
  'ABCD2345EFGH6789',
  'k3x9w2m8q5t7r1z4',
  'Zm9yIGV4YW1wbGUsIGEgdG9rZW4gb2YgMzIgYnl0ZXM',
] as const;
/** 2026-11-27 08:00 UTC, in ms. */
const TIME = 1_795_766_400_000;
const HOUR = 3_600_000;

/** The fields that a call needs, and those that it misses in their absence. */
export function exampleInput(input: z.ZodType): unknown {
  const schema = schemaOf(input, 'input');
  const least = exampleOf(schema, false) as Readonly<Record<string, unknown>>;
  const missed = input.safeParse(least).error?.issues.map(({ path }) => String(path[0])) ?? [];
  const { properties = {} } = schema;
  const more = missed.flatMap((name) => (properties[name] ? [[name, exampleOf(properties[name], false, name)]] : []));
  return { ...least, ...Object.fromEntries(more) };
}

/** `isWhole`: with its optional fields. */
export function exampleOf(schema: JsonSchema, isWhole: boolean, name = ''): unknown {
  const [said] = [schema.default, schema.const, schema.enum?.[0]].filter((value) => value !== undefined);
  if (said !== undefined) return said;
  const [first = {}] = alternativesOf(schema).filter((one) => typeOf(one) !== 'null');
  return first === schema ? madeOf(schema, isWhole, name) : exampleOf(first, isWhole, name);
}

function madeOf(schema: JsonSchema, isWhole: boolean, name: string): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, isWhole);
    case 'array':
      return listOf(schema, isWhole, name);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return name.startsWith('is');
    case 'string':
      return textOf(schema, name);
    default:
      return TEXTS[name] ?? {};
  }
}

function objectOf(schema: JsonSchema, isWhole: boolean): object {
  const { properties = {}, required = [], allOf = [], propertyNames, additionalProperties } = schema;
  const own = Object.entries(properties).filter(([name]) => isWhole || required.includes(name));
  const keys = typeof additionalProperties === 'object' ? (propertyNames?.enum ?? []).map(String) : [];
  const values = [
    ...own.map(([name, one]): [string, unknown] => [name, exampleOf(one, isWhole, name)]),
    ...keys.map((key): [string, unknown] => [key, exampleOf(additionalProperties as JsonSchema, isWhole, key)]),
  ];
  return Object.assign(Object.fromEntries(values), ...allOf.map((one) => exampleOf(one, isWhole)));
}

/** `deviceList` holds what `device` would be. */
function listOf({ prefixItems, items, minItems = 1 }: JsonSchema, isWhole: boolean, name: string): unknown[] {
  const one = name.replace(/(?:List|s)$/u, '');
  if (prefixItems !== undefined) return prefixItems.map((item) => exampleOf(item, isWhole, one));
  if (typeof items !== 'object') return [];
  return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, isWhole, one));
}

function numberOf({ minimum, exclusiveMinimum, maximum }: JsonSchema, name: string): number {
  if (/Time$|^until$|^at$/u.test(name)) return name.startsWith('end') ? TIME + HOUR : TIME;
  const least = minimum ?? exclusiveMinimum ?? 0;
  const usual = name.startsWith('channel') ? 1 : 0;
  return Math.min(Math.max(least > Number.MIN_SAFE_INTEGER ? least : 0, usual), maximum ?? usual);
}

function textOf(schema: JsonSchema, name: string): string {
  const text = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  const named = TEXTS[name] ?? (name.endsWith('Id') ? 'k3x9' : name);
  const longer = named.padEnd(schema.minLength ?? 0, 'x');
  return [named, ...SAMPLES, longer].find((one) => text.safeParse(one).success) ?? named;
}
