// Plain HTTP requests to a device, authenticated by digest (or Basic) as the device asks.
import { Authenticator } from '@vedette/protocols/http-digest/authenticator.ts';
import { DeviceFault } from './device-fault.ts';
import type { DeviceCredentials } from './driver.ts';
import type { DriverContext, OutboundRequest, OutboundResponse } from './driver-context.ts';

/** Per realm: nonces are not valid across realms. */
export class SignedHttp {
  readonly #context: DriverContext;
  readonly #authenticator: Authenticator;

  constructor(context: DriverContext, credentials: DeviceCredentials | null, allowBasic: boolean) {
    this.#context = context;
    this.#authenticator = new Authenticator({ secret: credentials, randomBytes: context.randomBytes, allowBasic });
  }

  /** Gets the challenge before a large body is sent, which a 401 would interrupt. */
  async greet(url: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const { status, headers } = await this.#context.http({ url, method: 'GET', timeoutMs, maxBytes: 1 << 20, signal });
    if (status === 401) this.#authenticator.challenged(headers.get('www-authenticate') ?? [], null);
  }

  /** Any status except 401, which is DeviceFault `auth`. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { pathname, search } = new URL(request.url);
    for (;;) {
      const authorization = this.#authenticator.authorize({ method: request.method, uri: pathname + search });
      const headers = { ...request.headers, ...(authorization === null ? {} : { authorization }) };
      const response = await this.#context.http({ ...request, headers });
      if (response.status !== 401) return response;
      const offered = response.headers.get('www-authenticate') ?? [];
      if (!this.#authenticator.challenged(offered, authorization)) {
        throw new DeviceFault('auth', 'the device refuses these credentials', { fault: 'HTTP 401' });
      }
    }
  }
}
