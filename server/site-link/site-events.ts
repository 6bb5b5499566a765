// Stores what the site reports of devices and channels, batch by batch, and pushes it to who may see them.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { PushEvent } from '@vedette/contract/events.ts';
import type { SiteEvent } from '@vedette/contract/site.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import { deviceObject } from '../auth/may.ts';
import type { Database } from '../database/connection.ts';
import { storeChannelStatus, storeDeviceStatus } from '../database/device-status.queries.ts';
import { type DeviceFacts, findDevicesFacts } from '../database/device.queries.ts';
import type { AlarmBatch, AlarmWriter } from '../features/alarm/alarm-writer.ts';
import type { ToldEvent } from '../features/alarm/read-events.ts';

export interface SiteEventParts {
  readonly database: Database;
  readonly alarms: AlarmWriter;
  readonly push: (event: PushEvent, object: RightsObject) => void;
  /** Told of each device that came online. */
  readonly onOnline: (deviceSerial: string) => void;
}

type Told = SiteEvent & { readonly kind: 'deviceStatus' | 'channelStatus' };

/**
 * All in one commit with the alarms that follow from them. Idempotent: an event that is older than what is stored, or
 * came before, changes nothing and is not pushed; those of unknown devices, and of devices of other sites, are dropped.
 */
export async function takeSiteEvents(
  parts: SiteEventParts,
  siteId: string,
  events: readonly SiteEvent[],
): Promise<void> {
  const serials = new Set(events.map((event) => event.deviceSerial).filter((serial) => typeof serial === 'string'));
  const found = await findDevicesFacts(parts.database, [...serials]);
  const devices = new Map([...found].filter(([, device]) => device.siteId === siteId));
  const afterwards: (() => void)[] = [];
  const told: ToldEvent[] = [];
  const whole = new Set<DeviceFacts>();
  for (const event of events) {
    const device = devices.get(event.deviceSerial);
    if (device === undefined) continue;
    if (event.kind === 'deviceEvent') told.push({ device, report: event });
    else if (event.kind === 'deviceStatus') whole.add(device);
  }
  await parts.alarms.write({ whole, told }, async (batch) => {
    // A batch that is tried again begins anew.
    afterwards.length = 0;
    for (const event of events) {
      const device = devices.get(event.deviceSerial);
      if (device === undefined) continue;
      if (event.kind === 'deviceEvent') batch.told(device, event);
      else afterwards.push(...(await takeStatus(parts, batch, device, event)));
    }
  });
  for (const tell of afterwards) tell();
}

/** Answers what is to be told once it is stored. */
async function takeStatus(
  { push, onOnline }: SiteEventParts,
  batch: AlarmBatch,
  device: DeviceFacts,
  event: Told,
): Promise<(() => void)[]> {
  const { at, deviceSerial, status } = event;
  if (event.kind === 'deviceStatus') {
    const { reason } = event;
    if (!(await storeDeviceStatus(batch.database, { deviceId: device.deviceId, status, reason, at }))) return [];
    if (status === DEVICE_STATUS.offline) batch.offline(device, reason, at);
    if (status === DEVICE_STATUS.online) batch.online(device, at);
    const pushed = { kind: 'deviceStatus', deviceSerial, status, statusReason: reason, at } as const;
    const told = () => push(pushed, deviceObject(device, undefined));
    return status === DEVICE_STATUS.online ? [told, () => onOnline(deviceSerial)] : [told];
  }
  const { channelNo, isRecording } = event;
  const change = { deviceId: device.deviceId, channelNo, status, isRecording };
  if (!(await storeChannelStatus(batch.database, change))) return [];
  const pushed = { kind: 'channelStatus', deviceSerial, channelNo, status, isRecording } as const;
  return [() => push(pushed, deviceObject(device, channelNo))];
}
