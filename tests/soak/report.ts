// The report of a soak: one value for programs, and a table for people.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { AlarmCounts } from './load/alarms.ts';
import type { Visits } from './load/viewers.ts';
import type { FoundGap } from './gap-watch.ts';
import type { SampleBook } from './measure/sample-book.ts';
import type { Verdict } from './measure/trend.ts';
import { type JudgedSeries, judgedSeries } from './measure/verdicts.ts';
import type { SoakOptions } from './options.ts';
import type { Outage } from './outages.ts';
import type { Trouble } from './troubles.ts';

export interface SoakFacts {
  readonly options: SoakOptions;
  readonly ranMs: number;
  readonly book: SampleBook;
  readonly outages: readonly Outage[];
  readonly gaps: readonly FoundGap[];
  /** Looked through for gaps, of all cameras together. */
  readonly lookedMs: number;
  readonly troubles: { readonly kept: readonly Trouble[]; readonly total: number; readonly excused: number };
  readonly visits: Visits;
  readonly turns: number;
  readonly exports: number;
  readonly alarms: { readonly acknowledged: AlarmCounts; readonly stored: AlarmCounts };
}

export interface SoakReport {
  readonly verdict: 'held' | 'broken';
  readonly hours: number;
  readonly cameras: number;
  readonly viewers: number;
  readonly seed: number;
  readonly folder: string;
  /** Series that rise by more than their rule allows. */
  readonly rises: readonly string[];
  /** Series that may: a longer run tells. */
  readonly unclear: readonly string[];
  readonly flat: number;
  /** Judged, but for too few samples. */
  readonly tooShort: number;
  readonly gaps: { readonly unexplained: number; readonly explained: number; readonly lookedHours: number };
  readonly restarts: number;
  readonly quota: { readonly mb: number; readonly mostUsedMb: number; readonly timesFilled: number };
  readonly visits: Visits;
  readonly turns: number;
  readonly exports: number;
  readonly alarms: SoakFacts['alarms'];
  readonly troubles: { readonly total: number; readonly excused: number; readonly first: readonly Trouble[] };
}

/** The newest files are written before older ones go. */
const OVER_QUOTA = 1.05;
const MB = 1_000_000;
const FIRST = 10;

export function soakReport(facts: SoakFacts): { readonly report: SoakReport; readonly series: JudgedSeries[] } {
  const { options, outages, gaps, lookedMs, troubles, visits, turns, exports, alarms } = facts;
  const series = judgedSeries(facts.book);
  const named = (verdict: Verdict): string[] =>
    series.filter(({ isJudged, trend }) => isJudged && trend.verdict === verdict).map((one) => one.series);
  const rises = named('rises');
  const unexplained = gaps.filter(({ isExplained }) => !isExplained).length;
  const quota = quotaFacts(facts);
  const { acknowledged, stored } = alarms;
  const isBroken =
    rises.length > 0 ||
    unexplained > 0 ||
    troubles.total > 0 ||
    quota.mostUsedMb > quota.mb * OVER_QUOTA ||
    stored.program < acknowledged.program ||
    stored.camera < acknowledged.camera;
  const report: SoakReport = {
    verdict: isBroken ? 'broken' : 'held',
    hours: rounded(facts.ranMs / HOUR_MS),
    cameras: options.cameras,
    viewers: options.viewers,
    seed: options.seed,
    folder: options.folder,
    rises,
    unclear: named('unclear'),
    flat: named('flat').length,
    tooShort: named('tooShort').length,
    gaps: { unexplained, explained: gaps.length - unexplained, lookedHours: rounded(lookedMs / HOUR_MS) },
    restarts: outages.length,
    quota,
    visits,
    turns,
    exports,
    alarms,
    troubles: { total: troubles.total, excused: troubles.excused, first: troubles.kept.slice(0, FIRST) },
  };
  return { report, series };
}

function quotaFacts({ options, book, ranMs }: SoakFacts): SoakReport['quota'] {
  const written = (options.cameras * options.kbps * ranMs) / 8;
  return {
    mb: rounded(options.quotaBytes / MB),
    mostUsedMb: rounded(Math.max(0, ...book.valuesOf('storage/usedMb'))),
    timesFilled: rounded(written / options.quotaBytes),
  };
}

const COLUMNS = ['series', 'median', 'per hour', 'between', 'hours', 'verdict'] as const;

/** What rises comes first, what is only told last. */
export function reportTable(series: readonly JudgedSeries[]): string {
  const order: readonly Verdict[] = ['rises', 'unclear', 'flat', 'tooShort'];
  const placeOf = ({ isJudged, trend }: JudgedSeries): number => (isJudged ? order.indexOf(trend.verdict) : 9);
  const shown = series.filter(
    ({ trend }) => trend.slope !== null && !(trend.median === 0 && trend.slope.perHour === 0),
  );
  const rows = shown
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ series: name, trend, isJudged }) => [
      name,
      figure(trend.median),
      figure(trend.slope?.perHour ?? 0),
      `${figure(trend.slope?.least ?? 0)} to ${figure(trend.slope?.most ?? 0)}`,
      figure(trend.hours),
      isJudged ? trend.verdict : 'told',
    ]);
  const widths = COLUMNS.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [line(COLUMNS), ...rows.map(line)].join('\n');
}

function figure(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** To three digits after the point. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
