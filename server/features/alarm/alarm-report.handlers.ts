// Handlers that count alarms and export them.
import { ALARM_SEVERITIES, RAISED_ALARM_TYPES, type RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { type AlarmCount, countAlarms } from '../../database/alarm/alarm-count.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import type { AlarmExportService } from './alarm-export-service.ts';
import { alarmFilter, refuseForeignScope } from './alarm-filter.ts';

export interface AlarmReportDeps {
  readonly database: Database;
  readonly alarmExports: AlarmExportService;
}

export function alarmReportHandlers({
  database,
  alarmExports,
}: AlarmReportDeps): Handlers<'alarm/stats' | 'alarm/export' | 'alarm/export/status'> {
  return {
    'alarm/stats': async ({ input, rights, isWeb }) => {
      const held = await rights();
      await refuseForeignScope(database, held, input);
      const { groupBy, timeZone } = input;
      refuseZone(timeZone);
      const rows = await countAlarms(database, held, { filter: alarmFilter(input), isWeb, groupBy, timeZone });
      const countList = groupBy === 'group' ? inGroups(rows) : groupBy === 'severity' ? named(rows) : rows;
      return { total: countList.reduce((sum, { count }) => sum + count, 0), countList };
    },
    'alarm/export': async ({ input, rights, isWeb, principal }) => {
      const held = await rights();
      await refuseForeignScope(database, held, input);
      const { language, timeZone } = input;
      refuseZone(timeZone);
      const wanted = { rights: held, filter: alarmFilter(input), isWeb, language, timeZone };
      return { export: alarmExports.begin(principal.userId, wanted) };
    },
    'alarm/export/status': async ({ input, principal }) => {
      const found = alarmExports.find(principal.userId, input.task);
      if (found === undefined) throw new CallError('notFound');
      return { export: found };
    },
  };
}

function refuseZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw fieldError({ timeZone: 'format' });
}

function inGroups(rows: readonly AlarmCount[]): AlarmCount[] {
  const groups = Map.groupBy(rows, ({ key }) => RAISED_ALARM_TYPES[key as RaisedAlarmType].group);
  return [...groups]
    .map(([key, of]) => ({
      key,
      name: '',
      count: of.reduce((sum, { count }) => sum + count, 0),
      newCount: of.reduce((sum, { newCount }) => sum + newCount, 0),
    }))
    .sort((a, b) => b.count - a.count);
}

function named(rows: readonly AlarmCount[]): AlarmCount[] {
  return rows.map((row) => ({ ...row, key: ALARM_SEVERITIES[Number(row.key)] ?? row.key }));
}
