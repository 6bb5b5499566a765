// The words for a device's type, status and reason.
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { enumerationText } from '../../language/enumeration-text.ts';
import type { StatusTone } from '../../ui/feedback/status-dot.tsx';

const STATUS_WORDS = { [DEVICE_STATUS.online]: 'status.online', [DEVICE_STATUS.offline]: 'status.offline' } as const;

export function deviceTypeText(t: Translate, deviceType: number): string {
  return t.find(`deviceType.${deviceType}`) ?? enumerationText(t, {}, deviceType);
}

/** Video has no word: nearly every channel is of that type. */
export function channelTypeText(t: Translate, channelType: number): string {
  return t.find(`channelType.${channelType}`) ?? enumerationText(t, {}, channelType);
}

export function deviceTone(status: number): StatusTone {
  if (status === DEVICE_STATUS.online) return 'online';
  return status === DEVICE_STATUS.offline ? 'offline' : 'unknown';
}

export function statusText(t: Translate, status: number): string {
  return enumerationText(t, STATUS_WORDS, status);
}

export function statusReasonText(t: Translate, device: Device): string | null {
  if (device.status === DEVICE_STATUS.online || device.statusReason === null) return null;
  return t.find(`reason_${device.statusReason}`) ?? device.statusReason;
}

/** "Now" while it is online. */
export function latestOnlineText(t: Translate, { status, latestOnline }: Device, format: TimeFormat): string {
  if (status === DEVICE_STATUS.online) return t('devices.onlineNow');
  return latestOnline === null ? t('common.never') : formatDateTime(latestOnline, format);
}
