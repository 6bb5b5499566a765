// Handlers of record/plan/*: schedule, quality and retention of a channel.
import type { RecordPlan, RecordPlanDay } from '@vedette/contract/calls/record-plan.ts';
import { RECORD_PLAN_TYPE } from '@vedette/contract/enumerations.ts';
import { ALL_DAY, HOLIDAY_ROW, WEEK_DAYS } from '@vedette/contract/limits.ts';
import { planProblem } from '@vedette/rules/time-plan/plan-problem.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findRecordPlan, type RecordPlanRow, replaceRecordPlan } from '../../database/media/record-plan.queries.ts';
import type { StoredRecordPlan } from '../../database/schema/schema.ts';
import type { Handlers } from '../../http/handler.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';

export interface PlanDeps {
  readonly database: Database;
  readonly assignmentSync: AssignmentSync;
  /** Zone of this installation, for devices without one of their own. */
  readonly timeZone: string;
}

const PRE_ROLL_USUAL_S = 5;
const ALL_DAYS: readonly number[] = [...WEEK_DAYS, HOLIDAY_ROW];
const WHOLE_DAY = { StartTime: ALL_DAY.startFull, EndTime: ALL_DAY.endFull, Type: RECORD_PLAN_TYPE.continuous };

export function planHandlers(deps: PlanDeps): Handlers<'record/plan/get' | 'record/plan/set'> {
  return {
    'record/plan/get': async ({ input, device }) => await planOf(deps, device.deviceId, input.channelNo),
    'record/plan/set': async ({ input, device }) => {
      refuseBadPlan(input);
      const { plan, holidayList, preRoll, retentionDays, emptyRetention, secondStream, quotaBytes, fillsGaps } = input;
      const kept = { preRoll, retentionDays, emptyRetention, quotaBytes };
      const isDone = await replaceRecordPlan(deps.database, {
        deviceId: device.deviceId,
        channelNo: input.channelNo,
        quality: input.quality,
        plan: { plan: wholeWeek(plan), holidayList, secondStream, fillsGaps, ...kept },
        timeZone: input.timeZone,
        version: input.version,
      });
      const stored = await planOf(deps, device.deviceId, input.channelNo);
      if (!isDone) throw new CallError('stale', stored);
      await deps.assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return stored;
    },
  };
}

function refuseBadPlan(input: {
  readonly plan: readonly RecordPlanDay[];
  readonly holidayList: readonly string[];
  readonly timeZone?: string | undefined;
  readonly retentionDays: number | null;
  readonly emptyRetention: RecordPlan['emptyRetention'];
}): void {
  const found = planProblem(input);
  if (found) throw fieldError({ [found.field]: found.problem });
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone)) throw fieldError({ timeZone: 'format' });
  const { retentionDays, emptyRetention } = input;
  if (emptyRetention !== null && retentionDays !== null && emptyRetention.days >= retentionDays) {
    throw fieldError({ 'emptyRetention.days': 'tooBig' });
  }
}

async function planOf(deps: PlanDeps, deviceId: string, channelNo: number): Promise<RecordPlan> {
  const row = requireFound(await findRecordPlan(deps.database, deviceId, channelNo), 'devNotExist');
  const quality = row.record_quality === 1 || row.record_quality === 2 ? row.record_quality : 0;
  const stored = storedPlan(row);
  const { plan, holidayList, preRoll, retentionDays, secondStream, quotaBytes, fillsGaps } = stored;
  return {
    plan: wholeWeek(plan),
    holidayList: [...holidayList],
    preRoll,
    retentionDays,
    emptyRetention: stored.emptyRetention ?? null,
    quality,
    secondStream,
    quotaBytes,
    fillsGaps: fillsGaps ?? true,
    timeZone: row.time_zone ?? deps.timeZone,
    version: row.record_version,
  };
}

/** Until somebody sets a plan a channel is recorded always, or never where no quality is. */
function storedPlan(row: RecordPlanRow): StoredRecordPlan {
  if (row.record_plan !== null) return row.record_plan;
  const entryList = row.record_quality === null ? [] : [WHOLE_DAY];
  return {
    plan: ALL_DAYS.map((day) => ({ day, entryList })),
    holidayList: [],
    preRoll: PRE_ROLL_USUAL_S,
    retentionDays: null,
    secondStream: false,
    quotaBytes: null,
    fillsGaps: true,
  };
}

/** All eight rows in their order, entries by time. */
function wholeWeek(days: readonly RecordPlanDay[]): RecordPlanDay[] {
  const given = new Map(days.map(({ day, entryList }) => [day, entryList]));
  return ALL_DAYS.map((day) => ({
    day,
    entryList: [...(given.get(day) ?? [])].sort((a, b) => (a.StartTime < b.StartTime ? -1 : 1)),
  }));
}
