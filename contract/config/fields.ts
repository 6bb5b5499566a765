// The kinds of fields a configuration section is made of: each gives the form of its value and of the limits a device sets to it.
import { z } from 'zod';

export interface FieldOptions {
  /** What a number counts: a word of the phrases (`config.unit.…`). */
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
  /** Told by the device, never set; what is sent is passed over. */
  readonly readOnly?: boolean;
}

interface Kind<K extends string, V extends z.ZodType, C extends z.ZodType> extends FieldOptions {
  readonly kind: K;
  readonly value: V;
  readonly capabilities: C;
}

function kind<K extends string, V extends z.ZodType, C extends z.ZodType>(
  name: K,
  value: V,
  capabilities: C,
  options: FieldOptions = {},
): Kind<K, V, C> {
  return { kind: name, value, capabilities, ...options };
}

const share = z.number().min(0).max(1);
/** Shares of the picture's width and height, from its top left corner. */
export const Point = z.object({ x: share, y: share }).strict();
export type Point = z.infer<typeof Point>;

/** Cells from the top left, row by row: `1` is watched. */
export const Grid = z
  .object({
    columns: z.number().int().min(1).max(256),
    rows: z.number().int().min(1).max(256),
    cells: z
      .string()
      .regex(/^[01]*$/)
      .max(65_536),
  })
  .strict()
  .refine(({ columns, rows, cells }) => cells.length === columns * rows);
export type Grid = z.infer<typeof Grid>;

/** When the clocks change: the `week`th `weekday` (0 Sunday) of the month, 5 being the last one, `minute`s after midnight. */
export const YearlyRule = z
  .object({
    month: z.number().int().min(1).max(12),
    week: z.number().int().min(1).max(5),
    weekday: z.number().int().min(0).max(6),
    minute: z.number().int().min(0).max(1439),
  })
  .strict();
export type YearlyRule = z.infer<typeof YearlyRule>;

const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
/** Times of a week: `day` 1 Monday to 7 Sunday, 8 holidays; 23:59:59 as an end means midnight. What no entry covers is not watched. */
export const WeekTimes = z
  .array(
    z
      .object({
        day: z.number().int().min(1).max(8),
        entryList: z
          .array(
            z
              .object({ StartTime: z.string().regex(TIME), EndTime: z.string().regex(TIME) })
              .strict()
              .refine(({ StartTime, EndTime }) => StartTime < EndTime),
          )
          .max(24),
      })
      .strict(),
  )
  .max(8);
export type WeekTimes = z.infer<typeof WeekTimes>;

export const RangeLimits = z.object({ min: z.number(), max: z.number(), step: z.number().optional() });
export type RangeLimits = z.infer<typeof RangeLimits>;
const none = z.object({});

/** A number between the device's own limits. */
export const range = (options?: FieldOptions) =>
  kind('range', z.number().min(-2_147_483_648).max(Number.MAX_SAFE_INTEGER), RangeLimits, options);
/** One of the device's words. */
export const choice = (options?: FieldOptions) =>
  kind('choice', z.string().max(64), z.object({ options: z.array(z.string()) }), options);
export const flag = (options?: FieldOptions) => kind('flag', z.boolean(), none, options);
/** `most`: characters. */
export const text = (options?: FieldOptions) =>
  kind('text', z.string().max(256), z.object({ most: z.number().int() }), options);
/** Milliseconds since 1970 UTC. */
export const instant = (options?: FieldOptions) => kind('instant', z.number().int().min(0).max(8.64e15), none, options);
export const rule = (options?: FieldOptions) => kind('rule', YearlyRule, none, options);
/** `places`: the only ones the device knows, where it takes no other. */
export const point = (options?: FieldOptions) =>
  kind('point', Point, z.object({ places: z.array(Point).optional() }), options);
/** `most`: corners. */
export const polygon = (options?: FieldOptions) =>
  kind(
    'polygon',
    z.array(Point).min(3).max(64),
    z.object({ most: z.number().int(), isRectangle: z.boolean().optional() }),
    options,
  );
export const grid = (options?: FieldOptions) =>
  kind('grid', Grid, z.object({ columns: z.number().int(), rows: z.number().int() }), options);

/** `most`: spans a day. `hasHoliday`: there is a row for holidays, too. */
export const week = (options?: FieldOptions) =>
  kind('week', WeekTimes, z.object({ most: z.number().int(), hasHoliday: z.boolean() }), options);
/** Any of the device's words. */
export const several = (options?: FieldOptions) =>
  kind('several', z.array(z.string().max(64)).max(32), z.object({ options: z.array(z.string()) }), options);
/** Counted in bytes, for reading alone. */
export const bytes = () => kind('bytes', z.number().min(0).max(Number.MAX_SAFE_INTEGER), none, { readOnly: true });

export type PlainField = ReturnType<
  | typeof range
  | typeof choice
  | typeof flag
  | typeof text
  | typeof instant
  | typeof rule
  | typeof point
  | typeof polygon
  | typeof grid
  | typeof week
  | typeof several
  | typeof bytes
>;
export type PlainFields = Readonly<Record<string, PlainField>>;

export type ValueOfFields<F extends Fields> = { readonly [K in keyof F]?: z.infer<F[K]['value']> | undefined };
export type LimitsOfFields<F extends Fields> = { readonly [K in keyof F]?: z.infer<F[K]['capabilities']> | undefined };

type Shape<F extends Fields, P extends 'value' | 'capabilities'> = {
  [K in keyof F]: z.ZodOptional<F[K][P]>;
};

function shapeOf<F extends Fields, P extends 'value' | 'capabilities'>(fields: F, part: P): Shape<F, P> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[part].optional()])) as Shape<
    F,
    P
  >;
}

/** A field that is absent is one the device lacks, or one that stays as it is. */
export function valueSchema<F extends Fields>(fields: F) {
  return z.object(shapeOf(fields, 'value')).strict();
}

export function limitsSchema<F extends Fields>(fields: F) {
  return z.object(shapeOf(fields, 'capabilities'));
}

/** Most rows any device may list. */
const MOST_ROWS = 64;

/**
 * Rows of fields, each with the device's own id ('' for a row that is new). `most` rows fit; `isFixed`: they come and go
 * with the device alone. The limits of a row stand under `<id> <word of the variant>`, under its id, or are `item`.
 */
export function list<const F extends PlainFields>(fields: F, variant?: keyof F & string) {
  const limits = limitsSchema(fields);
  return {
    ...kind(
      'list',
      z.array(z.object({ id: z.string().max(128), ...shapeOf(fields, 'value') }).strict()).max(MOST_ROWS),
      z.object({
        most: z.number().int(),
        isFixed: z.boolean(),
        item: limits,
        byKey: z.record(z.string(), limits).optional(),
      }),
    ),
    fields,
    /** The choice on which a row's limits depend. */
    variant,
  };
}

export interface ListField extends FieldOptions {
  readonly kind: 'list';
  readonly value: z.ZodType;
  readonly capabilities: z.ZodType;
  readonly fields: PlainFields;
  readonly variant?: string | undefined;
}
export type Field = PlainField | ListField;
export type Fields = Readonly<Record<string, Field>>;
