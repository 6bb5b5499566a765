// Consumption: the jobs that meter it, and the calls that tell resources and costs.
import { BudgetWarnings } from '../consumption/budget-warnings.ts';
import { ConsumptionJobs } from '../consumption/consumption-jobs.ts';
import { costHandlers } from '../features/cost/cost.handlers.ts';
import { resourceHandlers } from '../features/resource/resource.handlers.ts';
import { trialHandlers } from '../features/trial/trial.handlers.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function consumptionModule(
  core: Core,
  { site: sites }: Pick<SiteModule, 'site'>,
  { messenger }: Pick<AccountServices, 'messenger'>,
) {
  const { database, clock, log, timeZone } = core;
  const warnings = new BudgetWarnings({ database, clock, messenger, timeZone });
  const jobs = new ConsumptionJobs({ database, clock, log, sites, timeZone, warnings });
  return {
    calls: {
      ...resourceHandlers({ database, timeZone }),
      ...costHandlers({ database, timeZone }),
      ...trialHandlers({ database }),
    },
    start: () => jobs.start(),
    close: () => jobs.close(),
  };
}
