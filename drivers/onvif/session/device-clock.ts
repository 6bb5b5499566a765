// Reads the device's clock from GetSystemDateAndTime (ONVIF Core 8.3.2).
import type { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';

export type SystemDateAndTime = TypeOf<(typeof getSystemDateAndTime)['response']>['SystemDateAndTime'];

/** Milliseconds since 1970 UTC, or null where the device gives no UTC time or an impossible one. */
export function deviceClockMs({ UTCDateTime: sent }: SystemDateAndTime): number | null {
  if (sent === undefined) return null;
  const { Year, Month, Day } = sent.Date;
  const { Hour, Minute, Second } = sent.Time;
  if (Month < 1 || Month > 12 || Day < 1 || Day > 31 || Hour > 24 || Minute > 59 || Second > 60) return null;
  const ms = Date.UTC(Year, Month - 1, Day, Hour, Minute, Second);
  return Number.isNaN(ms) ? null : ms;
}
