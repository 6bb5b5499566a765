// Section `time`: time zone and daylight saving as a POSIX zone, NTP, or a manually set time (ONVIF Core 8.2, 8.3).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import { type PosixZone, readPosixZone, writePosixZone } from '@vedette/protocols/onvif/posix-zone.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import { getNtp, setNtp, setSystemDateAndTime } from '@vedette/protocols/onvif/time-operations.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { changedOnly, orAbsent, pick, type SectionSource } from './section-source.ts';

type Clock = TypeOf<typeof getSystemDateAndTime.response>['SystemDateAndTime'];
type Ntp = TypeOf<typeof getNtp.response>['NTPInformation'];
type Value = SectionValue<'time'>;

const LAST_SUNDAY = { week: 5, weekday: 0 } as const;
/** Used if daylight saving is enabled without a rule: the European one. */
const usualDaylight = {
  shift: 60,
  start: { ...LAST_SUNDAY, month: 3, minute: 120 },
  end: { ...LAST_SUNDAY, month: 10, minute: 180 },
} as const;

export function timeSection({ session }: SectionSource): ConfigSection<'time'> {
  return {
    read: async (signal) => {
      const [clock, ntp] = await Promise.all([
        session.call(getSystemDateAndTime, {}, signal),
        orAbsent(session.call(getNtp, {}, signal)),
      ]);
      return readingOf(clock.SystemDateAndTime, ntp?.NTPInformation ?? null);
    },
    write: async (next, before, signal) => {
      const change = changedOnly(next, before.value);
      const whole = { ...before.value, ...next };
      if (change.ntpFromDhcp !== undefined || change.ntpServer !== undefined) {
        await session.call(setNtp, ntpOf(whole), signal);
      }
      const isClock = Object.keys(change).some((name) => !name.startsWith('ntp'));
      if (isClock) await session.call(setSystemDateAndTime, clockOf(whole, next.now), signal);
    },
  };
}

export function readingOf(clock: Clock, ntp: Ntp | null): SectionReading<'time'> {
  const { offset, daylight } = zoneInUse(clock);
  return {
    value: pick<Value>({
      source: clock.DateTimeType === 'NTP' ? 'ntp' : 'manual',
      now: utcOf(clock),
      ntpFromDhcp: ntp?.FromDHCP,
      ntpServer: ntp === null ? undefined : serverOf(ntp),
      offset,
      dst: daylight !== null,
      dstStart: daylight?.start,
      dstEnd: daylight?.end,
      dstShift: daylight?.shift,
    }),
    capabilities: pick<SectionReading<'time'>['capabilities']>({
      source: { options: ntp === null ? ['manual'] : ['ntp', 'manual'] },
      now: {},
      ntpFromDhcp: ntp === null ? undefined : {},
      ntpServer: ntp === null ? undefined : { most: 128 },
      offset: { min: -720, max: 840, step: 15 },
      dst: {},
      dstStart: {},
      dstEnd: {},
      dstShift: { min: 30, max: 120, step: 30 },
    }),
  };
}

/** Some devices keep the rule and disable it by the flag. */
function zoneInUse({ TimeZone, DaylightSavings }: Clock): PosixZone {
  const zone = readPosixZone(TimeZone?.TZ ?? '') ?? { offset: 0, daylight: null };
  return DaylightSavings === false ? { ...zone, daylight: null } : zone;
}

function serverOf({ NTPManual: [manual] }: Ntp): string {
  return manual?.DNSname ?? manual?.IPv4Address ?? manual?.IPv6Address ?? '';
}

export function utcOf({ UTCDateTime: utc }: Clock): number | undefined {
  if (utc === undefined) return undefined;
  const { Date: day, Time: time } = utc;
  return Date.UTC(day.Year, day.Month - 1, day.Day, time.Hour, time.Minute, time.Second);
}

function zoneOf(value: Value): PosixZone {
  const { start, end, shift } = usualDaylight;
  const daylight = { shift: value.dstShift ?? shift, start: value.dstStart ?? start, end: value.dstEnd ?? end };
  return { offset: value.offset ?? 0, daylight: value.dst === true ? daylight : null };
}

/** Without a given time the clock continues. */
export function clockOf(value: Value, now: number | undefined) {
  const at = new Date(now ?? value.now ?? 0);
  const isManual = value.source === 'manual';
  const utc = {
    Time: { Hour: at.getUTCHours(), Minute: at.getUTCMinutes(), Second: at.getUTCSeconds() },
    Date: { Year: at.getUTCFullYear(), Month: at.getUTCMonth() + 1, Day: at.getUTCDate() },
  };
  return {
    DateTimeType: isManual ? 'Manual' : 'NTP',
    DaylightSavings: value.dst === true,
    TimeZone: { TZ: writePosixZone(zoneOf(value)) },
    UTCDateTime: isManual ? utc : undefined,
  };
}

function ntpOf({ ntpFromDhcp = false, ntpServer = '' }: Value) {
  if (ntpServer === '') return { FromDHCP: ntpFromDhcp, NTPManual: [] };
  const isV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(ntpServer);
  const host = isV4
    ? { Type: 'IPv4', IPv4Address: ntpServer }
    : ntpServer.includes(':')
      ? { Type: 'IPv6', IPv6Address: ntpServer }
      : { Type: 'DNS', DNSname: ntpServer };
  return { FromDHCP: ntpFromDhcp, NTPManual: [host] };
}
