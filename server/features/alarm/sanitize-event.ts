// Sanitizes device events before storing: bounds sizes and removes text that the database refuses.
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import { storableText } from '@vedette/contract/storable-text.ts';

const MOST = { items: 40, name: 64, value: 512, topic: 256, key: 200, eventId: 128 } as const;
const CHANNEL_MAX = 65_535;

/** Null for an invalid event. */
export function sanitizeEvent(event: DeviceEventReport): DeviceEventReport | null {
  const { topic, key, eventId, channelNo, at } = event;
  if (![topic, key, eventId].every((text) => typeof text === 'string')) return null;
  if (eventId === '' || eventId.length > MOST.eventId || !isCount(at)) return null;
  return {
    ...event,
    eventId: storableText(eventId, MOST.eventId),
    topic: storableText(topic, MOST.topic),
    key: storableText(key, MOST.key),
    channelNo: isCount(channelNo) && channelNo <= CHANNEL_MAX ? channelNo : 0,
    deviceAt: isCount(event.deviceAt) ? event.deviceAt : null,
    source: cleanItems(event.source),
    data: cleanItems(event.data),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function cleanItems(items: unknown): Record<string, string> {
  const entries = typeof items === 'object' && items !== null ? Object.entries(items) : [];
  return Object.fromEntries(
    entries
      .slice(0, MOST.items)
      .map(([name, value]) => [storableText(name, MOST.name), storableText(String(value), MOST.value)]),
  );
}
