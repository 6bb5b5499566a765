// Consumption: the jobs that meter it, and the calls that tell resources and costs.
import { BudgetWarnings } from '../consumption/budget-warnings.ts';
import { ConsumptionJobs } from '../consumption/consumption-jobs.ts';
import { copyHours } from '../consumption/copy-hours.ts';
import { costHandlers } from '../features/cost/cost.handlers.ts';
import { resourceHandlers } from '../features/resource/resource.handlers.ts';
import { trialHandlers } from '../features/trial/trial.handlers.ts';
import { begun } from '../work-lease/begun.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function consumptionModule(
  core: Core,
  { site: sites }: Pick<SiteModule, 'site'>,
  { messenger }: Pick<AccountServices, 'messenger'>,
) {
  const { database, clock, log, timeZone } = core;
  const copyPoll = copyHours({ database, clock, log, sites });
  core.leases.keep('consumption', ({ database: held }) => {
    const warnings = new BudgetWarnings({ database: held, clock, messenger, timeZone });
    return begun(new ConsumptionJobs({ database: held, clock, log, timeZone, warnings }));
  });
  return {
    calls: {
      ...resourceHandlers({ database, timeZone }),
      ...costHandlers({ database, timeZone }),
      ...trialHandlers({ database }),
    },
    start: () => copyPoll.start(),
    close: () => copyPoll.close(),
  };
}
