// Returns the fault with which a driver's call fails, for tests of refusals.
import { DeviceFault } from '../kit/device-fault.ts';

/** @throws Error where the work succeeds, and whatever else it fails with */
export async function faultOf(work: Promise<unknown>): Promise<DeviceFault> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DeviceFault) return error;
    throw error;
  }
  throw new Error('no fault');
}
