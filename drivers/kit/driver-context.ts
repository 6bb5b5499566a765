// Everything a driver may use: outbound HTTP and TCP under the network policy, a clock, randomness, a log.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { OnReadOpts, Socket } from 'node:net';

export interface BodySource {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
  /** Bytes passed to the connection so far. */
  onSent?(bytes: number): void;
}

export interface OutboundRequest {
  /** http or https, without user and password. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Stream instead of `body`, for large content. */
  readonly source?: BodySource;
  /** From dialling to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; repeated headers stay separate, so that two `WWW-Authenticate` headers stay two. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

export interface DialTarget {
  /** Name or address; brackets around an IPv6 address are allowed. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Reads into the caller's buffer instead of emitting `data` (the RTSP client does). */
  readonly onread?: OnReadOpts | undefined;
}

/** Both reject with DeviceFault `address-refused`, `name-not-found`, `unreachable`, `timeout` or `other-protocol`, or with the signal's reason. */
export interface OutboundClient {
  /** Redirects are not followed: a 3xx answer is returned as it is. */
  http(request: OutboundRequest): Promise<OutboundResponse>;
  dial(target: DialTarget): Promise<Socket>;
}

/** Shaped so that a pino logger fits. */
export interface DriverLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface DriverContext extends OutboundClient {
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Buffer;
  readonly log: DriverLog;
  /** Aborts everything the driver has running. */
  readonly signal: AbortSignal;
}
