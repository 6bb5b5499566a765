// Composition root of the server: runs until SIGTERM, SIGINT or the exit of its parent; the first line on stdout is the ready line.
import { rmSync } from 'node:fs';
import { endWithParent } from './core/end-with-parent.ts';
import { readEnvironment } from './core/environment.ts';
import { countDevices } from './database/device/device-counts.queries.ts';
import { AlarmWriter } from './features/alarm/alarm-writer.ts';
import { createApp } from './http/app.ts';
import type { AllHandlers } from './http/handler.ts';
import { Pipeline } from './http/pipeline.ts';
import { createReadiness } from './http/readiness.ts';
import { acceptWebSocketUpgrades } from './http/websocket-upgrades.ts';
import { CallCounters } from './metrics/call-counters.ts';
import { createMetricsPage } from './metrics/metrics-page.ts';
import { accountModule, createAccountServices } from './modules/account-module.ts';
import { alarmModule } from './modules/alarm-module.ts';
import { appModule } from './modules/app-module.ts';
import { clientVersionModule } from './modules/client-version-module.ts';
import { openCore } from './modules/core.ts';
import { consumptionModule } from './modules/consumption-module.ts';
import { deviceModule } from './modules/device-module.ts';
import { mediaModule } from './modules/media-module.ts';
import { nodeModule } from './modules/node-module.ts';
import { recorderGroupModule } from './modules/recorder-group-module.ts';
import { shareModule } from './modules/share-module.ts';
import { siteModule } from './modules/site-module.ts';
import { statisticModule } from './modules/statistic-module.ts';
import { systemModule } from './modules/system-module.ts';
import { refuseStart } from './work-lease/refuse-start.ts';

const environment = readEnvironment(process.env);
const { version, publicPort, consoleFolder, checksAnswers, demoFile, demoHistoryMs, socketPath } = environment;
const core = await openCore(environment).catch(refuseStart);
const { database, clock, log, sessions, auditWriter, hub, settings, timeZone } = core;

const alarmWriter = new AlarmWriter({ database, clock, log, settings: settings.alarms, timeZone });
const accountServices = createAccountServices(core);
const nodes = await nodeModule(core, environment).catch(refuseStart);
const sites = await siteModule(core, alarmWriter, nodes);
const recorderGroups = recorderGroupModule(core, { alarms: alarmWriter, ...sites });
const accounts = await accountModule(core, accountServices, sites.assignmentSync);
const alarms = alarmModule(core, { alarms: alarmWriter, accounts: accountServices, sites });
const devices = await deviceModule(core, { accounts: accountServices, sites, demoFile, demoHistoryMs });
const media = mediaModule(core, sites, alarms.snapshotCopies);
const shares = shareModule(core, accountServices, sites);
const clientVersions = await clientVersionModule(core);
const statistics = statisticModule(core, sites);
const consumption = consumptionModule(core, sites, accountServices);
const apps = appModule(core, accountServices);
const system = systemModule(core, sites, { ...accountServices, alarms: alarmWriter });
accounts.setUp.subscribe((accountId) => devices.beginDemo(accountId));

/** A missing or misspelt call does not compile. */
const handlers: AllHandlers = {
  ...accounts.calls,
  ...sites.calls,
  ...recorderGroups.calls,
  ...alarms.calls,
  ...devices.calls,
  ...media.calls,
  ...shares.calls,
  ...clientVersions.calls,
  ...statistics.calls,
  ...consumption.calls,
  ...apps.calls,
  ...system.calls,
};
const counters = new CallCounters();
const pipeline = new Pipeline({
  parts: { database, clock, sessions },
  auditWriter,
  handlers,
  log,
  counters,
  checksAnswers,
});
const { site } = sites;
const metrics = createMetricsPage({
  version,
  log,
  counters,
  pages: () => hub.size,
  health: () => system.readHealth(clock.wallMs()),
  devices: () => countDevices(database),
});
const app = await createApp({
  pipeline,
  log,
  version,
  publicPort,
  newestEvent: () => hub.newest,
  accountSettings: accountServices.accountSettings,
  consoleFolder,
  embedOrigins: apps.embedOrigins,
  isListedOrigin: apps.isListedOrigin,
  routes: [devices.registerUpload, clientVersions.registerRoutes, apps.registerRoutes],
  metrics,
  readiness: createReadiness({ database, site: site.beside, clock }),
});
const closeSockets = acceptWebSocketUpgrades({
  server: app.server,
  clock,
  onPage: (socket, slot, foreignPage) => hub.accept(socket, slot, foreignPage),
  isListedOrigin: apps.isListedOrigin,
  onSite: (socket, origin) => sites.siteEndpoint.accept(socket, origin),
  siteSockets: sites.siteSockets,
  nodes: nodes.gate(sites),
});

/** Modules in start order; closed in reverse. */
const running = [accounts, core, nodes, sites, recorderGroups, alarms, devices, media, statistics, consumption, system];
for (const module of running) await module.start();
// A socket file left by a killed run would block the new one.
rmSync(socketPath, { force: true });
// Largest backlog: beyond it the gateway's connections are refused.
await app.listen({ path: socketPath, backlog: 4096 });
process.stdout.write(`${JSON.stringify({ event: 'ready', setupSecret: accounts.setupSecret })}\n`);

endWithParent(log, async () => {
  // Another server takes over while this one ends.
  await core.leases.close();
  for (const module of running.toReversed()) await module.close();
  closeSockets();
  await app.close();
  await core.auditWriter.close();
  await database.destroy();
});

// Nobody waits for it: what one server does for all begins once it answers.
await core.leases.start();
