// Alarms in words: type, place, how long it lasted.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

/** A type of a newer server has no text here: its name is better than nothing. */
export function alarmTypeText(t: Translate, type: string): string {
  return t.find(`alarmType_${type}`) ?? type;
}

/** Device and channel; what has no device is the installation itself; the channel alone says nothing where it bears the device's name. */
export function alarmPlaceText(
  t: Translate,
  { deviceName, channelName }: Pick<Alarm, 'deviceName' | 'channelName'>,
): string {
  if (deviceName === '') return t('alarms.installation');
  return channelName === '' || channelName === deviceName ? deviceName : `${deviceName} · ${channelName}`;
}

/** Empty where it happened at one instant. */
export function lastedText(t: Translate, { time, endTime }: Alarm): string {
  if (endTime === null) return t('alarms.ongoing');
  const seconds = Math.round((endTime - time) / 1000);
  if (endTime === time) return '';
  if (seconds < 120) return t('age.seconds', { value: Math.max(1, seconds) });
  if (seconds < 7200) return t('age.minutes', { value: Math.round(seconds / 60) });
  return t('age.hours', { value: Math.round(seconds / 3600) });
}
