// Messages between the recorder's event loop and the drivers' loop: plain values of bounded size.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { DeviceFaultKind } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceNative, DeviceEndpoint } from '@vedette/drivers/kit/driver.ts';
import type { PtzAxis, PtzSwitch } from '@vedette/drivers/kit/ptz.ts';
import type { ParsedTarget } from '@vedette/drivers/probe-target.ts';
import type { AddressRange } from '@vedette/drivers/scan-range.ts';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import type { TrustBreach } from '@vedette/drivers/kit/device-trust.ts';

/** Never logged. */
export interface WireCredentials {
  readonly user: string;
  readonly password: string;
}

export interface LoopSettings {
  readonly cameraNetworks: readonly string[];
  readonly ownPorts: readonly number[];
}

/** Requests of one context; drivers and channels are named by number. */
export type Order =
  | { readonly on: 'probe'; readonly target: ParsedTarget; readonly credentials: WireCredentials | null }
  | { readonly on: 'discover'; readonly place: DiscoveryPlace }
  | { readonly on: 'scan'; readonly range: AddressRange; readonly ports: readonly number[] | null }
  | { readonly on: 'driver'; readonly driver: number; readonly name: string; readonly input: unknown }
  | {
      readonly on: 'channel';
      readonly driver: number;
      readonly channelNo: number;
      readonly name: string;
      readonly input: readonly unknown[];
    };

/** `context`: one device, candidate or search, with its own pinned trust and budget. */
export type ToLoop =
  | { readonly kind: 'settings'; readonly settings: LoopSettings }
  | {
      readonly kind: 'context';
      readonly context: number;
      readonly isOperator: boolean;
      readonly trust: DeviceNative | null;
      readonly isMetered: boolean;
    }
  | { readonly kind: 'contextEnd'; readonly context: number }
  | { readonly kind: 'trust'; readonly context: number; readonly record: DeviceNative }
  | {
      readonly kind: 'open';
      readonly context: number;
      readonly driver: number;
      readonly id: string;
      readonly native: DeviceNative;
      readonly credentials: WireCredentials | null;
    }
  | { readonly kind: 'refresh'; readonly context: number; readonly driver: number }
  | { readonly kind: 'call'; readonly context: number; readonly call: number; readonly order: Order }
  | { readonly kind: 'abort'; readonly call: number }
  /** Data for a running call, as it requested. */
  | { readonly kind: 'tell'; readonly call: number; readonly told: unknown };

/** Use of a context in the last minute, and the budget it exceeds. */
export interface BudgetOverrun {
  readonly what: 'cpu' | 'bytes';
  readonly spent: number;
}

export type FromLoop =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly call: number; readonly fault: WireFault }
  | { readonly kind: 'told'; readonly call: number; readonly told: unknown }
  | { readonly kind: 'trust'; readonly context: number; readonly record: DeviceNative }
  | { readonly kind: 'breach'; readonly context: number; readonly breach: TrustBreach }
  | { readonly kind: 'over'; readonly context: number; readonly over: BudgetOverrun };

export interface WireFault {
  readonly name: string;
  readonly message: string;
  /** For a DeviceFault; null for any other error. */
  readonly kind: DeviceFaultKind | null;
  readonly fault: string | null;
  /** Message of the first cause, for the log. */
  readonly cause: string | null;
}

/** Capabilities of a channel, so that absent members stay absent on the other side. */
export interface ChannelShape {
  readonly members: readonly string[];
  readonly ptz: {
    readonly axes: readonly PtzAxis[];
    readonly switches: readonly PtzSwitch[];
    readonly hasPresets: boolean;
    readonly hasTours: boolean;
  } | null;
  readonly config: {
    readonly sections: readonly SectionName[];
    readonly switchesOutputs: boolean;
    readonly formatsDisks: boolean;
  } | null;
}

/** Capabilities of a driver; known without contacting the device. */
export interface DriverShape {
  readonly endpoint: DeviceEndpoint;
  readonly canReboot: boolean;
  readonly canUpgrade: boolean;
  readonly listens: boolean;
}

/** Slots of the memory that both loops see. */
export const SLOT = { beat: 0, owner: 1, count: 2 } as const;
