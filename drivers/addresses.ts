// The addresses of every driver, one row each; the first whose device answers is the one.
import type { DriverAddresses } from './kit/driver-addresses.ts';
import type { DeviceNative } from './kit/driver.ts';
import { onvifAddresses } from './onvif/onvif-addresses.ts';
import type { DriverId } from './registry.ts';
import { rtspAddresses } from './rtsp/rtsp-addresses.ts';

/** A host is asked in this order. */
export const driverAddresses: Readonly<Record<DriverId, DriverAddresses>> = {
  onvif: onvifAddresses,
  rtsp: rtspAddresses,
};

export interface AddressRow {
  readonly driver: DriverId;
  readonly addresses: DriverAddresses;
}

export const ADDRESS_ROWS: readonly [AddressRow, ...AddressRow[]] = Object.entries(driverAddresses).map(
  ([driver, addresses]) => ({ driver: driver as DriverId, addresses }),
) as [AddressRow, ...AddressRow[]];

/** The driver to which URLs of this scheme belong. */
export function rowOfScheme(text: string): AddressRow | undefined {
  const scheme = /^[a-z][a-z0-9+.-]*:/iu.exec(text)?.[0].toLowerCase();
  return scheme === undefined ? undefined : ADDRESS_ROWS.find(({ addresses }) => addresses.schemes.includes(scheme));
}

/** The driver and the address record of a device that is stored without being asked: by its scheme, then by its port. */
export function unaskedAddress(target: string): { readonly driver: DriverId; readonly native: DeviceNative } {
  const port = Number(/:(\d{1,5})$/u.exec(target)?.[1]);
  const byPort = ADDRESS_ROWS.find(({ addresses }) => addresses.ports.includes(port));
  const { driver, addresses } = rowOfScheme(target) ?? byPort ?? ADDRESS_ROWS[0];
  return { driver, native: addresses.unasked(target) };
}

/** The URL that a device's address record leads to; undefined for a record without one and for an unknown driver. */
export function dialledUrl(driver: string, native: DeviceNative): string | undefined {
  return ADDRESS_ROWS.find((row) => row.driver === driver)?.addresses.dialled(native);
}
