// Handlers of resource/*: what an account has of each kind, and how much of it is used.
import type { ResourceInfo, resourceCalls } from '@vedette/contract/calls/resource.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { countQuota, quotaHolder, type QuotaHolder } from '../../database/account/quota.queries.ts';
import type { Database } from '../../database/connection.ts';
import { recordingBytes } from '../../database/consumption/recording-use.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { limitsOf } from '../../quota/reserve-quota.ts';

export function resourceHandlers({ database }: { readonly database: Database }): Handlers<keyof typeof resourceCalls> {
  return {
    'resource/list': async ({ input, principal, now }) => {
      const { userId = principal.userId } = input;
      if (userId !== principal.userId && principal.userType !== USER_TYPE.super) throw new CallError('notFound');
      const holder = requireFound(await quotaHolder(database, userId), 'notFound');
      const resourceList = await resourcesOf(database, holder, now);
      return { total: resourceList.length, resourceList };
    },
  };
}

async function resourcesOf(database: Database, holder: QuotaHolder, now: number): Promise<ResourceInfo[]> {
  const { ownerId } = holder;
  const [limits, devices, channels, bytes] = await Promise.all([
    limitsOf(database, holder),
    countQuota(database, 'devices', { ownerId, now }),
    countQuota(database, 'channels', { ownerId, now }),
    recordingBytes(database, ownerId, now),
  ]);
  const kept = { endTime: null } as const;
  return [
    { resource: 'devices', unit: 'count', used: devices, total: limits('devices').limit, ...kept },
    { resource: 'channels', unit: 'count', used: channels, total: limits('channels').limit, ...kept },
    { resource: 'recordingBytes', unit: 'bytes', used: bytes, total: null, ...kept },
  ];
}
