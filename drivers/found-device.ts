// A device found by a network search: its address and what it announces before sign-in.
import type { DriverId } from './registry.ts';

export interface FoundDevice {
  readonly driver: DriverId;
  /** What `probe` is to be given. */
  readonly target: string;
  /** Endpoint reference of WS-Discovery; empty where the device was found by its address. */
  readonly endpoint: string;
  /** The name it calls itself, or ''. */
  readonly name: string;
  readonly model: string;
}

/** Most devices of one search: a network that answers with more is not a network of cameras. */
export const foundMax = 1000;
