// Composition root of the server: runs until SIGTERM, SIGINT or the exit of its parent; the first line on stdout is the ready line.
import { rmSync } from 'node:fs';
import { createAccountParts } from './account-parts.ts';
import { loadAccountRights } from './auth/rights.ts';
import { SecretBox } from './auth/secret-box.ts';
import { Sessions } from './auth/sessions.ts';
import { SetupSecret } from './auth/setup-secret.ts';
import { createAlarmCentre } from './alarm-rules/alarm-centre.ts';
import { RealtimeHub } from './bus/realtime-hub.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { composeHandlers } from './composed-handlers.ts';
import { hasAccounts } from './database/account.queries.ts';
import { clockWithoutBudget } from './database/call-budget.ts';
import { openDatabase } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { Housekeeping } from './database/housekeeping.ts';
import { readEnvironment } from './environment.ts';
import { AlarmWriter } from './features/alarm/alarm-writer.ts';
import { DemoSite } from './features/demo/demo-site.ts';
import { DeviceAdder } from './features/device/device-adder.ts';
import { ImportDesk } from './features/device/import/import-desk.ts';
import { LockRevalidator } from './features/record/lock-revalidator.ts';
import { ExportDesk } from './features/record-export/export-desk.ts';
import { PtzHolds } from './features/ptz/ptz-holds.ts';
import { SystemSettings } from './features/system/system-settings.ts';
import { createUpgradeParts } from './features/upgrade/upgrade-parts.ts';
import { createFollowers } from './followers.ts';
import { createApp } from './http/app.ts';
import { CallCounters } from './http/metrics.ts';
import { Pipeline } from './http/pipeline.ts';
import { createReadiness } from './http/readiness.ts';
import { askSiteMetrics } from './http/site-metrics.ts';
import { acceptUpgrades } from './http/upgrades.ts';
import { openLog } from './log.ts';
import { newSecret } from './randomness.ts';
import { endWithParent } from './server-life.ts';
import type { SiteEventParts } from './site-link/site-events.ts';
import { createSiteParts } from './site-parts.ts';
import { hardenStored } from './stored-secrets.ts';

const environment = readEnvironment(process.env);
const { masterKey, dataFolder, demoFile, version, commit, checksAnswers, publicPort, ownPorts } = environment;
const log = openLog(environment.logLevel);
const clock = clockWithoutBudget(systemClock);
const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost');
const { database, pool, newClient } = openDatabase({ url: environment.databaseUrl, onError });
await migrate(pool);

const settings = new SystemSettings({ database });
await settings.prepare({ dataFolder, isDemo: demoFile !== null });
const box = new SecretBox({ masterKey });
const sessions = new Sessions({ database, clock });
const onPageGone = (sessionId: string) => holds.pageGone(sessionId);
const hub = new RealtimeHub({ database, sessions, clock, log, onPageGone });
const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const push: SiteEventParts['push'] = (event, object) => hub.pushAbout(event, object);
const alarms = new AlarmWriter({ database, clock, log, settings: settings.alarms, timeZone });
const siteParts = createSiteParts({
  database,
  clock,
  log,
  box,
  masterKey,
  sessions,
  settings,
  alarms,
  push,
  timeZone,
  onEvents: (events) => alarmCentre.health.noteClocks(events),
});
const { keeper, site, farSites, door, siteSockets, ticketKeeper } = siteParts;
site.whenConnected((siteId) => exportDesk.siteConnected(siteId));
const holds = new PtzHolds({ database, sessions, clock, log, site, hub });
const exportDesk = new ExportDesk({ database, clock, log, site, version, commit });
const lockRevalidator = new LockRevalidator({ database, clock, log, keeper });
const holders = { hub, ticketKeeper, exportDesk, lockRevalidator };
const followers = createFollowers({ database, newClient, clock, log, ...holders });
const upgradeParts = await createUpgradeParts({ database, clock, sessions, log, site, push, dataFolder });
const accountParts = createAccountParts({ database, clock, log, box, masterKey, ownPorts });
const adder = new DeviceAdder({ database, clock, attempts: accountParts.attempts, box, site, keeper, hub });
const rightsOf = (accountId: string) => loadAccountRights(database, clock, accountId);
const importDesk = new ImportDesk({ database, clock, log, box, adder, hub, rightsOf });
site.whenConnected(() => importDesk.resume());
const demo = demoFile === null ? null : new DemoSite({ database, clock, log, adder, rightsOf, file: demoFile });
site.whenConnected(() => demo?.resume());

const secret = (await hasAccounts(database)) ? null : newSecret();
const counters = new CallCounters();
await hardenStored({ database, box, hasher: accountParts.hasher });
const centre = { database, newClient, clock, log, box, masterKey, site, alarms, settings };
const alarmCentre = createAlarmCentre({ ...centre, ...accountParts, publicPort, ownPorts, timeZone });
const handlers = composeHandlers({
  database,
  clock,
  ...accountParts,
  ...siteParts,
  sessions,
  setupSecret: new SetupSecret(secret),
  version,
  commit,
  onSetup: async (accountId) => await demo?.begin(accountId),
  hub,
  box,
  adder,
  importDesk,
  holds,
  exportDesk,
  ...upgradeParts,
  settings,
  ...alarmCentre.handlerParts,
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
  accountSettings: accountParts.accountSettings,
  consoleFolder: environment.consoleFolder,
  doors: [upgradeParts.openDoor],
  metrics: async () =>
    counters.toText({ vedette_pages: hub.size, vedette_site_online: site.isOnline() ? 1 : 0 }) +
    (await askSiteMetrics(site)),
  readiness: createReadiness({ database, site, clock }),
});
const housekeeping = new Housekeeping({ database, clock, log });
const closeSockets = acceptUpgrades({
  server: app.server,
  clock,
  onPage: (socket, place) => hub.accept(socket, place),
  onSite: (socket, visit) => door.accept(socket, visit),
  siteSockets,
});

await Promise.all([accountParts.hasher.prepare(), accountParts.accountSettings.read()]);
await Promise.all([...followers.map((follower) => follower.start()), farSites.start(), alarmCentre.start()]);
for (const part of [...Object.values(holders), upgradeParts.upgradeDesk, housekeeping, alarms]) part.start();
// A socket file of a killed run would refuse the new one.
rmSync(environment.socketPath, { force: true });
// As many wait to be accepted as the system allows: beyond that the front is turned away, whoever it asks for.
await app.listen({ path: environment.socketPath, backlog: 4096 });
process.stdout.write(`${JSON.stringify({ event: 'ready', setupSecret: secret })}\n`);

endWithParent(log, async () => {
  const desks = [demo, importDesk, accountParts.messenger, housekeeping, ticketKeeper, exportDesk, lockRevalidator];
  const links = [upgradeParts.upgradeDesk, holds, alarms, keeper, hub, farSites, site];
  for (const part of [...desks, ...links]) part?.close();
  closeSockets();
  await alarmCentre.close();
  await app.close();
  await Promise.all(followers.map((follower) => follower.close()));
  await database.destroy();
});
