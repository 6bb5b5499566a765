// Calls of statistics: devices, alarms, storage and traffic over a time, by hours, days or months, beside the period before.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { STATISTIC_LIMITS } from '../limits.ts';

export const STATISTIC_RANGES = ['day', 'week', 'month', 'custom'] as const;
export type StatisticRange = (typeof STATISTIC_RANGES)[number];

export const STATISTIC_UNITS = ['count', 'percent', 'bytes', 'ms', 'days', 'time'] as const;
export type StatisticUnit = (typeof STATISTIC_UNITS)[number];

export const STATISTIC_SERIES = [
  'onlineShare',
  'outages',
  'alarms',
  'acknowledgeMs',
  'usedBytes',
  'inBytes',
  'outBytes',
  'relayBytes',
] as const;
export type StatisticSeriesName = (typeof STATISTIC_SERIES)[number];

export const STATISTIC_FIGURES = [
  'onlineShare',
  'outages',
  'offlineMs',
  'alarms',
  'acknowledgedShare',
  'acknowledgeMs',
  'peopleEvents',
  'vehicleEvents',
  'usedBytes',
  'grownBytes',
  'keptDays',
  'fullAt',
  'inBytes',
  'outBytes',
  'relayBytes',
] as const;
export type StatisticFigureName = (typeof STATISTIC_FIGURES)[number];

export const STATISTIC_BREAKDOWNS = [
  'onlineByOrganization',
  'onlineByDeviceType',
  'onlineByDevice',
  'offlineByReason',
  'alarmsByType',
  'alarmsByDevice',
  'alarmsByHourOfWeek',
  'storageByChannel',
  'keptByChannel',
  'trafficByChannel',
  'trafficByViewer',
] as const;
export type StatisticBreakdownName = (typeof STATISTIC_BREAKDOWNS)[number];

const unit = z.enum(STATISTIC_UNITS);
const amounts = z.array(z.number().nullable());

export const StatisticPeriod = z.object({
  /** How long one value of a series lasts. */
  grain: z.enum(['hour', 'day', 'month']),
  /** When each value of the series begins; the first may lie shortly before 1970. */
  timeList: z.array(z.number().int()),
  endTime: timeMs,
  /** As many hours, days or months before. */
  beforeStart: timeMs,
  /** IANA zone in which days and months are counted: that of the installation. */
  timeZone: z.string(),
});

export const StatisticSeries = z.object({
  series: z.enum(STATISTIC_SERIES),
  unit,
  /** One for each time of the period; null where nothing was measured. */
  valueList: amounts,
  /** Of the period before, in the same places. */
  beforeList: amounts,
});
export type StatisticSeries = z.infer<typeof StatisticSeries>;

export const StatisticFigure = z.object({
  figure: z.enum(STATISTIC_FIGURES),
  unit,
  /** Null where nothing was measured. */
  value: z.number().nullable(),
  before: z.number().nullable(),
});
export type StatisticFigure = z.infer<typeof StatisticFigure>;

export const StatisticBreakdown = z.object({
  breakdown: z.enum(STATISTIC_BREAKDOWNS),
  unit,
  /** The rows of the whole; those beyond the limit are left out. */
  total: z.number().int(),
  rowList: z.array(
    z.object({
      /** Serial (and channel number), organisation, type or reason; `1 0` to `7 23` for week day (1: Monday) and hour. */
      key: z.string(),
      /** Empty where the key says it all. */
      name: z.string(),
      value: z.number().nullable(),
      before: z.number().nullable(),
    }),
  ),
});
export type StatisticBreakdown = z.infer<typeof StatisticBreakdown>;

const input = z
  .object({
    /** `day`: the last 24 hours; `week` and `month`: the last 7 and 30 days, today included; `custom`: from `startTime` to `endTime`. */
    range: z.enum(STATISTIC_RANGES),
    startTime: timeMs.optional(),
    endTime: timeMs.optional(),
  })
  .strict()
  .superRefine(({ range, startTime, endTime }, context) => {
    const refuse = (path: 'startTime' | 'endTime', message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (range !== 'custom') {
      if (startTime !== undefined) refuse('startTime', 'of a custom range alone');
      if (endTime !== undefined) refuse('endTime', 'of a custom range alone');
    } else if (startTime === undefined) refuse('startTime', 'is missing');
    else if (endTime === undefined) refuse('endTime', 'is missing');
    else if (endTime <= startTime) refuse('endTime', 'does not follow the start');
    else if (endTime - startTime > STATISTIC_LIMITS.rangeMs) refuse('startTime', 'is too long ago');
  });

const output = z.object({
  period: StatisticPeriod,
  figureList: z.array(StatisticFigure),
  seriesList: z.array(StatisticSeries),
  breakdownList: z.array(StatisticBreakdown),
});
export type Statistics = z.infer<typeof output>;

const base = { permission: { kind: 'session' }, audit: 'read', input, output } as const;

/** 1003 for a range that is empty, longer than ten years, or begins in the future. */
export const statisticCalls = {
  'stat/overview': call({
    ...base,
    summary: 'The main figures and courses of all statistics that the account may see',
  }),
  'stat/device': call({ ...base, summary: 'How long the visible devices were online, and why they were not' }),
  'stat/alarm': call({ ...base, summary: 'Alarms that the account may receive, and how soon they were acknowledged' }),
  'stat/storage': call({
    ...base,
    summary: 'What recordings of channels that the account may play back take and reach',
  }),
  'stat/traffic': call({
    ...base,
    summary: 'Media received and sent of channels that the account may watch; by viewer for its own devices',
  }),
} as const;
