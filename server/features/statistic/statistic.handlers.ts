// Handlers of stat/*: the period that is asked for, what the account may see of it, and the period before.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { statisticCalls, StatisticFigureName, Statistics } from '@vedette/contract/calls/statistic.ts';
import { periodBefore, periodOf } from '@vedette/rules/statistics/period.ts';
import { fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import { alarmStatistics } from './alarm-statistics.ts';
import { deviceStatistics } from './device-statistics.ts';
import type { StatisticParts, StatisticQuestion } from './statistic-parts.ts';
import { type StorageStatisticDeps, storageStatistics } from './storage-statistics.ts';
import { trafficStatistics } from './traffic-statistics.ts';

export interface StatisticDeps extends StorageStatisticDeps {
  readonly database: Database;
  /** IANA name of the zone of the installation. */
  readonly timeZone: string;
}

type StatisticPath = keyof typeof statisticCalls;
type Answer = (question: StatisticQuestion) => Promise<StatisticParts>;

export function statisticHandlers(deps: StatisticDeps): Handlers<StatisticPath> {
  const ofStorage: Answer = (question) => storageStatistics(deps, question);
  const overview: Answer = async (question) => {
    const answers = [deviceStatistics, alarmStatistics, ofStorage, trafficStatistics];
    return mainParts(await Promise.all(answers.map((answer) => answer(question))));
  };
  const answered = (answer: Answer) => (request: CallRequest<StatisticPath>) => answerWith(deps, request, answer);
  return {
    'stat/overview': answered(overview),
    'stat/device': answered(deviceStatistics),
    'stat/alarm': answered(alarmStatistics),
    'stat/storage': answered(ofStorage),
    'stat/traffic': answered(trafficStatistics),
  };
}

/** Throws 1003 for a range that begins in the future. */
async function answerWith(
  { database, timeZone }: StatisticDeps,
  { input, now, rights, isWeb }: CallRequest<StatisticPath>,
  answer: Answer,
): Promise<Statistics> {
  refuseFuture(input, now);
  const period = periodOf(input, now, timeZone);
  const before = periodBefore(period, timeZone);
  const { grain, starts, endTime } = period;
  const startTime = before.endTime;
  // A range near 1970 has nothing before it.
  const beforeStart = Math.max(0, before.starts[0] ?? 0);
  const window = { grain, startTime, endTime, beforeStart };
  const parts = await answer({ database, rights: await rights(), isWeb, window, period, before, now, timeZone });
  return { period: { grain, timeList: [...starts], endTime, beforeStart, timeZone }, ...parts };
}

function refuseFuture({ range, startTime = 0 }: CallParsed<StatisticPath>, now: number): void {
  if (range === 'custom' && startTime > now) throw fieldError({ startTime: 'tooBig' });
}

const MAIN_FIGURES: ReadonlySet<StatisticFigureName> = new Set([
  'onlineShare',
  'outages',
  'alarms',
  'acknowledgeMs',
  'peopleEvents',
  'vehicleEvents',
  'usedBytes',
  'fullAt',
  'inBytes',
  'outBytes',
]);

function mainParts(parts: readonly StatisticParts[]): StatisticParts {
  return {
    figureList: parts.flatMap(({ figureList }) => figureList.filter(({ figure }) => MAIN_FIGURES.has(figure))),
    // The first series of each is its main one.
    seriesList: parts.flatMap(({ seriesList }) => seriesList.slice(0, 1)),
    breakdownList: [],
  };
}
