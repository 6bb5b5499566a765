// Generates invalid values for each input field of a call from its schema.
import type { Call } from '@vedette/contract/call.ts';
import { z } from 'zod';

interface FieldSchema {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export interface BadField {
  readonly field: string;
  /** undefined leaves the field out. */
  readonly value: unknown;
}

export function badFields(declaration: Call): BadField[] {
  const schema = z.toJSONSchema(declaration.input, { io: 'input', unrepresentable: 'any' }) as FieldSchema;
  const fields = Object.entries(schema.properties ?? {});
  const bad = fields.flatMap(([field, one]) => badValues(one).map((value) => ({ field, value })));
  const missing = (schema.required ?? []).map((field) => ({ field, value: undefined }));
  return [...missing, ...bad, { field: 'isAdmin', value: true }];
}

function badValues(schema: FieldSchema): unknown[] {
  const orNull = schema.anyOf?.find((one) => one.type !== 'null');
  if (orNull && schema.anyOf?.some((one) => one.type === 'null')) {
    return badValues(orNull).filter((value) => value !== null);
  }
  if (schema.type === 'string') return badTexts(schema);
  if (schema.type === 'integer' || schema.type === 'number') return badNumbers(schema);
  if (schema.type === 'boolean') return ['yes', 1, null];
  if (schema.type === 'array') return badLists(schema);
  return ['nothing like it', null, [1]];
}

function badTexts(schema: FieldSchema): unknown[] {
  const values: unknown[] = [5, null, ['x'], { $ne: '' }];
  if (schema.minLength !== undefined && schema.minLength > 0) values.push('');
  if (schema.maxLength !== undefined) values.push('x'.repeat(schema.maxLength + 1));
  if (schema.pattern !== undefined || schema.enum !== undefined) values.push('<script>');
  return values;
}

function badNumbers(schema: FieldSchema): unknown[] {
  const values: unknown[] = ['1', null, [1]];
  if (schema.type === 'integer') values.push(1.5);
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER) values.push(schema.minimum - 1);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) values.push(schema.maximum + 1);
  return values;
}

function badLists(schema: FieldSchema): unknown[] {
  const values: unknown[] = ['x', null, [null]];
  if (schema.maxItems !== undefined) values.push(Array.from({ length: schema.maxItems + 1 }, () => 'x'));
  if (schema.minItems !== undefined && schema.minItems > 0) values.push([]);
  return values;
}
