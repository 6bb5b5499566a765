// The registry of drivers, one row each, sorted by id; a new driver is a folder and a row here.
import type { DriverModule } from './kit/driver.ts';
import { dahuaCgi } from './vendor-extensions/dahua-cgi/cgi-extension.ts';
import { isapi } from './vendor-extensions/isapi/isapi-extension.ts';
import { withVendorExtensions } from './vendor-extensions/with-vendor-extensions.ts';
import { onvifDriver } from './onvif/onvif-driver.ts';
import { rtspDriver } from './rtsp/rtsp-driver.ts';

export const drivers = {
  onvif: withVendorExtensions(onvifDriver, [isapi, dahuaCgi]),
  rtsp: rtspDriver,
} satisfies Record<string, DriverModule>;

export type DriverId = keyof typeof drivers;

/** Undefined for the id of a driver this version does not have. */
export function driverById(id: string): DriverModule | undefined {
  return Object.values<DriverModule>(drivers).find((driver) => driver.id === id);
}
