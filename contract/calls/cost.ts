// Calls of consumption: what was metered over a time, by account, organisation, meter or day, and what it costs.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { COST_LIMITS, STATISTIC_LIMITS } from '../limits.ts';
import { METER_NAMES, type MeterName } from '../meters.ts';

export const COST_RANGES = ['month', 'lastMonth', 'custom'] as const;
export type CostRange = (typeof COST_RANGES)[number];

export const COST_GROUPS = ['account', 'organization', 'meter'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

const OWNERS = { kind: 'userType', userTypes: [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary] } as const;
const OPERATOR = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;
const meter = z.enum(METER_NAMES as readonly [MeterName, ...MeterName[]]);
const price = z.number().min(0).max(COST_LIMITS.price);
/** ISO 4217. */
const currency = z.string().regex(/^[A-Z]{3}$/);

export const MeterAmount = z.object({
  meter,
  /** In the unit of the meter, in decimal digits: byte-hours pass what a number holds exactly. */
  amount: z.string().regex(/^\d+$/),
  /** In the currency of the price table; null where the meter has no price. */
  cost: z.number().nullable(),
});
export type MeterAmount = z.infer<typeof MeterAmount>;

const period = z.object({
  startTime: timeMs,
  endTime: timeMs,
  /** IANA zone in which days and months are counted: that of the installation. */
  timeZone: z.string(),
});

export const PriceTable = z.object({
  currency,
  priceList: z.array(z.object({ meter, price })).max(METER_NAMES.length),
});
export type PriceTable = z.infer<typeof PriceTable>;

/** Null: the operator set no prices. */
const prices = PriceTable.nullable();

const range = {
  /** `month`: this month; `lastMonth`: the one before; `custom`: the days that hold `startTime` to `endTime`. */
  range: z.enum(COST_RANGES),
  startTime: timeMs.optional(),
  endTime: timeMs.optional(),
  /** Of one account; for the operator alone, who otherwise sees all. */
  userId: id.optional(),
};

interface AskedRange {
  readonly range: CostRange;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

function checkRange({ range: asked, startTime, endTime }: AskedRange, context: z.core.$RefinementCtx): void {
  const refuse = (path: 'startTime' | 'endTime', message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (asked !== 'custom') {
    if (startTime !== undefined) refuse('startTime', 'of a custom range alone');
    if (endTime !== undefined) refuse('endTime', 'of a custom range alone');
  } else if (startTime === undefined) refuse('startTime', 'is missing');
  else if (endTime === undefined) refuse('endTime', 'is missing');
  else if (endTime <= startTime) refuse('endTime', 'does not follow the start');
  else if (endTime - startTime > STATISTIC_LIMITS.rangeMs) refuse('startTime', 'is too long ago');
}

/** 1003 for a range that is empty, longer than ten years, or begins in the future. */
export const costCalls = {
  'cost/summary': call({
    summary: 'What the own account consumed over a time; the operator sees every account',
    permission: OWNERS,
    audit: 'read',
    errors: [1007],
    input: z
      .object({ ...range, groupBy: z.enum(COST_GROUPS) })
      .strict()
      .superRefine(checkRange),
    output: z.object({
      period,
      prices,
      /** Of all rows together, those that are left out included. */
      meterList: z.array(MeterAmount),
      total: z.number().int(),
      rowList: z.array(
        z.object({
          /** Account, organisation or meter; organisation `0` is none. */
          key: z.string(),
          /** Empty where the key says it all, or what it names was deleted. */
          name: z.string(),
          meterList: z.array(MeterAmount),
        }),
      ),
    }),
  }),
  'cost/detail': call({
    summary: 'What the own account consumed on each day; the operator sees every account',
    permission: OWNERS,
    audit: 'read',
    errors: [1007],
    input: z
      .object({ ...range, organizationId: id.optional() })
      .strict()
      .superRefine(checkRange),
    output: z.object({
      period,
      prices,
      /** Days without consumption are left out. */
      dayList: z.array(z.object({ startTime: z.number().int(), meterList: z.array(MeterAmount) })),
    }),
  }),
  'cost/price/set': call({
    summary: 'Replace the price table; null removes it, and amounts remain',
    permission: OPERATOR,
    audit: 'write',
    input: z
      .object({ prices })
      .strict()
      .refine(
        (given) =>
          given.prices === null ||
          new Set(given.prices.priceList.map((one) => one.meter)).size === given.prices.priceList.length,
        { path: ['prices'] },
      ),
    output: z.object({}),
  }),
} as const;
