// The kinds of fields a configuration section is made of, as plain rows: pages read them without the checks of field-schemas.ts.
import type { z } from 'zod';
import type { plainLimits, plainValues } from './field-schemas.ts';

export type { Grid, Point, RangeLimits, WeekTimes, YearlyRule } from './field-schemas.ts';

export interface FieldOptions {
  /** Unit of a number: a key of the phrases (`config.unit.…`). */
  readonly unit?:
    | 'minutes'
    | 'utcMinutes'
    | 'seconds'
    | 'kbps'
    | 'fps'
    | 'frames'
    | 'percent'
    | 'microseconds'
    | 'decibels'
    | 'kHz';
  /** Read-only; values sent are ignored. */
  readonly readOnly?: boolean;
}

type PlainKind = keyof typeof plainValues;

interface PlainFieldOf<K extends PlainKind> extends FieldOptions {
  readonly kind: K;
}

function kind<K extends PlainKind>(name: K, options: FieldOptions = {}): PlainFieldOf<K> {
  return { kind: name, ...options };
}

/** A number between the device's own limits. */
export const range = (options?: FieldOptions) => kind('range', options);
/** One of the device's words. */
export const choice = (options?: FieldOptions) => kind('choice', options);
export const flag = (options?: FieldOptions) => kind('flag', options);
export const text = (options?: FieldOptions) => kind('text', options);
/** Milliseconds since 1970 UTC. */
export const instant = (options?: FieldOptions) => kind('instant', options);
export const rule = (options?: FieldOptions) => kind('rule', options);
export const point = (options?: FieldOptions) => kind('point', options);
export const polygon = (options?: FieldOptions) => kind('polygon', options);
export const grid = (options?: FieldOptions) => kind('grid', options);
export const week = (options?: FieldOptions) => kind('week', options);
/** Any of the device's words. */
export const several = (options?: FieldOptions) => kind('several', options);
/** Counted in bytes, for reading alone. */
export const bytes = () => kind('bytes', { readOnly: true });

export type PlainField = { readonly [K in PlainKind]: PlainFieldOf<K> }[PlainKind];
export type PlainFields = Readonly<Record<string, PlainField>>;

export interface ListField<F extends PlainFields = PlainFields> extends FieldOptions {
  readonly kind: 'list';
  readonly fields: F;
  /** The choice on which a row's limits depend. */
  readonly variant?: string | undefined;
}

/**
 * Rows of fields, each with the device's own id ('' for a new row). `most` is the largest number of rows; `isFixed`:
 * users can't add or remove them. Limits of a row are under `<id> <word of the variant>`, under its id, or in `item`.
 */
export function list<const F extends PlainFields>(fields: F, variant?: keyof F & string): ListField<F> {
  return { kind: 'list', fields, variant };
}

export type Field = PlainField | ListField;
export type Fields = Readonly<Record<string, Field>>;

type PlainValuesOf<F extends PlainFields> = {
  -readonly [K in keyof F]?: z.infer<(typeof plainValues)[F[K]['kind']]> | undefined;
};
type PlainLimitsOf<F extends PlainFields> = {
  -readonly [K in keyof F]?: z.infer<(typeof plainLimits)[F[K]['kind']]> | undefined;
};

interface LimitsOfRows<F extends PlainFields> {
  most: number;
  isFixed: boolean;
  item: PlainLimitsOf<F>;
  byKey?: Record<string, PlainLimitsOf<F>> | undefined;
}

type ValueOf<F extends Field> =
  F extends ListField<infer G>
    ? ({ id: string } & PlainValuesOf<G>)[]
    : F extends PlainField
      ? z.infer<(typeof plainValues)[F['kind']]>
      : never;
type LimitsOf<F extends Field> =
  F extends ListField<infer G>
    ? LimitsOfRows<G>
    : F extends PlainField
      ? z.infer<(typeof plainLimits)[F['kind']]>
      : never;

/** An absent field is unsupported by the device, or stays unchanged. */
export type ValueOfFields<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> | undefined };
export type LimitsOfFields<F extends Fields> = { readonly [K in keyof F]?: LimitsOf<F[K]> | undefined };
