// Parses unsolicited messages of a site: malformed ones are dropped, unknown fields are ignored.
import { z } from 'zod';
import { type DeviceEventPhase, deviceEventPhases } from '../device-event.ts';
import { DEVICE_REASONS, type DeviceReason } from '../errors.ts';
import { SITE_PROTOCOL_VERSION, type SiteEvent, type SiteToServer } from './site.ts';
import { readSightingDetail } from './site-sighting.ts';
import { isTrafficAmounts } from './site-traffic.ts';

/**
 * Bounds of such messages. `eventId` leaves room for the appended site id; `topic` and `items` are longer than what is
 * stored, since they are truncated. `picture` is base64.
 */
export const SITE_MESSAGE_LIMITS = {
  serial: 20,
  eventId: 96,
  topic: 4096,
  items: 200,
  value: 16_384,
  picture: 1_000_000,
  channelNo: 65_535,
  addresses: 16,
} as const;

export type SiteHello = Extract<SiteToServer, { type: 'hello' }>;
/** An invalid event: its number is still acknowledged, so that the site drops it. */
export interface BadEvent {
  readonly type: 'badEvent';
  readonly seq: number;
}
/** Hello of another protocol version: nothing else is read. */
export interface ForeignHello {
  readonly type: 'foreignHello';
}
export type SiteMessage = SiteToServer | BadEvent | ForeignHello;

const hello = z.object({
  type: z.literal('hello'),
  protocol: z.literal(SITE_PROTOCOL_VERSION),
  siteId: z.string().max(64),
  secret: z.string().max(256),
  rtspPort: z.number().int().min(1).max(65_535).optional().catch(undefined),
  canTranscode: z.boolean().optional().catch(undefined),
  code: z.string().max(64).optional().catch(undefined),
  version: z
    .string()
    .regex(/^[\w.+-]{1,32}$/)
    .optional()
    .catch(undefined),
  addresses: z
    .array(z.unknown())
    .transform((list) => list.filter(isShortText).slice(0, SITE_MESSAGE_LIMITS.addresses))
    .optional()
    .catch(undefined),
});
const direct = z.object({ type: z.literal('direct'), isConnected: z.boolean(), at: z.number().catch(0) });
const answer = z.object({
  type: z.literal('answer'),
  id: z.number().int(),
  // Ignores values that are no error code.
  code: z.number().int().catch(0),
  data: z.unknown(),
});

/** Null for an invalid message: the connection is closed. */
export function readSiteMessage(value: unknown): SiteMessage | null {
  if (!isObject(value)) return null;
  const { type } = value;
  // Bursts consist of these: parsed by hand with the same rules, since a schema is too slow.
  if (type === 'event') return readEventMessage(value);
  if (type === 'answer') return answer.safeParse(value).data ?? null;
  if (type === 'direct') return direct.safeParse(value).data ?? null;
  if (type !== 'hello') return null;
  if (value['protocol'] !== SITE_PROTOCOL_VERSION) return { type: 'foreignHello' };
  return (hello.safeParse(value).data as SiteHello | undefined) ?? null;
}

function readEventMessage({ seq, event }: Readonly<Record<string, unknown>>): SiteMessage | null {
  if (!isCount(seq)) return null;
  const read = readSiteEvent(event);
  return read === null ? { type: 'badEvent', seq } : { type: 'event', seq, event: read };
}

/** Null for what is no event. */
export function readSiteEvent(given: unknown): SiteEvent | null {
  if (!isObject(given)) return null;
  const { kind, deviceSerial, at } = given;
  if (!isText(deviceSerial, SITE_MESSAGE_LIMITS.serial) || deviceSerial === '' || !isTime(at)) return null;
  if (kind === 'deviceEvent') return readDeviceEvent(given, deviceSerial, at);
  if (kind === 'deviceStatus') return readDeviceStatus(given, deviceSerial, at);
  if (kind === 'traffic') return readTraffic(given, deviceSerial, at);
  if (kind === 'sighting') return readSighting(given, deviceSerial, at);
  return kind === 'channelStatus' ? readChannelStatus(given, deviceSerial, at) : null;
}

function readDeviceStatus(
  { status, reason }: Readonly<Record<string, unknown>>,
  deviceSerial: string,
  at: number,
): SiteEvent | null {
  if (!isStatus(status) || (reason !== null && !isText(reason, 64))) return null;
  // A newer site may name reasons that we do not know.
  const known = reason === null || isReason(reason) ? reason : 'fault';
  return { kind: 'deviceStatus', deviceSerial, status, reason: known, at };
}

function readChannelStatus(
  { status, channelNo, isRecording }: Readonly<Record<string, unknown>>,
  deviceSerial: string,
  at: number,
): SiteEvent | null {
  if (!isStatus(status) || !isChannel(channelNo) || typeof isRecording !== 'boolean') return null;
  return { kind: 'channelStatus', deviceSerial, channelNo, status, isRecording, at };
}

function readTraffic(
  { eventId, amounts }: Readonly<Record<string, unknown>>,
  deviceSerial: string,
  at: number,
): SiteEvent | null {
  if (!isEventId(eventId) || !isTrafficAmounts(amounts)) return null;
  return { kind: 'traffic', deviceSerial, eventId, at, amounts };
}

function readSighting(given: Readonly<Record<string, unknown>>, deviceSerial: string, at: number): SiteEvent | null {
  const { eventId, channelNo } = given;
  const detail = readSightingDetail(given, at);
  if (!isEventId(eventId) || !isChannel(channelNo) || detail === null) return null;
  return { kind: 'sighting', deviceSerial, eventId, channelNo, at, ...detail };
}

function isEventId(value: unknown): value is string {
  return isText(value, SITE_MESSAGE_LIMITS.eventId) && value !== '';
}

function readDeviceEvent(given: Readonly<Record<string, unknown>>, deviceSerial: string, at: number): SiteEvent | null {
  const { eventId, topic, phase, channelNo, key, deviceAt, source, data, picture } = given;
  if (!isEventId(eventId)) return null;
  if (!isText(topic, SITE_MESSAGE_LIMITS.topic) || !isText(key, SITE_MESSAGE_LIMITS.topic)) return null;
  if (!isPhase(phase) || !isChannel(channelNo) || !isItems(source) || !isItems(data)) return null;
  // An unreadable device time counts as none.
  const reportedAt = isTime(deviceAt) ? deviceAt : null;
  return {
    kind: 'deviceEvent',
    deviceSerial,
    eventId,
    topic,
    phase,
    channelNo,
    key,
    at,
    deviceAt: reportedAt,
    source,
    data,
    // An event is never lost for its picture.
    ...(isText(picture, SITE_MESSAGE_LIMITS.picture) && { picture }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

/** The longest address of IPv6 has 45 characters. */
function isShortText(value: unknown): value is string {
  return isText(value, 64);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Up to the last instant a Date can hold. */
function isTime(value: unknown): value is number {
  return isCount(value) && value <= 8.64e15;
}

function isStatus(value: unknown): value is 0 | 1 | -1 {
  return value === 0 || value === 1 || value === -1;
}

function isChannel(value: unknown): value is number {
  return isCount(value) && value <= SITE_MESSAGE_LIMITS.channelNo;
}

const REASONS: ReadonlySet<unknown> = new Set(DEVICE_REASONS);
const PHASES: ReadonlySet<unknown> = new Set(deviceEventPhases);
const isReason = (value: unknown): value is DeviceReason => REASONS.has(value);
const isPhase = (value: unknown): value is DeviceEventPhase => PHASES.has(value);

function isItems(value: unknown): value is Readonly<Record<string, string>> {
  if (!isObject(value)) return false;
  const texts = Object.values(value);
  return texts.length <= SITE_MESSAGE_LIMITS.items && texts.every((text) => isText(text, SITE_MESSAGE_LIMITS.value));
}
