// Stores what the site reports of devices and channels, and pushes it to who may see them.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { PushEvent } from '@vedette/contract/events.ts';
import type { SiteEvent } from '@vedette/contract/site.ts';
import { deviceObject } from '../auth/may.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import type { Database } from '../database/connection.ts';
import { storeChannelStatus, storeDeviceStatus } from '../database/device-status.queries.ts';
import { findDeviceFacts } from '../database/device.queries.ts';

export interface SiteEventParts {
  readonly database: Database;
  readonly push: (event: PushEvent, object: RightsObject) => void;
  /** Told of each device that came online. */
  readonly onOnline: (deviceSerial: string) => void;
}

/** Idempotent: an event that is older than what is stored, or came before, changes nothing and is not pushed. */
export async function takeSiteEvent(parts: SiteEventParts, event: SiteEvent): Promise<void> {
  // Alarms take them over.
  if (event.kind === 'deviceEvent') return;
  const channelNo = event.kind === 'channelStatus' ? event.channelNo : undefined;
  const facts = await findDeviceFacts(parts.database, event.deviceSerial, channelNo);
  if (facts === undefined) return;
  const { at, deviceSerial, status } = event;
  if (event.kind === 'deviceStatus') {
    const change = { deviceId: facts.deviceId, status, reason: event.reason, at };
    const isNew = await storeDeviceStatus(parts.database, change);
    const pushed = { kind: 'deviceStatus', deviceSerial, status, statusReason: event.reason, at } as const;
    if (isNew) parts.push(pushed, deviceObject(facts, undefined));
    if (isNew && status === DEVICE_STATUS.online) parts.onOnline(deviceSerial);
    return;
  }
  const change = { deviceId: facts.deviceId, channelNo: event.channelNo, status, isRecording: event.isRecording };
  const isNew = await storeChannelStatus(parts.database, change);
  const { isRecording } = event;
  const pushed = { kind: 'channelStatus', deviceSerial, channelNo: event.channelNo, status, isRecording } as const;
  if (isNew) parts.push(pushed, deviceObject(facts, event.channelNo));
}
