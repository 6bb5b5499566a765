// The course of a measure as a line, with the period before as a dashed one; drawn by uPlot, which is loaded with the first chart.
import type { StatisticSeries } from '@vedette/contract/calls/statistic.ts';
import { useEffect, useRef, useState } from 'react';
import type uPlot from 'uplot';
import style from './statistics.module.css';
import { type StatisticPeriod, timeText, valueText, type Words } from './statistic-words.ts';

export interface CourseChartProps {
  readonly words: Words;
  readonly series: StatisticSeries;
  readonly period: StatisticPeriod;
  readonly showsBefore: boolean;
}

const HEIGHT = 220;
const AXIS_WIDTH = 72;
/** Space of one label of the time axis. */
const LABEL_WIDTH = 84;

/** What it says stands beside it in words, and in a table. */
export function CourseChart({ words, series, period, showsBefore }: CourseChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const theme = useThemeMark();
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let chart: uPlot | null = null;
    let isGone = false;
    const watcher = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT }));
    void import('./plot.ts').then(({ Plot }) => {
      if (isGone) return;
      const options = optionsOf({ words, series, period, showsBefore, width: element.clientWidth });
      chart = new Plot(options, dataOf(series, showsBefore), element);
      element.dataset['drawn'] = '';
      watcher.observe(element);
    });
    return () => {
      isGone = true;
      watcher.disconnect();
      chart?.destroy();
      delete element.dataset['drawn'];
    };
    // The theme is no value of the chart, and yet it is drawn in its colours.
  }, [words, series, period, showsBefore, theme]);
  return <div ref={host} className={style.chart} aria-hidden="true" />;
}

/** Changes with the theme and its accent, which stand on the document. */
function useThemeMark(): string {
  const read = (): string => {
    const { dataset, style: own } = document.documentElement;
    return `${dataset['theme'] ?? ''} ${own.getPropertyValue('--accent')}`;
  };
  const [mark, setMark] = useState(read);
  useEffect(() => {
    const watcher = new MutationObserver(() => setMark(read()));
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style'] });
    return () => watcher.disconnect();
  }, []);
  return mark;
}

function dataOf({ valueList, beforeList }: StatisticSeries, showsBefore: boolean): uPlot.AlignedData {
  const places = valueList.map((_value, index) => index);
  return showsBefore ? [places, valueList, beforeList] : [places, valueList];
}

function optionsOf({
  words,
  series,
  period,
  showsBefore,
  width,
}: CourseChartProps & { readonly width: number }): uPlot.Options {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name: string): string => colours.getPropertyValue(name).trim();
  const { unit } = series;
  const [line, faint, dim] = [colour('--accent'), colour('--line'), colour('--text-dim')];
  const axis = { stroke: dim, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 } };
  const font = `12px ${colours.getPropertyValue('--font')}`;
  const value = (_plot: uPlot, raw: number | null): string => valueText(words, raw ?? null, unit);
  const times = period.timeList;
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: (_plot, least, most) => rangeOf(least, most, unit) } },
    axes: [
      {
        ...axis,
        font,
        space: LABEL_WIDTH,
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24],
        values: (_plot, places) => places.map((place) => labelAt(times[place])),
      },
      {
        ...axis,
        font,
        size: AXIS_WIDTH,
        incrs: WHOLE_STEPS,
        values: (_plot, values) => values.map((one) => valueText(words, one, unit)),
      },
    ],
    series: [
      {},
      { stroke: line, width: 2, fill: `color-mix(in srgb, ${line} 12%, transparent)`, value, points: { size: 5 } },
      ...(showsBefore ? [{ stroke: dim, width: 1, dash: [5, 4], value, points: { show: false } }] : []),
    ],
  };
  function labelAt(at: number | undefined): string {
    return at === undefined ? '' : timeText(words, at, period, true);
  }
}

/** Steps of an axis: nothing that is shown comes in parts of one. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_none, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** From zero, so that a steady measure is a steady line; shares end at 100. */
function rangeOf(least: number | null, most: number | null, unit: StatisticSeries['unit']): [number, number] {
  if (unit === 'percent') return [0, 100];
  return [Math.min(0, least ?? 0), Math.max(1, (most ?? 0) * 1.1)];
}
