// Composes what acts on alarms: the engine that plans, the runner that does, the senders, and who follows the outbox for them.
import type { DeviceEventReport } from '@vedette/contract/site.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { SecretBox } from '../auth/secret-box.ts';
import type { Clock } from '../clock/clock.ts';
import type { AlarmNews } from '../database/alarm-read.queries.ts';
import type { Database } from '../database/connection.ts';
import { SequenceFollower } from '../database/sequence-follower.ts';
import type { DeviceFacts } from '../database/device.queries.ts';
import { MqttInSettings } from '../mqtt-in/mqtt-in-settings.ts';
import { MqttListener } from '../mqtt-in/mqtt-listener.ts';
import type { MailPort } from '../notifiers/notifier.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import type { SitePort } from '../site-link/site-port.ts';
import { DeliveryRunner } from './delivery-runner.ts';
import { RuleActor } from './rule-actor.ts';
import { RuleEngine } from './rule-engine.ts';
import { VapidKeys } from './vapid-keys.ts';

export interface AlarmCentreOptions {
  readonly database: Database;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly site: SitePort;
  readonly mail: MailPort;
  /** Networks that messages may go to beside the public internet. */
  readonly openNetworks: () => Promise<readonly string[]>;
  /** Ports of this installation: never dialled. */
  readonly ownPorts: () => ReadonlySet<number>;
  readonly consoleUrl: () => string | null;
  /** Stores what another program told of a device. */
  readonly takeEvent: (device: DeviceFacts, report: DeviceEventReport) => Promise<string | null>;
  readonly timeZone: string;
}

export function createAlarmCentre(options: AlarmCentreOptions) {
  const { database, newClient, clock, log, box } = options;
  const outbound = new OutboundClient({
    policy: async (isOperator) => ({
      isOperator,
      openNetworks: await options.openNetworks(),
      ownPorts: options.ownPorts(),
    }),
  });
  const vapid = new VapidKeys({ database, box });
  const ruleActor = new RuleActor({ ...options, outbound, vapid });
  const runner = new DeliveryRunner({ database, clock, log, actor: ruleActor });
  const engine = new RuleEngine({ database, clock, onPlanned: () => runner.wake() });
  const follower = new SequenceFollower<AlarmNews>({
    channel: 'vedette_alarm',
    newClient,
    clock,
    log,
    newest: engine.position,
    after: engine.newsAfter,
    onRows: engine.plan,
  });
  const mqttSettings = new MqttInSettings({ database, box });
  const dial = (host: string, port: number) => outbound.dial(host, port, true);
  const { takeEvent } = options;
  const mqttListener = new MqttListener({ database, clock, log, settings: mqttSettings, dial, takeEvent });
  return {
    handlerParts: { ruleActor, vapid, takeEvent, mqttSettings, mqttListener },
    start: async (): Promise<void> => {
      await runner.start();
      mqttListener.start();
      await follower.start();
    },
    close: async (): Promise<void> => {
      runner.close();
      mqttListener.close();
      await follower.close();
    },
  };
}
