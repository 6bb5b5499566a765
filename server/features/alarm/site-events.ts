// Stores status and events of a site in batches, and pushes them to accounts that may see them.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { TrafficDirection, TrafficReport } from '@vedette/contract/site/site-traffic.ts';
import { type EventPicture, readEventPicture } from '@vedette/rules/alarm/event-picture.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import { deviceObject } from '../../auth/authorize.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../../database/connection.ts';
import { storeChannelStatus, storeDeviceStatus } from '../../database/device/device-status.queries.ts';
import { type DeviceFacts, findDevicesFacts } from '../../database/device/device.queries.ts';
import { staysAt } from '../../database/device/device-stay.queries.ts';
import { assertSiteLine, type SiteLine } from '../../database/device/site-line.queries.ts';
import { claimNewEvents } from '../../database/alarm/alarm-write.queries.ts';
import type { DeviceStayRow } from '../../database/schema/recorder-group-schema.ts';
import type { SitePictureRates } from '../../quota/picture-rates.ts';
import { addEntries, type ConsumptionEntry } from '../../database/consumption/ledger.queries.ts';
import { insertSightings, type NewSighting } from '../../database/sighting/sighting-store.queries.ts';
import { addTraffic } from '../../database/statistic/hour-store.queries.ts';
import { isInside } from '../../site-link/inside-site.ts';
import type { AlarmBatch, AlarmWriter } from './alarm-writer.ts';
import type { ReportedEvent } from './interpret-events.ts';

export interface SiteEventDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  readonly alarms: AlarmWriter;
  readonly pictureRates: SitePictureRates;
  readonly push: (event: PushEvent, object: RightsObject) => void;
  /** Called for each device that came online. */
  readonly onOnline: (deviceSerial: string) => void;
  /** Called before storing, with a site's reports about its own devices. */
  readonly onHeard: (events: readonly SiteEvent[]) => void;
}

type StatusEvent = SiteEvent & { readonly kind: 'deviceStatus' | 'channelStatus' };

/**
 * Stored in one commit with the resulting alarms, while the site has no newer line. Idempotent: outdated and duplicate events change nothing and are not
 * pushed; events of unknown devices and of other sites are dropped.
 */
export async function storeSiteEvents(deps: SiteEventDeps, line: SiteLine, given: readonly SiteEvent[]): Promise<void> {
  const { siteId } = line;
  const found = await findDevicesFacts(deps.database, [...new Set(given.map((event) => event.deviceSerial))]);
  const stays = await staysOfForeign(deps.database, siteId, given, found);
  const own = given.filter((event) => isOwn(event, siteId, found) || wasOwn(event, stays));
  deps.onHeard(own);
  const now = deps.clock.wallMs();
  const events = isInside(siteId) ? own : own.map((event) => doubted(event, siteId, now, found));
  const pictures = picturesOf(deps, events);
  const afterwards: (() => void)[] = [];
  const reported: ReportedEvent[] = [];
  const whole = new Set<DeviceFacts>();
  for (const event of events) {
    const device = found.get(event.deviceSerial);
    if (device === undefined) continue;
    if (event.kind === 'deviceEvent') reported.push({ device, report: event });
    else if (event.kind === 'deviceStatus') whole.add(device);
  }
  await deps.alarms.write({ whole, reports: reported }, async (batch) => {
    // A retried batch starts over.
    afterwards.length = 0;
    // No other server has the local site.
    if (!isInside(siteId)) await assertSiteLine(batch.database, line);
    await storeTraffic(batch.database, events, found, now);
    await storeSightings(batch.database, events, { devices: found, pictures, now });
    for (const event of events) {
      const device = found.get(event.deviceSerial);
      if (device === undefined || event.kind === 'traffic' || event.kind === 'sighting') continue;
      if (event.kind === 'deviceEvent') batch.reported(device, event, pictures.get(event));
      else afterwards.push(...(await storeStatus(deps, batch, device, event)));
    }
  });
  for (const tell of afterwards) tell();
}

/** Those that are whole, as many as a device may store. */
function picturesOf(
  { clock, pictureRates }: SiteEventDeps,
  events: readonly SiteEvent[],
): ReadonlyMap<SiteEvent, EventPicture> {
  const pictures = new Map<SiteEvent, EventPicture>();
  for (const event of events) {
    if ((event.kind !== 'deviceEvent' && event.kind !== 'sighting') || event.picture === undefined) continue;
    const picture = readEventPicture(event.picture);
    if (typeof picture === 'string' || !pictureRates[event.kind].spend(event.deviceSerial, clock.monotonicMs()))
      continue;
    pictures.set(event, picture);
  }
  return pictures;
}

type Devices = ReadonlyMap<string, DeviceFacts>;

/** The site beside a server relays media of remote sites' devices, and counts what it relays. */
function isOwn({ deviceSerial, kind }: SiteEvent, siteId: string, devices: Devices): boolean {
  const device = devices.get(deviceSerial);
  return device !== undefined && (device.siteId === siteId || (kind === 'traffic' && isInside(siteId)));
}

/** By serial: when the site had devices that another one has now. */
async function staysOfForeign(
  database: Database,
  siteId: string,
  events: readonly SiteEvent[],
  devices: Devices,
): Promise<ReadonlyMap<string, readonly DeviceStayRow[]>> {
  const foreign = new Map<string, string>();
  for (const { deviceSerial } of events) {
    const device = devices.get(deviceSerial);
    if (device !== undefined && device.siteId !== siteId) foreign.set(deviceSerial, device.deviceId);
  }
  if (foreign.size === 0) return new Map();
  const stays = Map.groupBy(await staysAt(database, siteId, [...foreign.values()]), (stay) => stay.device_id);
  return new Map([...foreign].map(([serial, deviceId]) => [serial, stays.get(deviceId) ?? []]));
}

/** A site that comes back tells what happened before another one took its devices over; what it says of their state is outdated. */
function wasOwn({ kind, deviceSerial, at }: SiteEvent, stays: ReadonlyMap<string, readonly DeviceStayRow[]>): boolean {
  if (kind === 'deviceStatus' || kind === 'channelStatus') return false;
  const ofDevice = stays.get(deviceSerial) ?? [];
  // Its recordings are played from there at any time.
  return kind === 'traffic'
    ? ofDevice.length > 0
    : ofDevice.some(({ since, until }) => since <= at && at < (until ?? at));
}

async function storeTraffic(
  database: Database,
  events: readonly SiteEvent[],
  devices: Devices,
  now: number,
): Promise<void> {
  const reports = events.filter((event): event is TrafficReport => event.kind === 'traffic');
  const isNew = await claimNewEvents(
    database,
    reports.map(({ eventId }) => eventId),
    now,
  );
  // One that comes twice in a batch counts once, too.
  const counted = [...new Map(reports.map((report) => [report.eventId, report])).values()].flatMap((report) => {
    const device = devices.get(report.deviceSerial);
    return device === undefined || !isNew.has(report.eventId)
      ? []
      : [{ ...report, device, at: Math.min(report.at, now) }];
  });
  await addTraffic(
    database,
    counted.flatMap(({ device: { deviceId }, at, amounts }) => amounts.map((amount) => ({ ...amount, deviceId, at }))),
  );
  await addEntries(database, counted.flatMap(consumptionOf));
}

interface SightingContext {
  readonly devices: Devices;
  readonly pictures: ReadonlyMap<SiteEvent, EventPicture>;
  readonly now: number;
}

async function storeSightings(
  database: Database,
  events: readonly SiteEvent[],
  { devices, pictures, now }: SightingContext,
): Promise<void> {
  // One that comes twice in a batch counts once, too.
  const reports = new Map(
    events.filter((event): event is SightingReport => event.kind === 'sighting').map((one) => [one.eventId, one]),
  );
  const isNew = await claimNewEvents(database, [...reports.keys()], now);
  const sightings = [...reports.values()].flatMap((report): NewSighting[] => {
    const device = devices.get(report.deviceSerial);
    if (device === undefined || !isNew.has(report.eventId)) return [];
    const picture = pictures.get(report);
    const { deviceId, ownerId } = device;
    return [{ report, deviceId, ownerId, picture: picture?.contentType === 'image/jpeg' ? picture.data : null }];
  });
  await insertSightings(database, sightings);
}

/** Charged to the owner of the device, whoever watched. */
function consumptionOf(report: TrafficReport & { readonly device: DeviceFacts }): ConsumptionEntry[] {
  const { device, eventId, at, amounts } = report;
  const { ownerId: accountId, organizationId } = device;
  const entry = { source: 'traffic', sequence: eventId, accountId, organizationId, at } as const;
  const bytesOf = (direction: TrafficDirection): number =>
    amounts.reduce((sum, one) => sum + (one.direction === direction ? one.bytes : 0), 0);
  const sumOf = (part: 'minutes' | 'cdnBytes' | 'cdnMinutes'): number =>
    amounts.reduce((sum, one) => sum + (one[part] ?? 0), 0);
  return [
    { ...entry, meter: 'egressBytes', amount: bytesOf('out') },
    { ...entry, meter: 'relayBytes', amount: bytesOf('relay') },
    { ...entry, meter: 'streamMinutes', amount: sumOf('minutes') },
    { ...entry, meter: 'cdnBytes', amount: sumOf('cdnBytes') },
    { ...entry, meter: 'cdnMinutes', amount: sumOf('cdnMinutes') },
  ];
}

/** Returns what to publish after the commit. */
async function storeStatus(
  { push, onOnline }: SiteEventDeps,
  batch: AlarmBatch,
  device: DeviceFacts,
  event: StatusEvent,
): Promise<(() => void)[]> {
  const { at, deviceSerial, status } = event;
  if (event.kind === 'deviceStatus') {
    const { reason } = event;
    if (!(await storeDeviceStatus(batch.database, { deviceId: device.deviceId, status, reason, at }))) return [];
    if (status === DEVICE_STATUS.offline) batch.offline(device, reason, at);
    if (status === DEVICE_STATUS.online) batch.online(device, at);
    const pushed = { kind: 'deviceStatus', deviceSerial, status, statusReason: reason, at } as const;
    const pushChange = () => push(pushed, deviceObject(device, undefined));
    return status === DEVICE_STATUS.online ? [pushChange, () => onOnline(deviceSerial)] : [pushChange];
  }
  const { channelNo, isRecording } = event;
  const change = { deviceId: device.deviceId, channelNo, status, isRecording };
  if (!(await storeChannelStatus(batch.database, change))) return [];
  const pushed = { kind: 'channelStatus', deviceSerial, channelNo, status, isRecording } as const;
  return [() => push(pushed, deviceObject(device, channelNo))];
}

/**
 * A remote site may lie. Times are limited to between adding the device and now: later ones would last for years, and
 * earlier days would create partitions. Ids get the site's suffix, so that they match no other site's.
 */
function doubted(event: SiteEvent, siteId: string, now: number, devices: Devices): SiteEvent {
  if (event.kind === 'deviceStatus' || event.kind === 'channelStatus')
    return event.at > now ? { ...event, at: now } : event;
  const addedAt = Math.min(devices.get(event.deviceSerial)?.createdAt ?? now, now);
  const at = Math.min(Math.max(event.at, addedAt), now);
  // The time comes first, so that inserts append to the index.
  const eventId = `${event.eventId} ${siteId}`;
  if (event.kind !== 'sighting') return { ...event, at, eventId };
  const moved = at - event.at;
  return { ...event, at, bestAt: event.bestAt + moved, endAt: event.endAt + moved, eventId };
}
