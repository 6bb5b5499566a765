// The registry of drivers, one row each, sorted by id; a new driver is a folder and a row here.
import type { DriverId, DriverModule } from './kit/driver.ts';
import { dahuaCgi } from './vendor-extensions/dahua-cgi/cgi-extension.ts';
import { isapi } from './vendor-extensions/isapi/isapi-extension.ts';
import { withVendorExtensions } from './vendor-extensions/with-vendor-extensions.ts';
import { onvifDriver } from './onvif/onvif-driver.ts';
import { rtspDriver } from './rtsp/rtsp-driver.ts';

export const drivers: Readonly<Record<DriverId, DriverModule>> = {
  onvif: withVendorExtensions(onvifDriver, [isapi, dahuaCgi]),
  rtsp: rtspDriver,
};

/** Undefined for the id of a driver this version does not have. */
export function driverById(id: string): DriverModule | undefined {
  return Object.values(drivers).find((driver) => driver.id === id);
}
