// The clock settings of a virtual device: zone, daylight saving, and the hour somebody set by hand.

import { type PosixZone, readPosixZone } from '@vedette/protocols/onvif/posix-zone.ts';

interface NtpServer {
  readonly Type: string;
  readonly IPv4Address?: string | undefined;
  readonly IPv6Address?: string | undefined;
  readonly DNSname?: string | undefined;
}

export class DeviceTime {
  source: 'NTP' | 'Manual' = 'NTP';
  ntpFromDhcp = false;
  ntpServers: readonly NtpServer[] = [{ Type: 'DNS', DNSname: 'pool.ntp.org' }];
  hasDaylight = false;
  /** As it was written. */
  #zoneText: string | null = null;
  #zone: PosixZone | null = null;

  get zoneText(): string {
    return this.#zoneText ?? 'UTC0';
  }

  /** False: no time zone. */
  setZone(text: string): boolean {
    const zone = readPosixZone(text);
    if (zone === null) return false;
    this.#zone = zone;
    this.#zoneText = text;
    return true;
  }

  /** Milliseconds that the wall clock is before UTC; null until somebody set a zone. */
  offsetAt(utcMs: number): number | null {
    if (this.#zone === null) return null;
    const { offset, daylight } = this.#zone;
    if (daylight === null || !this.hasDaylight) return offset * 60_000;
    const year = new Date(utcMs + offset * 60_000).getUTCFullYear();
    const start = instantOf(year, daylight.start) - offset * 60_000;
    const end = instantOf(year, daylight.end) - (offset + daylight.shift) * 60_000;
    const isSummer = start < end ? utcMs >= start && utcMs < end : utcMs >= start || utcMs < end;
    return (offset + (isSummer ? daylight.shift : 0)) * 60_000;
  }
}

type Rule = NonNullable<PosixZone['daylight']>['start'];

/** On the wall clock of before, as if it were UTC. */
function instantOf(year: number, { month, week, weekday, minute }: Rule): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let day = 1 + ((weekday - first + 7) % 7) + (week - 1) * 7;
  while (day > days) day -= 7;
  return Date.UTC(year, month - 1, day, 0, minute);
}
