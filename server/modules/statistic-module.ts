// Statistics: the jobs that count them, and the calls that tell them.
import { statisticHandlers } from '../features/statistic/statistic.handlers.ts';
import { StatisticJobs } from '../statistic/statistic-jobs.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function statisticModule(core: Core, { site: sites }: Pick<SiteModule, 'site'>) {
  const { database, clock, log, settings, timeZone } = core;
  const jobs = new StatisticJobs({ database, clock, log, sites, timeZone });
  const storageLimits = async () => (await settings.read()).config.storage;
  return {
    calls: statisticHandlers({ database, sites, storageLimits, timeZone }),
    start: () => jobs.start(),
    close: () => jobs.close(),
  };
}
