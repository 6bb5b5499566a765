// A device found by a network search: its address and what it announces before sign-in.
import type { DriverId } from './registry.ts';

export interface FoundDevice {
  readonly driver: DriverId;
  /** Input of `probe`. */
  readonly target: string;
  /** Endpoint reference of WS-Discovery; empty if found by address. */
  readonly endpoint: string;
  /** The name it calls itself, or ''. */
  readonly name: string;
  readonly model: string;
}

/** Limit of devices per search. */
export const foundMax = 1000;
