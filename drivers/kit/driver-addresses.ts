// Interface of a driver's addresses: what is typed, what is asked and what is kept, without any connection.
import type { DeviceCredentials, DeviceNative } from './driver.ts';

export interface ParsedUrl {
  /** Without user and password. */
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
}

/** One per driver; a row of addresses.ts. Pure, because the server imports it too. */
export interface DriverAddresses {
  /** Of the URLs that are this driver's: `rtsp:`. */
  readonly schemes: readonly string[];
  /** Where its devices usually listen, in the order of asking. */
  readonly ports: readonly number[];
  /** The URL to ask where only a host is known; `host` as in a URL. */
  urlAt(host: string, port: number): string;
  /** Of a URL with one of its schemes; null for one that is no address of a device. */
  parse(text: string): ParsedUrl | null;
  /** What is kept of a device that was never asked. `target` is a URL, or a host with or without a port; without credentials. */
  unasked(target: string): DeviceNative;
  /** The URL that is dialled first; undefined where the record has none. */
  dialled(native: DeviceNative): string | undefined;
}
