// Edge recordings on the devices' storage: queried through the site, and merged after ours.
import type { RecordItem } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS, RECORD_SOURCE, RECORD_TYPE } from '@vedette/contract/enumerations.ts';
import type { RecordedSpan } from '@vedette/contract/site/site.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import type { SitePort } from '../../site-link/site-port.ts';

interface TimeRange {
  readonly startTime: number;
  readonly endTime: number;
}

export interface DeviceRecordingQuery extends TimeRange {
  readonly srcType: number;
  readonly channelNo: number;
}

/** Clocks of device and site differ by less: what is left over beside ours is shown from here on. */
const MIN_SPAN_MS = 2500;

export function toRecordItem({ startTime, endTime, recordType, isFilled }: RecordedSpan): RecordItem {
  return { startTime, endTime, srcType: RECORD_SOURCE.cloud, recordType, ...(isFilled && { isFilled }) };
}

/** Nothing where ours alone is asked for, or ours are whole. With `auto` a device that doesn't answer has nothing. */
export async function deviceSpans(
  site: SitePort,
  device: AuthorizedDevice,
  question: DeviceRecordingQuery & { readonly own: readonly TimeRange[] },
): Promise<readonly TimeRange[]> {
  const { channelNo, startTime, endTime, srcType, own } = question;
  if (srcType === RECORD_SOURCE.auto && subtractRanges([{ startTime, endTime }], own).length === 0) return [];
  const { deviceSerial } = device;
  return await askDevice(device, srcType, [], async () => {
    return (await site.call('deviceRecordings', { deviceSerial, channelNo, startTime, endTime })).spans;
  });
}

export async function deviceDays(
  site: SitePort,
  device: AuthorizedDevice,
  { srcType, ...question }: DeviceRecordingQuery & { readonly timeZone: string },
): Promise<readonly string[]> {
  const { deviceSerial } = device;
  return await askDevice(device, srcType, [], async () => {
    return (await site.call('deviceRecordingDays', { deviceSerial, ...question })).days;
  });
}

/** Ours, and where we have none the device's, oldest first. */
export function mergedItems(own: readonly RecordItem[], device: readonly TimeRange[]): RecordItem[] {
  const theirs = subtractRanges(device, own).map((span) => ({
    ...span,
    srcType: RECORD_SOURCE.local,
    recordType: RECORD_TYPE.normal,
  }));
  return [...own, ...theirs].sort((a, b) => a.startTime - b.startTime);
}

async function askDevice<T>(device: AuthorizedDevice, srcType: number, none: T, ask: () => Promise<T>): Promise<T> {
  if (srcType === RECORD_SOURCE.cloud) return none;
  const isOffline = device.status === DEVICE_STATUS.offline;
  // PM-03: the device's own storage needs the device; ours plays without it.
  if (isOffline && srcType === RECORD_SOURCE.local) {
    throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
  }
  if (srcType === RECORD_SOURCE.local) return await ask();
  if (isOffline) return none;
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CallError) return none;
    throw error;
  }
}

/** What of some stretches others leave over. In proportion to their number, in whatever order and overlap a site names them. */
function subtractRanges(given: readonly TimeRange[], taken: readonly TimeRange[]): TimeRange[] {
  const [stretches, others] = [joined(given), joined(taken)];
  const found: TimeRange[] = [];
  const add = (startTime: number, endTime: number): void => {
    if (endTime - startTime >= MIN_SPAN_MS) found.push({ startTime, endTime });
  };
  let first = 0;
  for (const { startTime, endTime } of stretches) {
    while ((others[first]?.endTime ?? Number.POSITIVE_INFINITY) <= startTime) first += 1;
    let at = startTime;
    for (let index = first; index < others.length; index += 1) {
      const other = others[index];
      if (other === undefined || other.startTime >= endTime) break;
      add(at, other.startTime);
      at = Math.max(at, other.endTime);
    }
    add(at, endTime);
  }
  return found;
}

/** By time, without overlaps. */
function joined(stretches: readonly TimeRange[]): TimeRange[] {
  const found: { startTime: number; endTime: number }[] = [];
  for (const { startTime, endTime } of stretches.toSorted((a, b) => a.startTime - b.startTime)) {
    const last = found.at(-1);
    if (last !== undefined && startTime < last.endTime) last.endTime = Math.max(last.endTime, endTime);
    else found.push({ startTime, endTime });
  }
  return found;
}
