// Handlers of resource/trial/*: accounts ask for more of a resource for some days, the operator decides, and the end comes by itself.
import type { Trial, trialCalls } from '@vedette/contract/calls/trial.ts';
import type { TrialState } from '@vedette/contract/enumerations.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import { countQuota, quotaHolder } from '../../database/account/quota.queries.ts';
import { decideTrial, findTrial, insertTrial, listTrials } from '../../database/account/trial.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { TrialRow } from '../../database/schema/trial-schema.ts';
import type { Handlers } from '../../http/handler.ts';
import { limitsOf } from '../../quota/reserve-quota.ts';

export function trialHandlers({ database }: { readonly database: Database }): Handlers<keyof typeof trialCalls> {
  return {
    'resource/trial/list': async ({ principal, now }) => {
      const isOperator = principal.userType === USER_TYPE.super;
      const { ownerId } = requireFound(await quotaHolder(database, principal.userId), 'notFound');
      const rows = await listTrials(database, isOperator ? null : ownerId);
      const trialList = await Promise.all(rows.map((row) => toTrial(database, row, now)));
      return { total: trialList.length, trialList };
    },
    'resource/trial/apply': async ({ input: { extraList: extras, days, note = '' }, principal, now, audit }) => {
      const { ownerId } = requireFound(await quotaHolder(database, principal.userId), 'notFound');
      // Its owner's limits are not a sub-account's to raise.
      if (ownerId !== principal.userId) throw new CallError('permissionDenied');
      const trialId = newId();
      audit.object = extras.map(({ quota, amount }) => `${quota}+${amount}`).join(' ');
      const trial = { trialId, accountId: principal.userId, extras, days, note: note.trim(), now };
      if (!(await insertTrial(database, trial))) throw new CallError('alreadyExists');
      return { trialId };
    },
    'resource/trial/grant': async ({ input: { trialId, isGranted, days }, now, audit }) => {
      const trial = requireFound(await findTrial(database, trialId), 'notFound');
      audit.object = `${trial.account_id} ${isGranted ? 'granted' : 'refused'}`;
      const endsAt = isGranted ? now + (days ?? trial.days) * DAY_MS : null;
      if (!(await decideTrial(database, trialId, { now, endsAt }))) throw new CallError('alreadyExists');
      return {};
    },
  };
}

type ListedTrial = Awaited<ReturnType<typeof listTrials>>[number];

async function toTrial(database: Database, row: ListedTrial, now: number): Promise<Trial> {
  const ownerId = row.account_id;
  const limits = await limitsOf(database, { ownerId, userType: row.user_type });
  const extraList = await Promise.all(
    row.extras.map(async ({ quota, amount }) => ({
      quota,
      amount,
      used: await countQuota(database, quota, { ownerId, now }),
      total: limits(quota).limit,
    })),
  );
  return {
    trialId: row.trial_id,
    userId: ownerId,
    userName: row.user_name,
    state: stateOf(row, now),
    extraList,
    days: row.days,
    note: row.note,
    applyTime: row.applied_at,
    startTime: row.ends_at === null ? null : row.decided_at,
    endTime: row.ends_at,
  };
}

function stateOf({ decided_at: decidedAt, ends_at: endsAt }: TrialRow, now: number): TrialState {
  if (decidedAt === null) return 'applied';
  if (endsAt === null) return 'refused';
  return endsAt > now ? 'running' : 'ended';
}
