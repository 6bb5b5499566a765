// Schemas of the plain field kinds: of a value, and of the limits that a device reports for it.
import { z } from 'zod';

const share = z.number().min(0).max(1);
/** Shares of the picture's width and height, from its top left corner. */
const Point = z.object({ x: share, y: share }).strict();
export type Point = z.infer<typeof Point>;

/** Motion grid, row by row from the top left: `1` is a watched cell. */
const Grid = z
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
const YearlyRule = z
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
const WeekTimes = z
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

const RangeLimits = z.object({ min: z.number(), max: z.number(), step: z.number().optional() });
export type RangeLimits = z.infer<typeof RangeLimits>;
const Options = z.object({ options: z.array(z.string()) });
const none = z.object({});

export const plainValues = {
  range: z.number().min(-2_147_483_648).max(Number.MAX_SAFE_INTEGER),
  choice: z.string().max(64),
  flag: z.boolean(),
  text: z.string().max(256),
  instant: z.number().int().min(0).max(8.64e15),
  rule: YearlyRule,
  point: Point,
  polygon: z.array(Point).min(3).max(64),
  grid: Grid,
  week: WeekTimes,
  several: z.array(z.string().max(64)).max(32),
  bytes: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
} as const;

export const plainLimits = {
  range: RangeLimits,
  choice: Options,
  flag: none,
  /** `most`: characters. */
  text: z.object({ most: z.number().int() }),
  instant: none,
  rule: none,
  /** `places`: the only allowed ones, if the device has a fixed list. */
  point: z.object({ places: z.array(Point).optional() }),
  /** `most`: corners. */
  polygon: z.object({ most: z.number().int(), isRectangle: z.boolean().optional() }),
  grid: z.object({ columns: z.number().int(), rows: z.number().int() }),
  /** `most`: spans a day. `hasHoliday`: there is a row for holidays, too. */
  week: z.object({ most: z.number().int(), hasHoliday: z.boolean() }),
  several: Options,
  bytes: none,
} as const satisfies Record<keyof typeof plainValues, z.ZodType>;
