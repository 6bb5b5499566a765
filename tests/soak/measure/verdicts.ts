// Which series must stay flat, and by what rule; the others are only told.
import type { SampleBook } from './sample-book.ts';
import { GROWING_TABLES, keptHours } from './table-samples.ts';
import { type FlatRule, type Trend, trendOf } from './trend.ts';

export interface JudgedSeries {
  readonly series: string;
  readonly trend: Trend;
  /** False: it is told, and may grow. */
  readonly isJudged: boolean;
}

/** By the part of the name before the stroke. */
const RULES: ReadonlyMap<string, FlatRule> = new Map([
  // As memory after an attack (SE-85): within a tenth. A heap is collected whole each quarter of an hour or so, and grows until then.
  ['ownMb', { share: 0.1, floor: 10, settling: { hours: 0.5, floor: 64 } }],
  ['processes', { share: 0.1, floor: 10 }],
  ['handles', { share: 0.1, floor: 10 }],
  ['sockets', { share: 0.1, floor: 10 }],
  ['threads', { share: 0.1, floor: 3 }],
  ['rows', { share: 0.1, floor: 20 }],
  // Other work of the machine moves them: half as much again, and more than anybody notices.
  ['callMs', { share: 0.5, floor: 50 }],
  ['pictureMs', { share: 0.5, floor: 200 }],
]);

/** Each backend opens files of tables as it comes to them, up to a limit of its own; how many backends there are is judged. */
const TOLD: ReadonlySet<string> = new Set(['handles/postgres', 'sockets/postgres']);

export function judgedSeries(book: SampleBook): JudgedSeries[] {
  return book.names.map((series) => {
    const [measure = '', name = ''] = series.split('/', 2);
    const rule = RULES.get(measure);
    const isRows = measure === 'rows';
    const stretches = isRows ? book.stretchesOf(series, Math.max(book.warmUpHours, keptHours(name))) : undefined;
    const trend = trendOf(stretches ?? book.stretchesOf(series), rule ?? { share: 0, floor: 0 });
    const isTold = TOLD.has(series) || (isRows && GROWING_TABLES.has(name));
    return { series, trend, isJudged: rule !== undefined && !isTold };
  });
}
