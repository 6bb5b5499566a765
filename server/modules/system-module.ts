// The installation: its settings and log, and the periodic clean-up of the database.
import { systemHandlers } from '../features/system/system.handlers.ts';
import { systemLogHandlers } from '../features/system-log/system-log.handlers.ts';
import { MaintenanceJobs } from '../maintenance/maintenance-jobs.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function systemModule(
  core: Core,
  { site, assignmentSync }: Pick<SiteModule, 'site' | 'assignmentSync'>,
  { accountSettings }: Pick<AccountServices, 'accountSettings'>,
) {
  const { database, clock, log } = core;
  const maintenanceJobs = new MaintenanceJobs({ database, clock, log });
  return {
    calls: {
      ...systemHandlers({ ...core, site, assignmentSync, accountSettings }),
      ...systemLogHandlers(core),
    },
    start: () => maintenanceJobs.start(),
    close: () => maintenanceJobs.close(),
  };
}
