// Tells alarms to an MQTT broker, and Home Assistant how to read them: an event entity for each channel.
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { brokerOf, openMqtt } from '../../outbound/mqtt-line.ts';
import { OutboundError } from '../../outbound/outbound-client.ts';
import { type AlarmMessage, type ChannelSettings, need, type Notifier, NotifyError } from '../notifier.ts';

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
    const client = await openMqtt({ url, user, password }, world.dial).catch((error: unknown) => {
      throw error instanceof OutboundError ? error : refusalOf(error);
    });
    try {
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
    }
  },
};

function refusalOf(error: unknown): NotifyError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN;
  const text = error instanceof Error ? error.message : 'the broker was lost';
  if (REFUSED.includes(code)) return new NotifyError('refused', text, { isFinal: true });
  return new NotifyError('unreachable', text);
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
