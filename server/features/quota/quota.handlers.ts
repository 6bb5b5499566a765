// Handlers of quota/*: limits and use of an account, for itself and for the operator, who sets them.
import type { Quota, QuotaDefault, quotaCalls } from '@vedette/contract/calls/quota.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { QUOTA_NAMES, QUOTA_USER_TYPES, QUOTAS, type QuotaName } from '@vedette/contract/quotas.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { monthUse } from '../../database/consumption/month-use.queries.ts';
import {
  countQuotas,
  quotaHolder,
  type QuotaTarget,
  storedDefaults,
  storeQuota,
} from '../../database/account/quota.queries.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { isOfMonth, monthHolding } from '../../quota/month-quota.ts';
import { isCounted, limitsOf } from '../../quota/reserve-quota.ts';

export interface QuotaDeps {
  readonly database: Database;
  /** IANA name of the zone in which months are counted. */
  readonly timeZone: string;
}

export function quotaHandlers(deps: QuotaDeps): Handlers<keyof typeof quotaCalls> {
  const { database } = deps;
  const setQuotas = async ({
    input,
    audit,
  }: CallRequest<'quota/set' | 'cost/quota/set'>): Promise<Record<string, never>> => {
    const target = await targetOf(database, input);
    audit.object = `${audit.object ?? `userType=${input.userType}`} ${input.quotaList.map(({ quota, limit }) => `${quota}=${limit}`).join(' ')}`;
    await database.transaction().execute(async (transaction) => {
      for (const { quota, limit } of input.quotaList) await storeQuota(transaction, target, quota, limit);
    });
    return {};
  };
  return {
    'quota/list': async ({ input, principal, now }) => {
      const { userId = principal.userId } = input;
      if (userId !== principal.userId && principal.userType !== USER_TYPE.super) throw new CallError('notFound');
      const quotaList = await quotasOf(deps, userId, now);
      return { total: quotaList.length, quotaList };
    },
    'quota/default/list': async () => {
      const defaultList = await defaults(database);
      return { total: defaultList.length, defaultList };
    },
    'quota/set': setQuotas,
    'cost/quota/set': setQuotas,
  };
}

async function quotasOf({ database, timeZone }: QuotaDeps, accountId: string, now: number): Promise<Quota[]> {
  const holder = requireFound(await quotaHolder(database, accountId), 'notFound');
  const { ownerId } = holder;
  const [limits, used, consumed] = await Promise.all([
    limitsOf(database, holder),
    countQuotas(database, { ownerId, now }),
    monthUse(database, { ownerId, month: monthHolding(now, timeZone) }),
  ]);
  const useOf = (quota: QuotaName): number | null => {
    if (isCounted(quota)) return used[quota];
    return isOfMonth(quota) ? consumed[quota] : null;
  };
  return QUOTA_NAMES.map((quota) => {
    const { limit, setFor } = limits(quota);
    return { quota, unit: QUOTAS[quota].unit, limit, used: useOf(quota), setFor };
  });
}

async function defaults(database: Database): Promise<QuotaDefault[]> {
  const set = new Map((await storedDefaults(database)).map((row) => [`${row.quota} ${row.user_type}`, row.most]));
  return QUOTA_NAMES.map((quota) => {
    const { unit, ceiling, usual } = QUOTAS[quota];
    const limits = {} as QuotaDefault['limits'];
    for (const userType of QUOTA_USER_TYPES) {
      const stored = set.get(`${quota} ${userType}`);
      limits[userType] = { limit: stored ?? usual[userType], isSet: stored !== undefined };
    }
    return { quota, unit, ceiling, limits };
  });
}

/** Throws 1003 unless exactly one of the two is named, 1007 for an account that is gone or has no quotas of its own. */
async function targetOf(
  database: Database,
  { userId, userType }: Pick<CallParsed<'quota/set'>, 'userId' | 'userType'>,
): Promise<QuotaTarget> {
  if (userType !== undefined) {
    if (userId !== undefined) throw fieldError({ userType: 'notAllowed' });
    return { userType };
  }
  if (userId === undefined) throw fieldError({ userId: 'required' });
  const holder = requireFound(await quotaHolder(database, userId), 'notFound');
  if (holder.ownerId !== userId) throw new CallError('notFound');
  return { ownerId: userId };
}
