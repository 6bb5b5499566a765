// Handlers of alarms: list, type table, acknowledge, assign, close, comment.
import { clearedBy, RAISED_ALARM_TYPE_NAMES, RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import { alarmTypes as english } from '@vedette/phrases/en/alarm-types.ts';
import { fill } from '@vedette/phrases/translate.ts';
import { alarmTypes as chinese } from '@vedette/phrases/zh-CN/alarm-types.ts';
import { authorizeOrganization } from '../../auth/authorize.ts';
import { loadAccountRights, type Rights } from '../../auth/rights.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { findAccountByLogin } from '../../database/account/account.queries.ts';
import {
  type AlarmCursor,
  alarmPage,
  alarmsById,
  type AlarmWithNames,
} from '../../database/alarm/alarm-read.queries.ts';
import {
  acknowledge,
  addComment,
  assign,
  closeAlarms,
  undoAcknowledge,
  undoClose,
} from '../../database/alarm/alarm-handling.queries.ts';
import { appendOutbox, lockAlarms } from '../../database/alarm/alarm-write.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { alarmFilter } from './alarm-filter.ts';
import { alarmCursorOf } from './alarm-id.ts';
import { toAlarms } from './alarm-view.ts';

export interface AlarmDeps {
  readonly database: Database;
  readonly clock: Clock;
}

type WorkPath = 'alarm/ack' | 'alarm/assign' | 'alarm/close' | 'alarm/comment';
type AlarmPath = 'alarm/list' | 'alarm/types' | WorkPath;

export function alarmHandlers(deps: AlarmDeps): Handlers<AlarmPath> {
  const { database } = deps;
  return {
    'alarm/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const { organizationId, pageSize, cursor } = input;
      if (organizationId !== undefined && organizationId !== '0') {
        await authorizeOrganization(database, held, null, organizationId);
      }
      const after = cursor === undefined ? null : alarmCursorOf(cursor);
      if (cursor !== undefined && after === null) throw fieldError({ cursor: 'format' });
      const page = { filter: alarmFilter(input), after, limit: pageSize + 1, isWeb };
      const rows = await alarmPage(database, held, page);
      const shown = rows.slice(0, pageSize);
      const next = rows.length > pageSize ? (shown.at(-1)?.alarm_id ?? null) : null;
      return { alarmList: await toAlarms(database, shown), next };
    },
    'alarm/types': async () => ({ typeList: TYPE_LIST }),
    ...workHandlers(deps),
  };
}

function workHandlers({ database, clock }: AlarmDeps): Handlers<WorkPath> {
  return {
    'alarm/ack': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = objectOf(input);
      const by = { accountId: principal.userId, at: now };
      const act = input.undo ? undoAcknowledge : acknowledge;
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, (change, rows) =>
        act(change, rows.map(cursorOf), by),
      );
    },
    'alarm/assign': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = objectOf(input);
      const by = { accountId: principal.userId, at: now };
      const to = input.account === undefined ? null : await assigneeOf(database, clock, input.account);
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, async (change, rows) => {
        const cursors = rows.map(cursorOf);
        // An assignee must be able to see the alarm; unknown names answer the same.
        if (to !== null && (await alarmsById(change, to.rights, cursors, false)).length < rows.length) {
          throw fieldError({ account: 'notAllowed' });
        }
        return await assign(change, cursors, to?.accountId ?? null, by);
      });
    },
    'alarm/close': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = objectOf(input);
      const by = { accountId: principal.userId, at: now };
      const act = input.undo ? undoClose : closeAlarms;
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, (change, rows) =>
        act(change, rows.map(cursorOf), by),
      );
    },
    'alarm/comment': async ({ input, rights, isWeb, principal, now, audit }) => {
      audit.object = objectOf(input);
      return await changeSeen(database, { ...input, rights: await rights(), isWeb, now }, async (change, rows) => {
        if (rows.some((row) => row.comments.length >= ALARM_LIMITS.comments)) throw new CallError('quotaExceeded');
        const comment = { accountId: principal.userId, text: input.comment.trim(), time: now };
        return await addComment(change, rows.map(cursorOf), comment);
      });
    },
  };
}

function objectOf({ alarmIds }: { readonly alarmIds: readonly string[] }): string {
  return alarmIds.slice(0, 3).join(' ');
}

async function assigneeOf(database: Database, clock: Clock, login: string) {
  const account = await findAccountByLogin(database, login);
  if (account === undefined) throw fieldError({ account: 'notAllowed' });
  const { account_id: accountId } = account;
  return { accountId, rights: await loadAccountRights(database, clock, accountId) };
}

interface SeenChange {
  readonly alarmIds: readonly string[];
  readonly rights: Rights;
  readonly isWeb: boolean;
  readonly now: number;
}

/** Changes the visible alarms among the ids, and publishes them. Throws 1007 if none is visible. */
async function changeSeen(
  database: Database,
  { alarmIds, rights, isWeb, now }: SeenChange,
  change: (database: Database, rows: readonly AlarmWithNames[]) => Promise<AlarmCursor[]>,
) {
  const asked = alarmIds.flatMap((alarmId) => alarmCursorOf(alarmId) ?? []);
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

function cursorOf(row: AlarmWithNames) {
  return { startTime: row.start_time, alarmId: row.alarm_id };
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
