// Statistics of alarms: how many, of which types and devices, at which hours of the week, and how soon they were acknowledged.
import { isRaisedAlarmType, RAISED_ALARM_TYPES, type AlarmGroup } from '@vedette/contract/alarm-types.ts';
import type { StatisticBreakdown, StatisticFigure } from '@vedette/contract/calls/statistic.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import {
  type AlarmSum,
  type AlarmTotals,
  alarmsByHour,
  alarmTotals,
} from '../../database/statistic-read/statistic-read.queries.ts';
import { hourOfWeek } from '@vedette/rules/statistics/period.ts';
import {
  breakdownOf,
  courseOf,
  percentOf,
  type StatisticParts,
  type StatisticQuestion,
  sumOf,
} from './statistic-parts.ts';

/** Of longer periods hours are too many to add up, and not all stored. */
const HOURS_OF_WEEK_MAX_MS = 31 * DAY_MS;

export async function alarmStatistics(question: StatisticQuestion): Promise<StatisticParts> {
  const { window } = question;
  const tellsHours = window.endTime - window.startTime <= HOURS_OF_WEEK_MAX_MS;
  const [totals, hours] = await Promise.all([alarmTotals(question), tellsHours ? alarmsByHour(question) : []]);
  const { course } = totals;
  const [now, before] = [totals.byType.filter((one) => !one.isBefore), totals.byType.filter((one) => one.isBefore)];
  const byType = totals.byType.map((sum) => ({ ...sum, key: sum.type, name: '' }));
  const byDevice = totals.byDevice.map((sum) => ({ ...sum, key: sum.deviceSerial, name: sum.deviceName }));
  const counts = { unit: 'count', valueOf: raisedOf } as const;
  return {
    figureList: figures(now, before),
    seriesList: [
      { series: 'alarms', unit: 'count', ...courseOf(question, course, { valueOf: (row) => row.raised, none: 0 }) },
      {
        series: 'acknowledgeMs',
        unit: 'ms',
        ...courseOf(question, course, { valueOf: (row) => meanAcknowledgeMs([row]), none: null }),
      },
    ],
    breakdownList: [
      breakdownOf(byType, { breakdown: 'alarmsByType', ...counts }),
      breakdownOf(byDevice, { breakdown: 'alarmsByDevice', ...counts }),
      hoursOfWeek(hours, question.timeZone),
    ],
  };
}

function figures(now: AlarmTotals['byType'], before: AlarmTotals['byType']): StatisticFigure[] {
  const figure = (
    name: StatisticFigure['figure'],
    unit: StatisticFigure['unit'],
    valueOf: (sums: AlarmTotals['byType']) => number | null,
  ): StatisticFigure => ({ figure: name, unit, value: valueOf(now), before: valueOf(before) });
  return [
    figure('alarms', 'count', raisedOf),
    figure('acknowledgedShare', 'percent', (sums) =>
      percentOf(sumOf(sums.map((one) => one.acknowledged)), raisedOf(sums)),
    ),
    figure('acknowledgeMs', 'ms', meanAcknowledgeMs),
    figure('peopleEvents', 'count', (sums) => raisedOf(sums.filter(isOf('person')))),
    figure('vehicleEvents', 'count', (sums) => raisedOf(sums.filter(isOf('vehicle')))),
  ];
}

function isOf(group: AlarmGroup): (sum: { readonly type: string }) => boolean {
  return ({ type }) => isRaisedAlarmType(type) && RAISED_ALARM_TYPES[type].group === group;
}

function raisedOf(sums: readonly AlarmSum[]): number {
  return sumOf(sums.map(({ raised }) => raised));
}

function meanAcknowledgeMs(sums: readonly AlarmSum[]): number | null {
  const acknowledged = sumOf(sums.map((one) => one.acknowledged));
  return acknowledged === 0 ? null : sumOf(sums.map((one) => one.acknowledgeMs)) / acknowledged;
}

function hoursOfWeek(
  hours: readonly { readonly startTime: number; readonly raised: number }[],
  timeZone: string,
): StatisticBreakdown {
  const counts = new Map<string, number>();
  const keyOf = hourOfWeek(timeZone);
  for (const { startTime, raised } of hours) {
    const key = keyOf(startTime);
    counts.set(key, (counts.get(key) ?? 0) + raised);
  }
  const rowList = [...counts].map(([key, value]) => ({ key, name: '', value, before: null }));
  return { breakdown: 'alarmsByHourOfWeek', unit: 'count', total: rowList.length, rowList };
}
