// Statistics of recordings: what they take, how they grow, how many days are kept, and when the storage is full.
import type { StatisticFigure } from '@vedette/contract/calls/statistic.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { type StorageLimits, storageForecast } from '@vedette/rules/storage-forecast.ts';
import { CallError } from '../../core/call-error.ts';
import {
  type ChannelStorage,
  channelStorage,
  storageCourse,
} from '../../database/statistic-read/statistic-read.queries.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { breakdownOf, courseOf, type StatisticParts, type StatisticQuestion, sumOf } from './statistic-parts.ts';

export interface StorageStatisticDeps {
  readonly sites: Pick<SitesPort, 'at'>;
  readonly storageLimits: () => Promise<StorageLimits>;
}

export async function storageStatistics(
  deps: StorageStatisticDeps,
  question: StatisticQuestion,
): Promise<StatisticParts> {
  const [course, channels, fullAt] = await Promise.all([
    storageCourse(question),
    channelStorage(question),
    question.rights.subject.userType === USER_TYPE.super ? fullTime(deps, question.now) : null,
  ]);
  const used = courseOf(question, course, { valueOf: (row) => row.usedBytes, none: null });
  const named = channels.map((one) => ({
    ...one,
    key: `${one.deviceSerial} ${one.channelNo}`,
    name: one.channelName,
    keptDays: (measuredAt(question, one.startTime) - one.oldestAt) / DAY_MS,
  }));
  return {
    figureList: [
      { figure: 'usedBytes', unit: 'bytes', value: newest(used.valueList), before: newest(used.beforeList) },
      { figure: 'grownBytes', unit: 'bytes', value: growth(used.valueList), before: growth(used.beforeList) },
      shortestKept(named),
      { figure: 'fullAt', unit: 'time', value: fullAt, before: null },
    ],
    seriesList: [{ series: 'usedBytes', unit: 'bytes', ...used }],
    breakdownList: [
      breakdownOf(named, {
        breakdown: 'storageByChannel',
        unit: 'bytes',
        valueOf: (parts) => (parts.length === 0 ? null : sumOf(parts.map((one) => one.usedBytes))),
      }),
      breakdownOf(named, {
        breakdown: 'keptByChannel',
        unit: 'days',
        valueOf: (parts) => keptDays(parts),
        smallestFirst: true,
      }),
    ],
  };
}

/** The end of the hour, day or month, or now. */
function measuredAt({ period, before, now }: StatisticQuestion, startTime: number): number {
  const ends = [...before.starts, ...period.starts, period.endTime];
  return Math.min(now, ends.find((end) => end > startTime) ?? now);
}

type KeptChannel = ChannelStorage & { readonly keptDays: number };

/** Of the channel that reaches back least. */
function shortestKept(channels: readonly KeptChannel[]): StatisticFigure {
  const least = (isBefore: boolean): number | null => keptDays(channels.filter((one) => one.isBefore === isBefore));
  return { figure: 'keptDays', unit: 'days', value: least(false), before: least(true) };
}

function keptDays(channels: readonly KeptChannel[]): number | null {
  return channels.length === 0 ? null : Math.max(0, Math.min(...channels.map((one) => one.keptDays)));
}

function newest(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

function growth(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined || known.length < 2 ? null : last - first;
}

/** Of the disk of the local site; null while that does not answer, and where recordings are deleted by their age before. */
async function fullTime({ sites, storageLimits }: StorageStatisticDeps, now: number): Promise<number | null> {
  const site = sites.at(LOCAL_SITE);
  const [measured, limits] = await Promise.all([
    Promise.all([site.call('storageUse', {}), site.call('health', {})]).catch(noneOfSite),
    storageLimits(),
  ]);
  if (measured === null) return null;
  const [{ channels }, { storage }] = measured;
  const growing = channels.flatMap(({ bytesPerDay }) => bytesPerDay ?? []);
  const bytesPerDay = growing.length === 0 ? null : sumOf(growing);
  const { usedBytes, freeBytes } = storage;
  const fullAt = storageForecast({ usedBytes, freeBytes, bytesPerDay }, limits, now)?.fullAt ?? null;
  return fullAt === null ? null : Math.round(fullAt);
}

/** What was counted is told without the site, too. */
function noneOfSite(error: unknown): null {
  if (error instanceof CallError) return null;
  throw error;
}
