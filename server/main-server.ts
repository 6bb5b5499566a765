// Composition root of the server: runs until SIGTERM, SIGINT or the exit of its parent; the first line on stdout is the ready line.
import { rmSync } from 'node:fs';
import { createAccountServices } from './account-services.ts';
import { loadAccountRights } from './auth/rights.ts';
import { SecretBox } from './core/secret-box.ts';
import { Sessions } from './auth/sessions.ts';
import { SetupSecret } from './auth/setup-secret.ts';
import { createAlarmServices } from './alarm-rule/alarm-services.ts';
import { RealtimeHub } from './bus/realtime-hub.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { composeHandlers } from './composed-handlers.ts';
import { hasAccounts } from './database/account/account.queries.ts';
import { clockWithoutDeadline } from './database/request-deadline.ts';
import { openDatabase } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { MaintenanceJobs } from './maintenance/maintenance-jobs.ts';
import { readEnvironment } from './environment.ts';
import { AlarmWriter } from './features/alarm/alarm-writer.ts';
import { DemoSite } from './features/demo/demo-site.ts';
import { DeviceAdder } from './features/device/device-adder.ts';
import { ImportService } from './features/device/import/import-service.ts';
import { LockRevalidator } from './features/record/lock-revalidator.ts';
import { ExportService } from './features/record-export/export-service.ts';
import { PtzLeases } from './features/ptz/ptz-leases.ts';
import { SystemSettings } from './features/system/system-settings.ts';
import { createFirmwareServices } from './features/firmware/firmware-services.ts';
import { createFollowers } from './followers.ts';
import { createApp } from './http/app.ts';
import { CallCounters } from './http/metrics.ts';
import { Pipeline } from './http/pipeline.ts';
import { createReadiness } from './http/readiness.ts';
import { askSiteMetrics } from './http/site-metrics.ts';
import { acceptWebSocketUpgrades } from './http/websocket-upgrades.ts';
import { openLog } from './core/log.ts';
import { newSecret } from './core/randomness.ts';
import { endWithParent } from './core/end-with-parent.ts';
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import type { SiteEventDeps } from './features/alarm/site-events.ts';
import { createSiteServices } from './site-services.ts';
import { hardenStored } from './stored-secrets.ts';

const environment = readEnvironment(process.env);
const { masterKey, dataFolder, demoFile, version, commit, checksAnswers, publicPort, ownPorts } = environment;
const log = openLog(environment.logLevel);
const clock = clockWithoutDeadline(systemClock);
const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost');
const { database, pool, newClient } = openDatabase({ url: environment.databaseUrl, onError });
await migrate(pool);

const settings = new SystemSettings({ database });
await settings.prepare({ dataFolder, isDemo: demoFile !== null });
const box = new SecretBox({ masterKey });
const sessions = new Sessions({ database, clock });
const onPageClosed = (sessionId: string) => leases.pageClosed(sessionId);
const hub = new RealtimeHub({ database, sessions, clock, log, onPageClosed });
const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const push: SiteEventDeps['push'] = (event, object) => hub.pushAbout(event, object);
const alarms = new AlarmWriter({ database, clock, log, settings: settings.alarms, timeZone });
const onEvents = (events: readonly SiteEvent[]) => alarmServices.health.noteClocks(events);
const siteOptions = { database, clock, log, box, masterKey, sessions, settings, alarms, push, timeZone, onEvents };
const siteServices = createSiteServices(siteOptions);
const { assignmentSync, site, remoteSites, siteEndpoint, siteSockets, ticketRevalidator } = siteServices;
site.whenConnected((siteId) => exportService.siteConnected(siteId));
const leases = new PtzLeases({ database, sessions, clock, log, site, hub });
const exportService = new ExportService({ database, clock, log, site, version, commit });
const lockRevalidator = new LockRevalidator({ database, clock, log, assignmentSync });
const holders = { hub, ticketRevalidator, exportService, lockRevalidator };
const followers = createFollowers({ database, newClient, clock, log, ...holders });
const firmwareServices = await createFirmwareServices({ database, clock, sessions, log, site, push, dataFolder });
const accountServices = createAccountServices({ database, clock, log, box, masterKey, ownPorts });
const adder = new DeviceAdder({ database, clock, attempts: accountServices.attempts, box, site, assignmentSync, hub });
const rightsOf = (accountId: string) => loadAccountRights(database, clock, accountId);
const importService = new ImportService({ database, clock, log, box, adder, hub, rightsOf });
site.whenConnected(() => importService.resume());
const demo = demoFile === null ? null : new DemoSite({ database, clock, log, adder, rightsOf, file: demoFile });
site.whenConnected(() => demo?.resume());

const secret = (await hasAccounts(database)) ? null : newSecret();
const counters = new CallCounters();
await hardenStored({ database, box, hasher: accountServices.hasher });
const alarmOptions = { database, newClient, clock, log, box, masterKey, site, alarms, settings };
const alarmServices = createAlarmServices({ ...alarmOptions, ...accountServices, publicPort, ownPorts, timeZone });
const handlers = composeHandlers({
  database,
  clock,
  ...accountServices,
  ...siteServices,
  sessions,
  setupSecret: new SetupSecret(secret),
  version,
  commit,
  onSetup: async (accountId) => await demo?.begin(accountId),
  hub,
  box,
  adder,
  importService,
  leases,
  exportService,
  ...firmwareServices,
  settings,
  ...alarmServices.handlerDeps,
  dataFolder,
  publicPort,
  timeZone,
});
const pipeline = new Pipeline({ parts: { database, clock, sessions }, handlers, log, counters, checksAnswers });
const app = await createApp({
  pipeline,
  log,
  version,
  publicPort,
  newestEvent: () => hub.newest,
  accountSettings: accountServices.accountSettings,
  consoleFolder: environment.consoleFolder,
  uploadRoutes: [firmwareServices.registerUpload],
  metrics: async () =>
    counters.toText({ vedette_pages: hub.size, vedette_site_online: site.isOnline() ? 1 : 0 }) +
    (await askSiteMetrics(site)),
  readiness: createReadiness({ database, site, clock }),
});
const maintenanceJobs = new MaintenanceJobs({ database, clock, log });
const closeSockets = acceptWebSocketUpgrades({
  server: app.server,
  clock,
  onPage: (socket, slot) => hub.accept(socket, slot),
  onSite: (socket, origin) => siteEndpoint.accept(socket, origin),
  siteSockets,
});

await Promise.all([accountServices.hasher.prepare(), accountServices.accountSettings.read()]);
await Promise.all([...followers.map((follower) => follower.start()), remoteSites.start(), alarmServices.start()]);
for (const part of [...Object.values(holders), firmwareServices.firmwareUpgrades, maintenanceJobs, alarms])
  part.start();
// A socket file of a killed run would refuse the new one.
rmSync(environment.socketPath, { force: true });
// As many wait to be accepted as the system allows: beyond that the front is turned away, whoever it asks for.
await app.listen({ path: environment.socketPath, backlog: 4096 });
process.stdout.write(`${JSON.stringify({ event: 'ready', setupSecret: secret })}\n`);

endWithParent(log, async () => {
  const jobs = [demo, importService, accountServices.messenger, maintenanceJobs, ticketRevalidator];
  const services = [exportService, lockRevalidator, firmwareServices.firmwareUpgrades, leases, alarms];
  for (const part of [...jobs, ...services, assignmentSync, hub, remoteSites, site]) part?.close();
  closeSockets();
  await alarmServices.close();
  await app.close();
  await Promise.all(followers.map((follower) => follower.close()));
  await database.destroy();
});
