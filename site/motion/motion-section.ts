// The configuration section `motion` of a camera: the device's own where it has one, else the site's software motion detection.
import type { ConfigSection } from '@vedette/drivers/kit/config-section.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';

/** `device` null: the driver has no such section. */
export function motionOf(
  device: ConfigSection<'motion'> | null,
  own: ConfigSection<'motion'>,
): ConfigSection<'motion'> {
  if (device === null) return own;
  let answering = device;
  return {
    read: async (signal) => {
      try {
        return await answering.read(signal);
      } catch (error) {
        if (!(error instanceof DeviceFault) || error.kind !== 'not-supported') throw error;
        answering = own;
        return await own.read(signal);
      }
    },
    write: (next, before, signal) => answering.write(next, before, signal),
  };
}
