// Composes the services that act on alarms: rule engine, delivery runner, notifiers, and the follower of the alarm outbox.
import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { SecretBox } from '../core/secret-box.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { AlarmUpdate } from '../database/alarm/alarm-outbox.queries.ts';
import type { Database } from '../database/connection.ts';
import { SequenceFollower } from '../database/sequence-follower.ts';
import { MqttInSettings } from '../mqtt-in/mqtt-in-settings.ts';
import { MqttListener } from '../mqtt-in/mqtt-listener.ts';
import { mailThrough } from '../mail/mail-port.ts';
import type { Messenger } from '../mail/messenger.ts';
import { AlarmExportService } from '../features/alarm/alarm-export-service.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';
import { outerUrls } from '../features/system/host.facts.ts';
import type { SystemSettings } from '../features/system/system-settings.ts';
import { HealthMonitor } from '../health/health-monitor.ts';
import type { MessageBudget } from '../mail/message-budget.ts';
import type { MqttDial } from '../outbound/mqtt-connection.ts';
import { INSTALLATION, OutboundClient } from '../outbound/outbound-client.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import type { SitesPort } from '../site-link/site-port.ts';
import { DeliveryRunner } from './delivery-runner.ts';
import { MailConsents } from './mail-consents.ts';
import { RuleActionRunner } from './rule-action-runner.ts';
import { RuleEngine } from './rule-engine.ts';
import { VapidKeys } from './vapid-keys.ts';

export interface AlarmServicesOptions {
  readonly database: Database;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly site: SitesPort;
  readonly alarms: AlarmWriter;
  readonly settings: SystemSettings;
  readonly messenger: Messenger;
  readonly messageBudget: MessageBudget;
  readonly accountSettings: AccountSettings;
  readonly masterKey: Buffer;
  readonly publicPort: number;
  readonly ownPorts: ReadonlySet<number>;
  readonly timeZone: string;
}

export function createAlarmServices(options: AlarmServicesOptions) {
  const { database, newClient, clock, log, box, site, alarms, settings, publicPort, timeZone } = options;
  const outbound = new OutboundClient({
    policy: async (isOperator) => ({
      isOperator,
      openNetworks: (await settings.alarms()).messageNetworks,
      ownPorts: new Set([...options.ownPorts, site.rtspPort() ?? 0]),
    }),
  });
  const mail = mailThrough(options.messenger);
  const consoleUrl = async () =>
    (await options.accountSettings.read()).config.consoleUrl || (outerUrls(publicPort)[0] ?? null);
  const health = new HealthMonitor({ database, clock, log, sites: site, alarms, timeZone });
  const vapid = new VapidKeys({ database, box });
  const { messageBudget: budget, messenger } = options;
  const mailConsents = new MailConsents({
    database,
    clock,
    messenger,
    budget,
    key: Buffer.from(hkdfSync('sha256', options.masterKey, '', 'vedette mail consent', 32)),
    consoleUrl,
    onFailure: (error) => log.warn({ err: error }, 'a question that was not sent could not be taken back'),
  });
  const means = { site, outbound, mail, mailConsents, vapid, budget };
  const ruleActions = new RuleActionRunner({ database, clock, box, ...means, consoleUrl, timeZone });
  const runner = new DeliveryRunner({ database, clock, log, actions: ruleActions });
  const engine = new RuleEngine({ database, clock, onPlanned: () => runner.wake() });
  const follower = new SequenceFollower<AlarmUpdate>({
    channel: 'vedette_alarm',
    newClient,
    clock,
    log,
    newest: engine.position,
    after: engine.updatesAfter,
    onRows: engine.plan,
  });
  const mqttSettings = new MqttInSettings({ database, box });
  const dial: MqttDial = (host, port, signal) => outbound.dial(host, port, { ...INSTALLATION, signal });
  const writeEvent = alarms.writeOne;
  const alarmExports = new AlarmExportService({ database, clock, log });
  const mqttListener = new MqttListener({ database, clock, log, settings: mqttSettings, dial, writeEvent });
  return {
    health,
    handlerDeps: { mail, mailConsents, ruleActions, vapid, writeEvent, mqttSettings, mqttListener, alarmExports },
    start: async (): Promise<void> => {
      await runner.start();
      mqttListener.start();
      health.start();
      await follower.start();
    },
    close: async (): Promise<void> => {
      runner.close();
      mqttListener.close();
      health.close();
      await follower.close();
    },
  };
}
