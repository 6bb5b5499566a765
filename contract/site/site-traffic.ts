// Traffic of a device as its site counts it: what was received and sent since its last report, reported once under an id.
export const TRAFFIC_DIRECTIONS = ['in', 'out', 'relay'] as const;
/** `in`: from the device. `out`: to viewers. `relay`: of a remote site's device, from there to the local site. */
export type TrafficDirection = (typeof TRAFFIC_DIRECTIONS)[number];

export interface TrafficAmount {
  readonly channelNo: number;
  readonly direction: TrafficDirection;
  /** Of the viewer; empty where there is none. */
  readonly userId: string;
  /** Media and its framing, without headers of TCP and TLS. */
  readonly bytes: number;
  /** Minutes begun in which something was sent to the viewer; absent from earlier versions. */
  readonly minutes?: number;
  /** Of `bytes`, what streams to CDNs sent; absent where there was none, and from earlier versions. */
  readonly cdnBytes?: number;
  /** Minutes begun in which such a stream sent something. */
  readonly cdnMinutes?: number;
}

/** Amounts add up: a report that comes twice counts once. */
export interface TrafficReport {
  readonly kind: 'traffic';
  readonly deviceSerial: string;
  /** Globally unique id, for deduplication. */
  readonly eventId: string;
  /** When the counting ended: all of it counts in this hour. */
  readonly at: number;
  readonly amounts: readonly TrafficAmount[];
}

/** Of one report; a device that is watched by more accounts is reported in parts. */
export const TRAFFIC_AMOUNTS_MAX = 1000;
const ID_LENGTH = 64;
const CHANNEL_MAX = 65_535;
/** A terabyte: more than a network carries between two reports. */
const BYTES_MAX = 1e12;
/** A spool waits no longer for its server. */
const MINUTES_MAX = 100_000;
const DIRECTIONS: ReadonlySet<unknown> = new Set(TRAFFIC_DIRECTIONS);

export function isTrafficAmounts(value: unknown): value is TrafficReport['amounts'] {
  return Array.isArray(value) && value.length <= TRAFFIC_AMOUNTS_MAX && value.every(isAmount);
}

function isAmount(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { channelNo, direction, userId, bytes, ...rest } = value as Readonly<Record<string, unknown>>;
  const isAccount = typeof userId === 'string' && userId.length <= ID_LENGTH;
  return (
    isCount(channelNo, CHANNEL_MAX) &&
    DIRECTIONS.has(direction) &&
    isAccount &&
    isCount(bytes, BYTES_MAX) &&
    arePartsCounts(rest)
  );
}

/** What earlier versions leave out is nothing. */
function arePartsCounts({ minutes = 0, cdnBytes = 0, cdnMinutes = 0 }: Readonly<Record<string, unknown>>): boolean {
  return isCount(minutes, MINUTES_MAX) && isCount(cdnBytes, BYTES_MAX) && isCount(cdnMinutes, MINUTES_MAX);
}

function isCount(value: unknown, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
