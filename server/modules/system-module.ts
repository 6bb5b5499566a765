// The installation: its settings, backups, log and health, and the periodic clean-up of the database.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { backupPlanHandlers } from '../features/backup/backup-plan.handlers.ts';
import { systemHandlers } from '../features/system/system.handlers.ts';
import { healthReader } from '../features/system-health/installation-health.facts.ts';
import { systemHealthHandlers } from '../features/system-health/system-health.handlers.ts';
import { systemLogHandlers } from '../features/system-log/system-log.handlers.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';
import { InstallationSampler } from '../health/installation-sampler.ts';
import { PartAlarms } from '../health/part-alarms.ts';
import { MaintenanceJobs } from '../maintenance/maintenance-jobs.ts';
import { begun } from '../work-lease/begun.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function systemModule(
  core: Core,
  {
    site,
    assignmentSync,
    siteMeasures: measures,
    servers,
  }: Pick<SiteModule, 'site' | 'assignmentSync' | 'siteMeasures' | 'servers'>,
  {
    accountSettings,
    messenger,
    alarms,
  }: Pick<AccountServices, 'accountSettings' | 'messenger'> & { readonly alarms: AlarmWriter },
) {
  const { database, clock, log, dataFolder, hub } = core;
  core.leases.keep('maintenance', ({ database: held }) => begun(new MaintenanceJobs({ database: held, clock, log })));
  const pages = () => hub.size;
  const sampler = new InstallationSampler({ database, clock, log, sites: site, measures, dataFolder, pages });
  const readHealth = healthReader({ ...core, site, measures, sampler, messenger, accountSettings, servers });
  const readParts = async (now: number) => (await readHealth(now)).partList;
  core.leases.keep('installation alarms', ({ database: held }) =>
    begun(new PartAlarms({ database, clock, log, alarms: alarms.over(held), readParts })),
  );
  return {
    readHealth,
    calls: {
      ...systemHandlers({ ...core, site, assignmentSync, accountSettings }),
      ...systemLogHandlers(core),
      ...backupPlanHandlers({ ...core, site: site.at(LOCAL_SITE) }),
      ...systemHealthHandlers({ ...core, site, measures, readHealth }),
    },
    start: () => sampler.start(),
    close: () => sampler.close(),
  };
}
