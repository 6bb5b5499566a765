// Handlers of alarms: the list, the table of types, acknowledging and commenting.
import {
  ALARM_SEVERITIES,
  clearedBy,
  RAISED_ALARM_TYPE_NAMES,
  RAISED_ALARM_TYPES,
} from '@vedette/contract/alarm-types.ts';
import type { CallParsed } from '@vedette/contract/calls.ts';
import type { alarmCalls } from '@vedette/contract/calls/alarm.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import { alarmTypes as english } from '@vedette/phrases/en/alarm-types.ts';
import { fill } from '@vedette/phrases/translate.ts';
import { alarmTypes as chinese } from '@vedette/phrases/zh-CN/alarm-types.ts';
import { mayOrganization } from '../../auth/may.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError } from '../../call-error.ts';
import {
  acknowledge,
  addComment,
  type AlarmFilter,
  alarmPage,
  alarmsById,
  type PlacedAlarm,
} from '../../database/alarm-read.queries.ts';
import { appendOutbox, lockAlarms } from '../../database/alarm-write.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { placeOfAlarm } from './alarm-id.ts';
import { toAlarms } from './alarm-view.ts';

export interface AlarmParts {
  readonly database: Database;
}

export function alarmHandlers({ database }: AlarmParts): Handlers<keyof typeof alarmCalls> {
  return {
    'alarm/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const { organizationId, pageSize, cursor } = input;
      if (organizationId !== undefined && organizationId !== '0') {
        await mayOrganization(database, held, null, organizationId);
      }
      const after = cursor === undefined ? null : placeOfAlarm(cursor);
      if (cursor !== undefined && after === null) throw fieldError({ cursor: 'format' });
      const page = { filter: filterOf(input), after, limit: pageSize + 1, isWeb };
      const rows = await alarmPage(database, held, page);
      const shown = rows.slice(0, pageSize);
      const next = rows.length > pageSize ? (shown.at(-1)?.alarm_id ?? null) : null;
      return { alarmList: await toAlarms(database, shown), next };
    },
    'alarm/types': async () => ({ typeList: TYPE_LIST }),
    'alarm/ack': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = input.alarmIds.slice(0, 3).join(' ');
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, async (change, rows) => {
        const by = { accountId: principal.userId, at: now };
        return await acknowledge(change, rows.map(cursorOf), by);
      });
    },
    'alarm/comment': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = input.alarmIds.slice(0, 3).join(' ');
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, async (change, rows) => {
        if (rows.some((row) => row.comments.length >= ALARM_LIMITS.comments)) throw new CallError('quotaExceeded');
        const comment = { accountId: principal.userId, text: input.comment.trim(), time: now };
        await addComment(change, rows.map(cursorOf), comment);
        return rows.map(cursorOf);
      });
    },
  };
}

interface SeenChange {
  readonly alarmIds: readonly string[];
  readonly rights: Rights;
  readonly isWeb: boolean;
  readonly now: number;
}

/** Changes the alarms that the caller may see, and tells everybody. Throws 1007 where it may see none of them. */
async function changeSeen(
  database: Database,
  { alarmIds, rights, isWeb, now }: SeenChange,
  change: (database: Database, rows: readonly PlacedAlarm[]) => Promise<ReturnType<typeof cursorOf>[]>,
) {
  const asked = alarmIds.flatMap((alarmId) => placeOfAlarm(alarmId) ?? []);
  const after = await database.transaction().execute(async (transaction) => {
    await lockAlarms(transaction);
    const rows = await alarmsById(transaction, rights, asked, isWeb);
    if (rows.length === 0) throw new CallError('notFound');
    const changed = await change(transaction, rows);
    await appendOutbox(
      transaction,
      changed.map((one) => ({ ...one, isNew: false })),
      now,
    );
    return await alarmsById(transaction, rights, asked, isWeb);
  });
  return { alarmList: await toAlarms(database, after) };
}

function cursorOf(row: PlacedAlarm) {
  return { startTime: row.start_time, alarmId: row.alarm_id };
}

function filterOf(input: CallParsed<'alarm/list'>): AlarmFilter {
  const { types, groups, devices, organizationId, state, severity, isActive, startTime, endTime } = input;
  const ofGroups = groups && RAISED_ALARM_TYPE_NAMES.filter((type) => groups.includes(RAISED_ALARM_TYPES[type].group));
  const wanted = types && ofGroups ? types.filter((type) => ofGroups.includes(type)) : (types ?? ofGroups);
  const severities = severity?.map((one) => ALARM_SEVERITIES.indexOf(one));
  return { types: wanted, devices, organizationId, state, severities, isActive, startTime, endTime };
}

const TYPE_LIST = RAISED_ALARM_TYPE_NAMES.flatMap((type) => {
  const { group, severity } = RAISED_ALARM_TYPES[type];
  const ended = type === 'Online' ? 'Offline' : null;
  const [nameEn, nameZh] = [english[`alarmType_${type}`], chinese[`alarmType_${type}`]];
  const row = { type: type as string, group, severity, clearedBy: clearedBy(type) as string | null, clears: ended };
  const raised = { ...row, clears: ended as string | null, nameEn, nameZh };
  if (raised.clearedBy === null || type === 'Offline') return [raised];
  const cleared = {
    ...row,
    type: raised.clearedBy,
    clearedBy: null,
    severity: 'info' as const,
    clears: type as string | null,
    nameEn: fill(english['alarmType.cleared'], { type: nameEn }),
    nameZh: fill(chinese['alarmType.cleared'], { type: nameZh }),
  };
  return [raised, cleared];
});
