// Clock of a virtual device: zone, daylight saving, NTP and the time set by hand (ONVIF Core 8.2, 8.3).

import { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import { getNtp, setNtp, setSystemDateAndTime } from '@vedette/protocols/onvif/time-operations.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

export function timeHandlers(device: OnvifDevice): OperationHandler[] {
  const { time } = device;
  return [
    answer(getSystemDateAndTime, () => ({
      SystemDateAndTime: {
        DateTimeType: time.source,
        DaylightSavings: time.hasDaylight,
        TimeZone: { TZ: time.zoneText },
        UTCDateTime: dateAndTimeOf(device.clock.wallMs()),
      },
    })),
    answer(setSystemDateAndTime, ({ DateTimeType, DaylightSavings, TimeZone, UTCDateTime: utc }) => {
      if (TimeZone !== undefined && !time.setZone(TimeZone.TZ)) {
        throw invalidArgument('ter:InvalidTimeZone', 'The time zone is not valid');
      }
      if (DateTimeType === 'Manual' && utc !== undefined) {
        const { Date: day, Time: hour } = utc;
        device.setClock(Date.UTC(day.Year, day.Month - 1, day.Day, hour.Hour, hour.Minute, hour.Second));
      }
      if (DateTimeType === 'NTP') device.setClock(null);
      time.source = DateTimeType === 'NTP' ? 'NTP' : 'Manual';
      time.hasDaylight = DaylightSavings;
      return {};
    }),
    answer(getNtp, () => ({
      NTPInformation: { FromDHCP: time.ntpFromDhcp, NTPFromDHCP: [], NTPManual: time.ntpServers },
    })),
    answer(setNtp, ({ FromDHCP, NTPManual }) => {
      time.ntpFromDhcp = FromDHCP;
      time.ntpServers = NTPManual;
      return {};
    }),
  ];
}

function dateAndTimeOf(utcMs: number) {
  const now = new Date(utcMs);
  return {
    Time: { Hour: now.getUTCHours(), Minute: now.getUTCMinutes(), Second: now.getUTCSeconds() },
    Date: { Year: now.getUTCFullYear(), Month: now.getUTCMonth() + 1, Day: now.getUTCDate() },
  };
}
