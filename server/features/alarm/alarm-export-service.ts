// Exports alarms as CSV in the background and keeps each file for ten minutes, for its creator alone.
import { RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import type { Alarm, AlarmExport } from '@vedette/contract/calls/alarm.ts';
import { ALARM_EXPORT_LIMITS } from '@vedette/contract/limits.ts';
import { alarmTypes as englishTypes } from '@vedette/phrases/en/alarm-types.ts';
import { alarms as english } from '@vedette/phrases/en/alarms.ts';
import { alarmTypes as chineseTypes } from '@vedette/phrases/zh-CN/alarm-types.ts';
import { alarms as chinese } from '@vedette/phrases/zh-CN/alarms.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import type { Logger } from 'pino';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type AlarmCursor, type AlarmFilter, alarmPage } from '../../database/alarm/alarm-read.queries.ts';
import type { Database } from '../../database/connection.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { toAlarms } from './alarm-view.ts';

export interface AlarmExportRequest {
  readonly rights: Rights;
  readonly filter: AlarmFilter;
  readonly isWeb: boolean;
  readonly language: 'en' | 'zh-CN';
  readonly timeZone: string;
}

const AT_ONCE = 1000;
const KEPT_MS = 600_000;
const HEADINGS = {
  en: { ...english, ...englishTypes },
  'zh-CN': { ...chinese, ...chineseTypes },
} as const;

export class AlarmExportService {
  readonly #deps: { readonly database: Database; readonly clock: Clock; readonly log: Logger };
  readonly #tasks = new Map<string, { accountId: string; at: number; export: AlarmExport }>();

  constructor(parts: { readonly database: Database; readonly clock: Clock; readonly log: Logger }) {
    this.#deps = parts;
  }

  /** Throws 1011 if too many are running. */
  begin(accountId: string, wanted: AlarmExportRequest): AlarmExport {
    this.#removeExpired();
    const running = [...this.#tasks.values()].filter(
      (one) => one.accountId === accountId && one.export.state === 'running',
    );
    if (running.length >= ALARM_EXPORT_LIMITS.pending) throw new CallError('quotaExceeded');
    const at = this.#deps.clock.wallMs();
    const task = newId();
    const day = new Date(at).toISOString().slice(0, 10);
    const begun: AlarmExport = {
      task,
      state: 'running',
      rows: 0,
      isCut: false,
      fileName: `alarms-${day}.csv`,
      csv: '',
    };
    const held = { accountId, at, export: begun };
    this.#tasks.set(task, held);
    this.#write(wanted).then(
      ({ rows, isCut }) => {
        held.export = { ...begun, state: 'finished', rows: rows.length - 1, isCut, csv: writeCsv(rows) };
      },
      (error: unknown) => {
        this.#deps.log.warn({ err: error }, 'alarms could not be written into a file');
        held.export = { ...begun, state: 'failed' };
      },
    );
    return begun;
  }

  find(accountId: string, task: string): AlarmExport | undefined {
    this.#removeExpired();
    const held = this.#tasks.get(task);
    return held?.accountId === accountId ? held.export : undefined;
  }

  #removeExpired(): void {
    const before = this.#deps.clock.wallMs() - KEPT_MS;
    for (const [task, { at }] of this.#tasks) if (at < before) this.#tasks.delete(task);
  }

  async #write(wanted: AlarmExportRequest): Promise<{ rows: string[][]; isCut: boolean }> {
    const { database } = this.#deps;
    const { rights, filter, isWeb } = wanted;
    const rows = [headerRow(wanted)];
    let after: AlarmCursor | null = null;
    while (rows.length <= ALARM_EXPORT_LIMITS.rows) {
      const limit = Math.min(AT_ONCE, ALARM_EXPORT_LIMITS.rows + 2 - rows.length);
      const page: Awaited<ReturnType<typeof alarmPage>> = await alarmPage(database, rights, {
        filter,
        after,
        limit,
        isWeb,
      });
      for (const alarm of await toAlarms(database, page)) rows.push(rowOf(alarm, wanted));
      const last = page.at(-1);
      if (last === undefined || page.length < limit) break;
      after = { startTime: last.start_time, alarmId: last.alarm_id };
    }
    const isCut = rows.length > ALARM_EXPORT_LIMITS.rows + 1;
    return { rows: rows.slice(0, ALARM_EXPORT_LIMITS.rows + 1), isCut };
  }
}

function headerRow({ language, timeZone }: AlarmExportRequest): string[] {
  const t = HEADINGS[language];
  return [
    `${t['alarms.time']} (${timeZone})`,
    t['alarms.ended'],
    t['alarms.type'],
    t['alarms.kind'],
    t['alarms.severity'],
    t['alarms.state'],
    t['alarms.organization'],
    t['alarms.device'],
    t['alarms.serial'],
    t['alarms.channel'],
    t['alarms.channelName'],
    t['alarms.reported'],
    t['alarms.acknowledged'],
    t['alarms.assignedTo'],
    t['alarms.comments'],
    t['alarms.id'],
  ];
}

function rowOf(alarm: Alarm, { language, timeZone }: AlarmExportRequest): string[] {
  const t = HEADINGS[language];
  const time = (at: number | null) => (at === null ? '' : localText(at, timeZone));
  const type = alarm.type as keyof typeof RAISED_ALARM_TYPES;
  return [
    time(alarm.time),
    time(alarm.endTime),
    t[`alarmType_${type}`],
    t[`alarmGroup_${alarm.group}`],
    t[`severity_${alarm.severity}`],
    t[`alarmState_${alarm.state}`],
    alarm.organizationName,
    alarm.deviceName,
    alarm.deviceSerial,
    alarm.channelNo === 0 ? '' : String(alarm.channelNo),
    alarm.channelName,
    String(alarm.repeatCount + 1),
    alarm.acknowledgedAt === null ? '' : `${alarm.acknowledgedBy} ${time(alarm.acknowledgedAt)}`,
    alarm.assignedTo,
    alarm.commentList.map(({ userName, text }) => `${userName}: ${text}`).join('\n'),
    alarm.alarmId,
  ];
}

/** YYYY-MM-DD HH:MM:SS, which every spreadsheet reads as a time. */
function localText(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone });
}
