// Reads one line of a log file: time, level and text, however the process that wrote it does so.
import type { LogLevel } from '@vedette/contract/calls/system-log.ts';
import { withoutSecrets } from './log-redaction.ts';

export interface ReadLine {
  /** Null where the line names none. */
  readonly time: number | null;
  readonly level: LogLevel;
  readonly text: string;
  readonly detail: string;
}

const TEXT_MAX = 2000;
const DETAIL_MAX = 8000;
/** What every line of pino carries and says nothing here. */
const USUAL_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'process', 'msg', 'v']);
/** `2026-11-26T11:43:21.123Z` of the launcher, `2026-11-26 11:43:21.123 UTC [123]` of PostgreSQL. */
const STAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?:Z| UTC)(?: \[\d{1,10}\])? ?/;
const DATABASE_LEVEL = /^(DEBUG\d?|LOG|INFO|NOTICE|DETAIL|HINT|WARNING|ERROR|FATAL|PANIC): {1,4}/;
const ALARMING = /\b(?:error|fatal|panic)\b/i;
/** Would reverse or hide what stands beside it. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export function readLogLine(raw: string): ReadLine {
  const stamp = STAMP.exec(raw);
  const rest = stamp === null ? raw : raw.slice(stamp[0].length);
  const time = stamp === null ? null : timeOf(`${stamp[1]}T${stamp[2]}Z`);
  const fields = rest.startsWith('{') ? parseObject(rest) : null;
  if (fields !== null) return readFields(fields, time);
  const named = DATABASE_LEVEL.exec(rest);
  const text = named === null ? rest : rest.slice(named[0].length);
  return {
    time,
    level: named === null ? plainLevel(rest) : databaseLevel(named[1] ?? ''),
    text: shown(text, TEXT_MAX),
    detail: '',
  };
}

function readFields(fields: Readonly<Record<string, unknown>>, stamped: number | null): ReadLine {
  const { level, time } = fields;
  const more = Object.entries(fields).filter(([name]) => !USUAL_FIELDS.has(name));
  return {
    time: typeof time === 'number' && Number.isSafeInteger(time) && time >= 0 ? time : stamped,
    level: pinoLevel(level),
    text: shown(sentenceOf(fields), TEXT_MAX),
    detail: more.length === 0 ? '' : shown(JSON.stringify(Object.fromEntries(more)), DETAIL_MAX),
  };
}

/** The message, with that of its error where it does not say it itself. */
function sentenceOf({ msg, err }: Readonly<Record<string, unknown>>): string {
  const message = typeof msg === 'string' ? msg : '';
  const reason = typeof err === 'object' && err !== null && 'message' in err ? String(err.message) : '';
  if (reason === '' || message.includes(reason)) return message;
  return message === '' ? reason : `${message} (${reason})`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null; // a line that begins like one of JSON, or that was cut
  }
}

function timeOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** Secrets first: what is cut off may be what they are known by. */
function shown(text: string, most: number): string {
  const clean = withoutSecrets(text).replace(INVISIBLE, ' ');
  return clean.length > most ? `${clean.slice(0, most)}…` : clean;
}

function pinoLevel(level: unknown): LogLevel {
  if (typeof level !== 'number' || level < 30) return typeof level === 'number' ? 'debug' : 'info';
  return level >= 50 ? 'error' : level >= 40 ? 'warning' : 'info';
}

function databaseLevel(word: string): LogLevel {
  if (word.startsWith('DEBUG')) return 'debug';
  if (word === 'WARNING') return 'warning';
  return word === 'ERROR' || word === 'FATAL' || word === 'PANIC' ? 'error' : 'info';
}

function plainLevel(text: string): LogLevel {
  return ALARMING.test(text) ? 'error' : 'info';
}
