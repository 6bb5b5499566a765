// Table of meters: what the consumption of an account is counted in. A new meter adds a row here, its entries in the server and its phrases.

export const METER_UNITS = ['byteHours', 'bytes', 'minutes', 'count'] as const;
export type MeterUnit = (typeof METER_UNITS)[number];

export interface MeterRow {
  readonly unit: MeterUnit;
  /** How much of the unit a price is for. */
  readonly pricedPer: number;
}

/** As disks and traffic are sold. */
const GIGABYTE = 1e9;
/** A month of 30 days. */
const MONTH_HOURS = 720;

/** Charged to the account that owns the device, or whose rule sent the mail. */
export const METERS = {
  /** Recordings on the disks of sites, measured each hour. */
  recordingByteHours: { unit: 'byteHours', pricedPer: MONTH_HOURS * GIGABYTE },
  /** Copies in object stores, measured each hour. */
  copyByteHours: { unit: 'byteHours', pricedPer: MONTH_HOURS * GIGABYTE },
  /** Live video and playback sent to viewers. */
  egressBytes: { unit: 'bytes', pricedPer: GIGABYTE },
  /** Received from remote sites, to be sent on. */
  relayBytes: { unit: 'bytes', pricedPer: GIGABYTE },
  /** Minutes begun in which a channel was sent to an account. */
  streamMinutes: { unit: 'minutes', pricedPer: 60 },
  /** Of what is sent to viewers: to delivery networks, and by our own origin to them and their viewers. */
  cdnBytes: { unit: 'bytes', pricedPer: GIGABYTE },
  /** Minutes begun in which a channel was sent so. */
  cdnMinutes: { unit: 'minutes', pricedPer: 60 },
  /** Of alarm rules. */
  mails: { unit: 'count', pricedPer: 1 },
} as const satisfies Readonly<Record<string, MeterRow>>;

export type MeterName = keyof typeof METERS;
export const METER_NAMES = Object.keys(METERS) as readonly MeterName[];
