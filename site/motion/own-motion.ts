// The section `motion` of a camera: its own where it has one, else the one of this site, which looks at the pictures itself.
import type { ConfigSection } from '@vedette/drivers/kit/config-section.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';

/** `device` null: the driver knows no such section. */
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
