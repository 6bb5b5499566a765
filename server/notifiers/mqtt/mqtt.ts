// Tells alarms to an MQTT broker, and Home Assistant how to read them: an event entity for each channel.
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { MQTT_SCHEMES } from '@vedette/contract/alarm-channels.ts';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { MqttClient } from 'mqtt';
import { newId } from '../../randomness.ts';
import {
  type AlarmMessage,
  type ChannelSettings,
  need,
  type Notifier,
  NotifyError,
  type NotifierWorld,
} from '../notifier.ts';

const USUAL_TOPIC = 'vedette';
const DISCOVERY_PREFIX = 'homeassistant';
const WITHIN_MS = 10_000;
/** MQTT 3.1.1: bad user name or password; not authorised. */
const REFUSED = [4, 5];

export const mqtt: Notifier = {
  kind: 'mqtt',
  send: async (message, settings, world) => {
    const line = await openLine(settings, world);
    const client = clientOn(line, settings);
    try {
      await connected(client);
      const base = topicOf(settings, message);
      if (settings['discovery'] === '1') {
        const { topic, payload } = discoveryOf(base, message);
        await client.publishAsync(topic, JSON.stringify(payload), { qos: 1, retain: true });
      }
      await client.publishAsync(base, JSON.stringify(payloadOf(message)), { qos: 1 });
    } catch (error) {
      throw refusalOf(error);
    } finally {
      await client.endAsync(true);
      line.destroy();
    }
  },
};

async function openLine(settings: ChannelSettings, world: NotifierWorld): Promise<Duplex> {
  const address = need(settings, 'url');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '' || !MQTT_SCHEMES.includes(url.protocol)) {
    throw new NotifyError('settings', 'not an mqtt address', { isFinal: true });
  }
  const isTls = url.protocol === 'mqtts:';
  const socket = await world.dial(url.hostname, Number(url.port) || (isTls ? 8883 : 1883));
  return isTls ? connectTls({ socket, servername: url.hostname }) : socket;
}

/** On the line that was dialled under the network policy: the library never resolves the name itself. */
function clientOn(line: Duplex, settings: ChannelSettings): MqttClient {
  const { user = '', password = '' } = settings;
  return new MqttClient(() => line, {
    reconnectPeriod: 0,
    connectTimeout: WITHIN_MS,
    clean: true,
    clientId: `vedette-${newId().slice(0, 14)}`,
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
  });
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('no answer in time')), WITHIN_MS);
    const settle = (end: () => void) => () => {
      clearTimeout(giveUp);
      end();
    };
    client.once('connect', settle(resolve));
    client.once(
      'close',
      settle(() => reject(new Error('the broker closed the line'))),
    );
    client.on('error', (error) => settle(() => reject(error))());
  });
}

function refusalOf(error: unknown): NotifyError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN;
  const text = error instanceof Error ? error.message : 'the broker was lost';
  if (REFUSED.includes(code)) return new NotifyError('refused', text, { isFinal: true });
  return new NotifyError('unreachable', text);
}

/** `<topic>/<serial>/<channel>/alarm`; wildcards and empty levels have no place in it. */
function topicOf(settings: ChannelSettings, { alarm }: AlarmMessage): string {
  const base = ((settings['topic'] ?? '') || USUAL_TOPIC).replaceAll(/[#+\0]/g, '').replace(/^\/+|\/+$/g, '');
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
