// Operations that set a device's clock and where it takes its time from (ONVIF Core 8.2, 8.3).
import { dateAndTime } from './device-operations.ts';
import { operation } from './operation.ts';
import { boolean, many, one, optional, struct, token } from './schema.ts';

const networkHost = struct('tt', {
  /** IPv4, IPv6, DNS. */
  Type: one(token),
  IPv4Address: optional(token),
  IPv6Address: optional(token),
  DNSname: optional(token),
});

/** `UTCDateTime` counts for Manual alone. */
export const setSystemDateAndTime = operation({
  service: 'device',
  name: 'SetSystemDateAndTime',
  kind: 'write',
  request: {
    DateTimeType: one(token),
    DaylightSavings: one(boolean),
    TimeZone: optional(struct('tt', { TZ: one(token) })),
    UTCDateTime: optional(dateAndTime),
  },
  response: {},
});

export const getNtp = operation({
  service: 'device',
  name: 'GetNTP',
  kind: 'read',
  request: {},
  response: {
    NTPInformation: one(
      struct('tt', { FromDHCP: one(boolean), NTPFromDHCP: many(networkHost), NTPManual: many(networkHost) }),
    ),
  },
});

export const setNtp = operation({
  service: 'device',
  name: 'SetNTP',
  kind: 'write',
  request: { FromDHCP: one(boolean), NTPManual: many(networkHost) },
  response: {},
});
