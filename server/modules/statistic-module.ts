// Statistics: the jobs that measure and count them, and the calls that tell them.
import { statisticHandlers } from '../features/statistic/statistic.handlers.ts';
import { StatisticJobs } from '../statistic/statistic-jobs.ts';
import { storageUse } from '../statistic/storage-use.ts';
import { begun } from '../work-lease/begun.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function statisticModule(core: Core, { site: sites }: Pick<SiteModule, 'site'>) {
  const { database, clock, log, settings, timeZone } = core;
  const storagePoll = storageUse({ database, clock, log, sites });
  core.leases.keep('statistics', ({ database: held }) =>
    begun(new StatisticJobs({ database: held, clock, log, timeZone })),
  );
  const storageLimits = async () => (await settings.read()).config.storage;
  return {
    calls: statisticHandlers({ database, sites, storageLimits, timeZone }),
    start: () => storagePoll.start(),
    close: () => storagePoll.close(),
  };
}
