// Alarms: writing, listing and pushing them, rules and their delivery, health of devices, and events from outside.
import { SnapshotCopies } from '../alarm-snapshot/snapshot-copies.ts';
import { derivedKey } from '../core/derived-key.ts';
import { SecretBox } from '../core/secret-box.ts';
import type { AlarmUpdate } from '../database/alarm/alarm-outbox.queries.ts';
import { newestAlarmUpdate } from '../database/alarm/alarm-outbox.queries.ts';
import type { Database } from '../database/connection.ts';
import { SequenceFollower } from '../database/sequence-follower.ts';
import { DeliveryRunner } from '../alarm-rule/delivery-runner.ts';
import { MailConsents } from '../alarm-rule/mail-consents.ts';
import { RuleActionRunner } from '../alarm-rule/rule-action-runner.ts';
import { RuleEngine } from '../alarm-rule/rule-engine.ts';
import { VapidKeys } from '../alarm-rule/vapid-keys.ts';
import { mailMeter } from '../consumption/mail-meter.ts';
import { alarmChannelHandlers } from '../features/alarm-rule/alarm-channel.handlers.ts';
import { alarmRuleHandlers } from '../features/alarm-rule/alarm-rule.handlers.ts';
import { mailConsentHandlers } from '../features/alarm-rule/mail-consent.handlers.ts';
import { AlarmExportService } from '../features/alarm/alarm-export-service.ts';
import { AlarmFeed } from '../features/alarm/alarm-feed.ts';
import { alarmReportHandlers } from '../features/alarm/alarm-report.handlers.ts';
import { alarmSnapshotHandlers } from '../features/alarm/alarm-snapshot.handlers.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';
import { alarmHandlers } from '../features/alarm/alarm.handlers.ts';
import { eventHandlers } from '../features/event/event.handlers.ts';
import { outerUrls } from '../features/system/host.facts.ts';
import { HealthMonitor } from '../health/health-monitor.ts';
import { mailThrough } from '../mail/mail-port.ts';
import { MqttInSettings } from '../mqtt-in/mqtt-in-settings.ts';
import { MqttListener } from '../mqtt-in/mqtt-listener.ts';
import type { MqttDial } from '../outbound/mqtt-connection.ts';
import { INSTALLATION, OutboundClient } from '../outbound/outbound-client.ts';
import type { AccountServices } from './account-module.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export interface AlarmModuleNeeds {
  readonly alarms: AlarmWriter;
  readonly accounts: AccountServices;
  readonly sites: Pick<SiteModule, 'site' | 'deviceEvents' | 'siteMeasures'>;
}

export function alarmModule(core: Core, needs: AlarmModuleNeeds) {
  const { database, newClient, clock, log, box, hub, timeZone } = core;
  const { alarms, accounts } = needs;
  const { site, deviceEvents, siteMeasures: measures } = needs.sites;
  const health = new HealthMonitor({ database, clock, log, sites: site, alarms, measures, timeZone });
  deviceEvents.subscribe((events) => health.noteClocks(events));
  site.whenConnected(() => health.siteConnected());
  const outbound = outboundClientOf(core, site);
  const delivery = createDelivery(core, needs, outbound);
  const feed = new AlarmFeed({ database, hub, clock });
  const following = { channel: 'vedette_alarm', newClient, clock, log };
  const pages = new SequenceFollower({
    ...following,
    newest: () => newestAlarmUpdate(database),
    after: feed.updatesAfter,
    onRows: feed.push,
  });
  const mqttSettings = new MqttInSettings({ database, box });
  const dial: MqttDial = (host, port, signal) => outbound.dial(host, port, { ...INSTALLATION, signal });
  const writeEvent = alarms.writeOne;
  const mqttListener = new MqttListener({ database, clock, log, settings: mqttSettings, dial, writeEvent });
  core.leases.keep('mqtt in', (held) => {
    mqttListener.start(held);
    return { close: () => mqttListener.stop() };
  });
  const alarmExports = new AlarmExportService({ database, clock, log });
  const snapshotCopies = new SnapshotCopies({ database, clock, log, box: new SecretBox(core), site });
  const deps = { ...core, ...accounts, ...delivery, site, snapshotCopies };
  return {
    calls: {
      ...alarmHandlers(deps),
      ...alarmSnapshotHandlers(deps),
      ...alarmReportHandlers({ ...deps, alarmExports }),
      ...alarmChannelHandlers(deps),
      ...alarmRuleHandlers(deps),
      ...mailConsentHandlers(deps),
      ...eventHandlers({ ...deps, writeEvent, mqttSettings, mqttListener }),
    },
    snapshotCopies,
    start: async () => {
      await pages.start();
      health.start();
      alarms.start();
      snapshotCopies.start();
    },
    close: async () => {
      snapshotCopies.close();
      alarms.close();
      health.close();
      await pages.close();
    },
  };
}

/** Under the network policy of messages: what the operator listed, and never our own ports. */
function outboundClientOf({ settings, ownPorts }: Core, site: SiteModule['site']): OutboundClient {
  return new OutboundClient({
    policy: async (isOperator) => ({
      isOperator,
      openNetworks: (await settings.alarms()).messageNetworks,
      ownPorts: new Set([...ownPorts, site.rtspPort() ?? 0]),
    }),
  });
}

/** From the outbox of alarms to messages and actions of rules. */
function createDelivery(core: Core, { accounts, sites }: AlarmModuleNeeds, outbound: OutboundClient) {
  const { database, newClient, clock, log, box, hub, masterKey, earlierKeys, publicPort, timeZone } = core;
  const { messenger, messageBudget: budget, accountSettings } = accounts;
  const mail = mailThrough(messenger);
  const consoleUrl = async () => (await accountSettings.read()).config.consoleUrl || (outerUrls(publicPort)[0] ?? null);
  const vapid = new VapidKeys({ database, box });
  const mailConsents = new MailConsents({
    database,
    clock,
    messenger,
    budget,
    // The first one for ever: links in mails that were sent lead somewhere after a change of the key too.
    key: derivedKey(earlierKeys[0] ?? masterKey, 'mail consent'),
    consoleUrl,
    onFailure: (error) => log.warn({ err: error }, 'a question that was not sent could not be taken back'),
  });
  const means = { site: sites.site, pages: hub, outbound, mail, mailConsents, vapid, budget };
  const onMailSent = mailMeter({ database, clock, log });
  const actionsOver = (given: Database) =>
    new RuleActionRunner({ database: given, clock, box, ...means, onMailSent, consoleUrl, timeZone });
  core.leases.keep('alarm rules', async ({ database: held, assertHeld }) => {
    const runner = new DeliveryRunner({ database: held, clock, log, actions: actionsOver(held), assertHeld });
    const engine = new RuleEngine({ database: held, clock, onPlanned: () => runner.wake() });
    const follower = new SequenceFollower<AlarmUpdate>({
      channel: 'vedette_alarm',
      newClient,
      clock,
      log,
      newest: engine.position,
      after: engine.updatesAfter,
      onRows: engine.plan,
    });
    const close = async () => void (await Promise.all([follower.close(), runner.close()]));
    try {
      await runner.start();
      await follower.start();
    } catch (error) {
      await close();
      throw error;
    }
    return { close };
  });
  return { mail, mailConsents, ruleActions: actionsOver(database), vapid };
}
