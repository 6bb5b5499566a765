// Claims about type, owner and sharing that a caller could add to a valid input, found by walking the call's input schema.
import type { Call } from '@vedette/contract/call.ts';
import { z } from 'zod';

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

export interface Claim {
  /** Where it stands in the input, as `items.0.ownerId`. */
  readonly field: string;
  readonly input: unknown;
}

/** One object of an input, and the fields that its schema takes there. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

/** Numbers that say of which type something is; beyond these few a schema's range holds nothing that differs. */
const TYPE_NUMBERS_MAX = 8;

/** What answers of the product say about an object, and other names that it might be called by. */
const NEVER_TAKEN = {
  isShared: 0,
  isOwner: true,
  isPassedOn: false,
  owner: 'me',
  ownerId: 'me',
  ownerName: 'me',
  orgId: '0',
  tenantId: 'me',
  accountId: 'me',
  keySerial: 'me',
  userType: 0,
  shareType: 1,
  shareResourceType: 1,
} as const;

/** Beside each object of the input: each name of NEVER_TAKEN that its schema does not take. */
export function untakenClaims(declaration: Call, good: object): Claim[] {
  return placesOf(declaration, good).flatMap(({ path, fields }) =>
    Object.entries(NEVER_TAKEN)
      .filter(([name]) => !fields.has(name))
      .map(([name, value]) => claim(good, [...path, name], value)),
  );
}

/** Each object id that the schema takes and the valid input leaves out, with the value of `ids`. */
export function addedIdClaims(declaration: Call, good: object, ids: ReadonlyMap<string, string>): Claim[] {
  return placesOf(declaration, good).flatMap(({ path, fields }) =>
    [...fields].flatMap(([name, schema]) => {
      const id = ids.get(name.replace(/(?:List|s)$/, ''));
      if (id === undefined || at(good, [...path, name]) !== undefined) return [];
      return [claim(good, [...path, name], isList(schema) ? [id] : id)];
    }),
  );
}

/** Each type that the schema takes, with each of its values. */
export function typeClaims(declaration: Call, good: object): Claim[] {
  return placesOf(declaration, good).flatMap(({ path, fields }) =>
    [...fields]
      .filter(([name]) => /(?:[tT]ype|^kind)$/.test(name))
      .flatMap(([name, schema]) => valuesOf(schema).map((value) => claim(good, [...path, name], value))),
  );
}

function claim(good: object, path: readonly (string | number)[], value: unknown): Claim {
  const input = structuredClone(good);
  const holder = at(input, path.slice(0, -1)) as Record<string | number, unknown>;
  holder[path.at(-1) ?? ''] = value;
  return { field: path.join('.'), input };
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((held, key) => (held as Record<string | number, unknown> | undefined)?.[key], value);
}

function placesOf(declaration: Call, good: object): Place[] {
  const schema = z.toJSONSchema(declaration.input, { io: 'input', unrepresentable: 'any' }) as FieldSchema;
  return below(schema, good, []);
}

function below(schema: FieldSchema, value: unknown, path: readonly (string | number)[]): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const kinds = alternatives(schema);
  if (Array.isArray(value)) {
    const items = { anyOf: kinds.flatMap((one) => one.items ?? []) };
    return value.flatMap((held, index) => below(items, held, [...path, index]));
  }
  const fields = new Map(kinds.flatMap((one) => Object.entries(one.properties ?? {})));
  // Any fields at all: data that is kept as it is.
  if (fields.size === 0 && path.length > 0) return [];
  const inner = Object.entries(value).flatMap(([key, held]) => below(fields.get(key) ?? {}, held, [...path, key]));
  return [{ path, fields }, ...inner];
}

function alternatives(schema: FieldSchema): FieldSchema[] {
  const more = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return more.length > 0 ? more.flatMap(alternatives) : [schema];
}

function isList(schema: FieldSchema): boolean {
  return alternatives(schema).some(({ type }) => type === 'array');
}

function valuesOf(schema: FieldSchema): unknown[] {
  return alternatives(schema).flatMap((one) => {
    if (one.enum !== undefined) return one.enum;
    if (one.const !== undefined) return [one.const];
    if (one.type !== 'integer') return [];
    const from = Math.max(one.minimum ?? 0, 0);
    const to = Math.min(one.maximum ?? Number.POSITIVE_INFINITY, from + TYPE_NUMBERS_MAX - 1);
    return Array.from({ length: to - from + 1 }, (_none, step) => from + step);
  });
}
