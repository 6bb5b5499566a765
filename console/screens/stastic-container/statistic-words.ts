// Statistics in words: values with their units, times of a period, what a row of a breakdown is, and a sentence for each chart.
import type {
  StatisticBreakdownName,
  StatisticFigure,
  Statistics,
  StatisticSeries,
  StatisticUnit,
} from '@vedette/contract/calls/statistic.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatClock, formatDate, formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { alarmTypeText } from '../../features/alarm/alarm-words.ts';
import { deviceTypeText } from '../../features/device-inspector/device-words.ts';
import { sizeText } from '../../language/size-text.ts';

export type StatisticPeriod = Statistics['period'];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const NOTHING = '–';

export interface Words {
  readonly t: Translate;
  readonly format: TimeFormat;
}

export function valueText({ t, format }: Words, value: number | null, unit: StatisticUnit): string {
  if (value === null) return NOTHING;
  switch (unit) {
    case 'count':
      return new Intl.NumberFormat(t.shown).format(value);
    case 'percent':
      return t('statistics.percent', { value: numberText(t, value, 1) });
    case 'bytes':
      return value < 0 ? `−${sizeText(t, -value)}` : sizeText(t, value);
    case 'ms':
      return durationText(t, value);
    case 'days':
      return t('statistics.days', { value: numberText(t, value, 1) });
    case 'time':
      return formatDate(value, format);
  }
}

function numberText(t: Translate, value: number, digits: number): string {
  return new Intl.NumberFormat(t.shown, { maximumFractionDigits: digits }).format(value);
}

function durationText(t: Translate, ms: number): string {
  if (ms < 2 * MINUTE_MS) return t('age.seconds', { value: Math.round(ms / 1000) });
  if (ms < 2 * HOUR_MS) return t('age.minutes', { value: Math.round(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('age.hours', { value: numberText(t, ms / HOUR_MS, 1) });
  return t('statistics.days', { value: numberText(t, ms / DAY_MS, 1) });
}

/** The start of an hour, day or month in the zone of the installation; `isShort`: on an axis. */
export function timeText({ t, format }: Words, at: number, period: StatisticPeriod, isShort = false): string {
  const zoned = { ...format, timeZone: period.timeZone };
  if (period.grain === 'hour') return isShort ? formatClock(at, zoned, false) : formatDateTime(at, zoned, false);
  if (period.grain === 'day' && !isShort) return formatDate(at, zoned);
  const parts = period.grain === 'day' ? { month: 'numeric', day: 'numeric' } : { year: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(t.shown, {
    ...(parts as Intl.DateTimeFormatOptions),
    timeZone: period.timeZone,
  }).format(at);
}

/** From the first to the last hour, day or month. */
export function periodText(words: Words, period: StatisticPeriod): string {
  const [first = 0, last = first] = [period.timeList[0], period.timeList.at(-1)];
  return words.t('statistics.period', { from: timeText(words, first, period), to: timeText(words, last, period) });
}

type Change = 'same' | 'more' | 'less' | 'unknown';

export function changeOf({ value, before }: Pick<StatisticFigure, 'value' | 'before'>): Change {
  if (value === null || before === null) return 'unknown';
  if (value === before) return 'same';
  return value > before ? 'more' : 'less';
}

/** What it was in the period before. */
export function beforeText(words: Words, figure: StatisticFigure): string {
  const change = changeOf(figure);
  if (change === 'unknown') return words.t('statistics.noBefore');
  if (change === 'same') return words.t('statistics.asBefore');
  return words.t('statistics.before', { value: valueText(words, figure.before, figure.unit) });
}

export function rowText(t: Translate, breakdown: StatisticBreakdownName, { key, name }: { key: string; name: string }) {
  switch (breakdown) {
    case 'onlineByOrganization':
      return name === '' ? t('tree.root') : name;
    case 'onlineByDeviceType':
      return deviceTypeText(t, Number(key));
    case 'offlineByReason':
      return t.find(`statistics.reason.${key}`) ?? t.find(`reason_${key}`) ?? t('statistics.reason.none');
    case 'alarmsByType':
      return alarmTypeText(t, key);
    case 'trafficByViewer':
      return key === '' ? t('statistics.deletedAccount') : key;
    default:
      return name === '' ? key : name;
  }
}

/** For readers: least, most, and the newest. */
export function seriesSentence(words: Words, series: StatisticSeries, period: StatisticPeriod): string {
  const { t } = words;
  const known = series.valueList.flatMap((value, index) =>
    value === null ? [] : [{ value, at: period.timeList[index] }],
  );
  const [first] = known;
  if (first === undefined) return t('statistics.sentenceNone', { name: t(`statistics.series.${series.series}`) });
  const most = known.reduce((best, one) => (one.value > best.value ? one : best), first);
  const least = known.reduce((best, one) => (one.value < best.value ? one : best), first);
  const say = (one: typeof first): string => valueText(words, one.value, series.unit);
  return t('statistics.sentence', {
    name: t(`statistics.series.${series.series}`),
    period: periodText(words, period),
    least: say(least),
    leastAt: timeText(words, least.at ?? 0, period),
    most: say(most),
    mostAt: timeText(words, most.at ?? 0, period),
    newest: say(known.at(-1) ?? first),
  });
}
