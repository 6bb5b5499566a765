// Handlers of resource/*: what an account has of each kind, and how much of it is used.
import type { ResourceInfo, resourceCalls } from '@vedette/contract/calls/resource.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { MONTH_QUOTA_NAMES, MONTH_QUOTAS, QUOTAS } from '@vedette/contract/quotas.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { countQuota, quotaHolder, type QuotaHolder } from '../../database/account/quota.queries.ts';
import type { Database } from '../../database/connection.ts';
import { monthUse } from '../../database/consumption/month-use.queries.ts';
import { recordingBytes } from '../../database/consumption/recording-use.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { monthHolding } from '../../quota/month-quota.ts';
import { limitsOf } from '../../quota/reserve-quota.ts';

export interface ResourceDeps {
  readonly database: Database;
  /** IANA name of the zone in which months are counted. */
  readonly timeZone: string;
}

export function resourceHandlers(deps: ResourceDeps): Handlers<keyof typeof resourceCalls> {
  const { database } = deps;
  return {
    'resource/list': async ({ input, principal, now }) => {
      const { userId = principal.userId } = input;
      if (userId !== principal.userId && principal.userType !== USER_TYPE.super) throw new CallError('notFound');
      const holder = requireFound(await quotaHolder(database, userId), 'notFound');
      const resourceList = await resourcesOf(deps, holder, now);
      return { total: resourceList.length, resourceList };
    },
  };
}

async function resourcesOf(
  { database, timeZone }: ResourceDeps,
  holder: QuotaHolder,
  now: number,
): Promise<ResourceInfo[]> {
  const { ownerId } = holder;
  const month = monthHolding(now, timeZone);
  const [limits, devices, channels, bytes, consumed] = await Promise.all([
    limitsOf(database, holder),
    countQuota(database, 'devices', { ownerId, now }),
    countQuota(database, 'channels', { ownerId, now }),
    recordingBytes(database, ownerId, now),
    monthUse(database, { ownerId, month }),
  ]);
  const kept = { endTime: null } as const;
  return [
    { resource: 'devices', unit: 'count', used: devices, total: limits('devices').limit, ...kept },
    { resource: 'channels', unit: 'count', used: channels, total: limits('channels').limit, ...kept },
    { resource: 'recordingBytes', unit: 'bytes', used: bytes, total: null, ...kept },
    ...MONTH_QUOTA_NAMES.map((quota): ResourceInfo => {
      const { ceiling, unit } = QUOTAS[quota];
      const { limit } = limits(quota);
      const total = limit < ceiling ? limit : null;
      return { resource: MONTH_QUOTAS[quota], unit, used: consumed[quota], total, endTime: month.endTime };
    }),
  ];
}
