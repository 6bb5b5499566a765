// Capabilities of a driver and the endpoint of its device, without contacting the device.
import type { DeviceCredentials, DeviceNative } from '@vedette/drivers/kit/driver.ts';
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import { driverById } from '@vedette/drivers/registry.ts';
import type { DriverShape } from './wire.ts';

const never = (): Promise<never> => Promise.reject(new TypeError('devices are asked in the drivers’ loop alone'));

const NOTHING: DriverContext = {
  http: never,
  dial: never,
  clock: { wallMs: () => 0, monotonicMs: () => 0, after: () => () => undefined },
  randomBytes: (count) => Buffer.alloc(count),
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  signal: AbortSignal.abort(),
};

/** Null for an unknown driver id. Throws TypeError for a `native` of another driver. */
export function driverShape({
  id,
  native,
  credentials,
}: {
  readonly id: string;
  readonly native: DeviceNative;
  readonly credentials: DeviceCredentials | null;
}): DriverShape | null {
  const driver = driverById(id)?.open({ native, credentials, context: NOTHING });
  if (!driver) return null;
  return {
    endpoint: driver.endpoint,
    canReboot: driver.reboot !== undefined,
    canUpgrade: driver.upgrade !== undefined,
    listens: driver.listen !== undefined,
  };
}
