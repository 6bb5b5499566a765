// Requests to a maker's own interface at the address where the device answered, signed by digest, bounded in time and size.
import { CallQueue } from '../kit/call-queue.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { DeviceCredentials } from '../kit/driver.ts';
import type { DriverContext, OutboundResponse } from '../kit/driver-context.ts';
import { SignedHttp } from '../kit/signed-http.ts';

const TIMEOUT_MS = 6000;
const MOST_BYTES = 512 * 1024;
const REUSE_MS = 1000;

export interface VendorHttpOptions {
  readonly context: DriverContext;
  readonly credentials: DeviceCredentials | null;
  /** Of the device as it was dialled; its path does not count. */
  readonly origin: string;
}

export class VendorHttp {
  readonly context: DriverContext;
  readonly #origin: string;
  readonly #signed: SignedHttp;
  readonly #queue: CallQueue;

  constructor({ context, credentials, origin }: VendorHttpOptions) {
    this.context = context;
    this.#origin = origin;
    // A password in the clear is not worth a slider.
    this.#signed = new SignedHttp(context, credentials, false);
    this.#queue = new CallQueue({ monotonicMs: context.clock.monotonicMs, reuseMs: REUSE_MS });
  }

  async get(path: string, signal?: AbortSignal): Promise<Buffer> {
    const run = async () => bodyOf(await this.#send('GET', path, undefined, undefined), path);
    const body = await this.#queue.read({ key: path, run });
    signal?.throwIfAborted();
    return body;
  }

  /** A GET that changes something: these have their arguments in the address. */
  async order(path: string, signal?: AbortSignal): Promise<Buffer> {
    return await this.#queue.write(async () => bodyOf(await this.#send('GET', path, undefined, signal), path));
  }

  async put(path: string, body: string, signal?: AbortSignal): Promise<Buffer> {
    return await this.#queue.write(async () => bodyOf(await this.#send('PUT', path, body, signal), path));
  }

  /** The bare answer, whatever its status. */
  async look(path: string, signal?: AbortSignal): Promise<OutboundResponse> {
    return await this.#send('GET', path, undefined, signal);
  }

  async #send(
    method: 'GET' | 'PUT',
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<OutboundResponse> {
    return await this.#signed.send({
      url: `${this.#origin}${path}`,
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/xml' } }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      signal,
    });
  }
}

/** Statuses of what a device does not have, or has and may not be reached by this account. */
const LACKING = new Set([400, 403, 404, 405, 501]);

function bodyOf({ status, body }: OutboundResponse, path: string): Buffer {
  if (status >= 200 && status < 300) return body;
  const where = path.split('?')[0] ?? '';
  if (LACKING.has(status)) throw new DeviceFault('not-supported', `${where} answers ${status}`);
  throw new DeviceFault('device', `${where} answers ${status}`, { fault: `HTTP ${status}` });
}
