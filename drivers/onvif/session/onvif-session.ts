// Session with an ONVIF device: service addresses, the call queue, and backoff after refused logins.
import { Authenticator } from '@vedette/protocols/http-digest/authenticator.ts';
import { getCapabilities, getServices } from '@vedette/protocols/onvif/device-operations.ts';
import { type ServiceName, serviceNamespaces } from '@vedette/protocols/onvif/namespaces.ts';
import type { Operation } from '@vedette/protocols/onvif/operation.ts';
import { withoutEndSlashes } from '@vedette/protocols/text/trim-end.ts';
import { CallQueue } from '../../kit/call-queue.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { DeviceCredentials } from '../../kit/driver.ts';
import type { DriverContext } from '../../kit/driver-context.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { type DialledDevice, serviceUrl } from './device-address.ts';
import type { AuthMode } from './soap-auth.ts';
import { type CallExtras, SoapExchange } from './soap-exchange.ts';

export interface OnvifSessionOptions {
  readonly context: DriverContext;
  readonly device: DialledDevice;
  readonly credentials: DeviceCredentials | null;
  /** What served last time, from the saved address record. */
  readonly authMode: AuthMode | null;
}

const reuseMs = 1_000;
/** Cameras lock accounts after a few wrong passwords, so each refusal keeps us quiet longer. */
const restAfterRefusalMs = [2_000, 30_000, 300_000] as const;

export type ServiceAddresses = ReadonlyMap<ServiceName, string>;

export class OnvifSession {
  readonly device: DialledDevice;
  readonly context: DriverContext;
  readonly credentials: DeviceCredentials | null;
  /** Snapshots have a challenge of their own; many cameras know only Basic here. */
  readonly snapshotAuth: Authenticator;
  readonly #exchange: SoapExchange;
  readonly #queue: CallQueue;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #operations = new Map<object, number>();
  #services: Promise<ServiceAddresses> | null = null;
  /** Also those of GetCapabilities were asked for. */
  #hasMerged = false;
  #refusals = 0;
  #refusal: { readonly fault: DeviceFault; readonly until: number } | null = null;

  constructor({ context, device, credentials, authMode }: OnvifSessionOptions) {
    this.device = device;
    this.context = context;
    this.credentials = credentials;
    this.snapshotAuth = new Authenticator({
      secret: credentials,
      randomBytes: context.randomBytes,
      allowBasic: true,
    });
    this.#signal = AbortSignal.any([context.signal, this.#closing.signal]);
    this.#exchange = new SoapExchange({ context, deviceUrl: device.url, credentials, authMode, signal: this.#signal });
    this.#queue = new CallQueue({ monotonicMs: context.clock.monotonicMs, reuseMs });
  }

  get clockOffsetMs(): number | null {
    return this.#exchange.clockOffsetMs;
  }

  get authMode(): AuthMode | null {
    return this.#exchange.authMode;
  }

  /** Aborts when the driver closes. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** `isFresh`: what it answered a moment ago does not do. */
  async call<Q, S>(op: Operation<Q, S>, request: Q, signal?: AbortSignal, isFresh = false): Promise<S> {
    // Asked for before a place in the queue is taken, since asking may need one itself.
    const url = await raceSignal(this.serviceUrl(op.service), signal);
    const run = () => this.#run(op, request, url);
    const key = op.kind === 'cursor' || isFresh ? null : `${this.#numberOf(op)} ${JSON.stringify(request)}`;
    const answer = op.kind === 'write' ? this.#queue.write(run) : this.#queue.read({ key, run });
    return await raceSignal(raceSignal(answer, this.#signal), signal);
  }

  /**
   * Past the queue, since the device holds the answer back, and to an address of its own. A signal of `extras` stands in
   * place of the session's.
   */
  async callAt<Q, S>(op: Operation<Q, S>, request: Q, url: URL, extras: CallExtras): Promise<S> {
    return await this.#run(op, request, url, extras);
  }

  /** Throws DeviceFault `not-supported` where the device has none. */
  async serviceUrl(service: ServiceName): Promise<URL> {
    if (service === 'device') return this.device.url;
    const advertised = (await this.services()).get(service);
    if (advertised === undefined) throw new DeviceFault('not-supported', `the device has no ${service} service`);
    return serviceUrl(this.device, advertised);
  }

  /** Addresses as the device names them. */
  services(): Promise<ServiceAddresses> {
    this.#services ??= this.#readServices().catch((error: unknown) => {
      this.#services = null;
      throw error;
    });
    return this.#services;
  }

  /**
   * The addresses again, with those that only the older list names, where one is missing that the device's profiles
   * speak of: some leave a service out of GetServices. Asked for once.
   */
  async servicesWith(name: ServiceName): Promise<ServiceAddresses> {
    const services = await this.services();
    if (services.has(name) || this.#hasMerged) return services;
    this.#hasMerged = true;
    const merged = new Map(services);
    try {
      await this.#addCapabilities(merged);
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'not-supported' || error.kind === 'device')) throw error;
      return services;
    }
    this.#services = Promise.resolve(merged);
    return merged;
  }

  forget(): void {
    this.#hasMerged = false;
    this.#services = null;
    this.#exchange.forgetClock();
  }

  close(): void {
    this.#closing.abort(new DOMException('the driver was closed', 'AbortError'));
  }

  /** Two operations may ask the same of the device and read its answer differently. */
  #numberOf(op: object): number {
    const known = this.#operations.get(op) ?? this.#operations.size;
    this.#operations.set(op, known);
    return known;
  }

  async #readServices(): Promise<ServiceAddresses> {
    const services = new Map<ServiceName, string>();
    try {
      const { Service } = await this.call(getServices, { IncludeCapability: false });
      for (const { Namespace, XAddr } of Service) {
        const name = serviceNames.get(withoutEndSlashes(Namespace));
        if (name !== undefined) services.set(name, XAddr);
      }
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'not-supported' || error.kind === 'device')) throw error;
      this.context.log.debug({ fault: error.fault }, 'GetServices failed, asking for capabilities');
    }
    if (!services.has('media') && !services.has('media2')) await this.#addCapabilities(services);
    return services;
  }

  /** The older list, for devices before ONVIF 2.0 and those whose GetServices is broken. */
  async #addCapabilities(services: Map<ServiceName, string>): Promise<void> {
    const { Capabilities: found } = await this.call(getCapabilities, { Category: ['All'] });
    const { DeviceIO, Recording, Search, Replay } = found.Extension ?? {};
    const capabilities: readonly (readonly [ServiceName, { readonly XAddr?: string | undefined } | undefined])[] = [
      ['media', found.Media],
      ['events', found.Events],
      ['ptz', found.PTZ],
      ['imaging', found.Imaging],
      ['analytics', found.Analytics],
      ['deviceIo', DeviceIO],
      ['recording', Recording],
      ['search', Search],
      ['replay', Replay],
    ];
    for (const [name, capability] of capabilities) {
      const address = capability?.XAddr ?? '';
      if (address !== '' && !services.has(name)) services.set(name, address);
    }
  }

  async #run<Q, S>(op: Operation<Q, S>, request: Q, url: URL, extras: CallExtras = {}): Promise<S> {
    const { clock } = this.context;
    if (this.#refusal !== null && clock.monotonicMs() < this.#refusal.until) throw this.#refusal.fault;
    try {
      const answer = await this.#exchange.send(op, request, url, extras);
      this.#refusals = 0;
      this.#refusal = null;
      return answer;
    } catch (error) {
      if (error instanceof DeviceFault && (error.kind === 'auth' || error.kind === 'locked')) this.#noteRefusal(error);
      throw error;
    }
  }

  #noteRefusal(fault: DeviceFault): void {
    const rest = restAfterRefusalMs[Math.min(this.#refusals, restAfterRefusalMs.length - 1)] ?? 0;
    this.#refusals += 1;
    // Credentials that served before and are refused once lack a right; the other calls may go on.
    const isRight = this.authMode !== null && this.#refusals < restAfterRefusalMs.length && fault.kind === 'auth';
    if (!isRight) this.#refusal = { fault, until: this.context.clock.monotonicMs() + rest };
  }
}

const serviceNames: ReadonlyMap<string, ServiceName> = new Map(
  Object.entries(serviceNamespaces).map(([name, namespace]) => [namespace, name as ServiceName]),
);
