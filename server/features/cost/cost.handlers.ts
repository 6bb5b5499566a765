// Handlers of cost/*: consumption over a range of days, with what it costs, and the prices.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { costCalls, MeterAmount, PriceTable } from '@vedette/contract/calls/cost.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { COST_LIMITS } from '@vedette/contract/limits.ts';
import { METER_NAMES, type MeterName } from '@vedette/contract/meters.ts';
import { costOf } from '@vedette/rules/consumption/cost-of.ts';
import { unitsHolding } from '@vedette/rules/statistics/period.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { quotaHolder } from '../../database/account/quota.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  consumptionBy,
  consumptionByDay,
  type CostScope,
  type GroupSum,
  readPrices,
  replacePrices,
} from '../../database/consumption/cost.queries.ts';
import type { Handlers } from '../../http/handler.ts';

export interface CostDeps {
  readonly database: Database;
  /** IANA name of the zone of the installation. */
  readonly timeZone: string;
}

export function costHandlers({ database, timeZone }: CostDeps): Handlers<keyof typeof costCalls> {
  return {
    'cost/summary': async ({ input, principal, now }) => {
      const period = periodOf(input, now, timeZone);
      const accountId = await askedAccount(database, principal, input.userId);
      const [sums, prices] = await Promise.all([
        consumptionBy(database, { ...period, accountId }, input.groupBy),
        readPrices(database),
      ]);
      const rows = [...Map.groupBy(sums, ({ key }) => key)].map(([key, parts]) => {
        const meterList = meterAmounts(parts, prices);
        return { key, name: parts[0]?.name ?? '', meterList };
      });
      const rowList = rows.toSorted(byCost).slice(0, COST_LIMITS.rows);
      return {
        period: { ...period, timeZone },
        prices,
        meterList: meterAmounts(sums, prices),
        total: rows.length,
        rowList,
      };
    },
    'cost/detail': async ({ input, principal, now }) => {
      const period = periodOf(input, now, timeZone);
      const accountId = await askedAccount(database, principal, input.userId);
      const scope: CostScope = { ...period, accountId, organizationId: input.organizationId };
      const [sums, prices] = await Promise.all([consumptionByDay(database, scope), readPrices(database)]);
      const dayList = [...Map.groupBy(sums, ({ startTime }) => startTime)].map(([startTime, parts]) => ({
        startTime,
        meterList: meterAmounts(parts, prices),
      }));
      return { period: { ...period, timeZone }, prices, dayList };
    },
    'cost/price/set': async ({ input, audit }) => {
      audit.object = input.prices?.priceList.map(({ meter, price }) => `${meter}=${price}`).join(' ') ?? '';
      await replacePrices(database, input.prices);
      return {};
    },
  };
}

type AskedRange = Pick<CallParsed<'cost/detail'>, 'range' | 'startTime' | 'endTime'>;

/** Whole days. Throws 1003 for a range that begins in the future. */
function periodOf({ range, startTime = 0, endTime = 0 }: AskedRange, now: number, timeZone: string) {
  if (range === 'custom') {
    if (startTime > now) throw fieldError({ startTime: 'tooBig' });
    const days = [startTime, endTime - 1].map((at) => unitsHolding('day', [at], timeZone)[0]);
    // The first day of 1970 begins before 0 in the east.
    return { startTime: Math.max(0, days[0]?.startTime ?? 0), endTime: days[1]?.endTime ?? endTime };
  }
  const holding = (at: number) => unitsHolding('month', [at], timeZone)[0] ?? { startTime: at, endTime: at };
  const month = holding(now);
  return range === 'month' ? month : holding(month.startTime - 1);
}

/** Null: all accounts. Throws 1007 for an account that the caller may not see, or that is none. */
async function askedAccount(
  database: Database,
  { userId: ownId, userType }: Principal,
  asked: string | undefined,
): Promise<string | null> {
  const isOperator = userType === USER_TYPE.super;
  if (asked === undefined) return isOperator ? null : ownId;
  if (asked !== ownId && !isOperator) throw new CallError('notFound');
  const { ownerId } = requireFound(await quotaHolder(database, asked), 'notFound');
  return ownerId;
}

/** Of each meter that has an amount, in the order of their table. */
function meterAmounts(sums: readonly Pick<GroupSum, 'meter' | 'amount'>[], prices: PriceTable | null): MeterAmount[] {
  const priceOf = new Map(prices?.priceList.map(({ meter, price }) => [meter, price]));
  const amounts = new Map<MeterName, bigint>();
  for (const { meter, amount } of sums) amounts.set(meter, (amounts.get(meter) ?? 0n) + BigInt(amount));
  return METER_NAMES.flatMap((meter) => {
    const amount = amounts.get(meter)?.toString();
    return amount === undefined ? [] : [{ meter, amount, cost: costOf(meter, amount, priceOf.get(meter)) }];
  });
}

interface Priced {
  readonly key: string;
  readonly meterList: readonly MeterAmount[];
}

/** The dearest first; by key where nothing has a price. */
function byCost(a: Priced, b: Priced): number {
  const costIn = ({ meterList }: Priced): number => meterList.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  return costIn(b) - costIn(a) || (a.key < b.key ? -1 : 1);
}
