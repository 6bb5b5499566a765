// Notifier for an MQTT broker, with Home Assistant discovery: one event entity per channel.
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import type { MqttClient } from 'mqtt';
import { brokerOf, mqttFault, openMqttConnection } from '../../outbound/mqtt-connection.ts';
import { NO_MESSAGES } from '../../outbound/mqtt-packet-guard.ts';
import { beforeAbort, OutboundError } from '../../outbound/outbound-fault.ts';
import { type AlarmMessage, type ChannelSettings, need, type Notifier, NotifyError } from '../kit/notifier.ts';

const USUAL_TOPIC = 'vedette';
const DISCOVERY_PREFIX = 'homeassistant';
/** MQTT 3.1.1: bad user name or password; not authorised. */
const REFUSED = [4, 5];

export const mqtt: Notifier = {
  kind: 'mqtt',
  send: async (message, settings, world) => {
    const url = need(settings, 'url');
    if (brokerOf(url) === null) throw new NotifyError('settings', 'not an mqtt address', { isFinal: true });
    const { user = '', password = '' } = settings;
    const signal = world.deadline();
    let client: MqttClient | undefined;
    try {
      client = await openMqttConnection({ url, user, password }, { dial: world.dial, limits: NO_MESSAGES, signal });
      await beforeAbort(signal, Promise.race([publishAll(client, messagesOf(message, settings)), failureOf(client)]));
    } catch (error) {
      throw refusalOf(error);
    } finally {
      client?.end(true);
    }
  },
};

interface Published {
  readonly topic: string;
  /** JSON. */
  readonly text: string;
  readonly isRetained: boolean;
}

function messagesOf(message: AlarmMessage, settings: ChannelSettings): Published[] {
  const base = topicOf(settings, message);
  const alarm = { topic: base, text: JSON.stringify(payloadOf(message)), isRetained: false };
  if (settings['discovery'] !== '1') return [alarm];
  const { topic, payload } = discoveryOf(base, message);
  return [{ topic, text: JSON.stringify(payload), isRetained: true }, alarm];
}

async function publishAll(client: MqttClient, messages: readonly Published[]): Promise<void> {
  for (const { topic, text, isRetained } of messages) {
    await client.publishAsync(topic, text, { qos: 1, retain: isRetained });
  }
}

/** Never resolves. The library forgets who waits for an acknowledgement when the connection closes. */
function failureOf(client: MqttClient): Promise<never> {
  return new Promise((_resolve, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new OutboundError('unreachable', 'the connection was closed')));
  });
}

/** Throws on as it is what says that the address may not be dialled. */
function refusalOf(error: unknown): Error {
  const code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN;
  const fault = mqttFault(error);
  return REFUSED.includes(code) ? new NotifyError('refused', fault.message, { isFinal: true }) : fault;
}

/** `<topic>/<serial>/<channel>/alarm`; wildcards and empty levels have no place in it. */
function topicOf(settings: ChannelSettings, { alarm }: AlarmMessage): string {
  const levels = ((settings['topic'] ?? '') || USUAL_TOPIC).replaceAll(/[#+\0]/g, '').split('/');
  const base = levels.filter((level) => level !== '').join('/');
  return `${base || USUAL_TOPIC}/${alarm.deviceSerial}/${alarm.channelNo}/alarm`;
}

function payloadOf({ alarm, title, severity, link, isTest, deliveryId, foldedCount }: AlarmMessage) {
  return { event_type: alarm.type, deliveryId, title, severity, link, isTest, foldedCount, ...alarm };
}

/** MQTT discovery of Home Assistant: an event entity, its device named as ours is. */
function discoveryOf(base: string, { alarm }: AlarmMessage) {
  const objectId = `vedette_${alarm.deviceSerial}_${alarm.channelNo}`;
  return {
    topic: `${DISCOVERY_PREFIX}/event/${objectId}/config`,
    payload: {
      name: alarm.channelName === '' ? 'Alarm' : `${alarm.channelName} alarm`,
      unique_id: objectId,
      state_topic: base,
      event_types: RAISED_ALARM_TYPE_NAMES,
      device: { identifiers: [`vedette_${alarm.deviceSerial}`], name: alarm.deviceName, manufacturer: 'Vedette' },
      origin: { name: 'Vedette' },
    },
  };
}
