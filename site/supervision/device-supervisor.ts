// Supervises one device: performs its checks and probes, publishes whether and why it is offline, and provides its streams.
import { isIP } from 'node:net';
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import type { DeviceReason } from '@vedette/contract/errors.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceDescription, Driver, StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { DriverContext, DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { EventMemory } from '@vedette/drivers/kit/event-feed.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import { DeviceListener } from './device-listener.ts';
import { type CheckOutcome, type DeviceState, deviceStateOf } from './device-presence.ts';
import { driverSource } from './driver-source.ts';
import { untilReachable } from './reachability-probe.ts';
import {
  type DeviceFacts,
  type Supervision,
  type SupervisionEffect,
  type SupervisionEvent,
  supervisionStep,
  UNSUPERVISED,
} from './supervision-step.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';

export interface DeviceSupervisorOptions {
  readonly deviceSerial: string;
  readonly driver: Driver;
  readonly trust: DeviceTrust;
  readonly context: DriverContext;
  readonly clock: Clock;
  readonly signInLimiter: SignInLimiter;
  readonly log: DriverLog;
  /** A stream of the device delivers frames at present: proof enough that it is online. */
  readonly isDelivering: () => boolean;
  /** How often to probe a device that is away. */
  readonly probeEveryMs: () => number;
  readonly onState: (state: DeviceState) => void;
  /** The device answers (again): its streams need not wait for their next attempt. */
  readonly onReturned: () => void;
  readonly onDescribed: (description: DeviceDescription) => void;
  readonly memory: EventMemory;
  readonly onEvent: (event: DeviceEvent) => void;
}

const CHECK_TIMEOUT_MS = 10_000;

export class DeviceSupervisor {
  readonly #options: DeviceSupervisorOptions;
  readonly #closing = new AbortController();
  readonly #listener: DeviceListener;
  #supervision: Supervision = UNSUPERVISED;
  /** Events that effects caused: each is stepped after the effects of the one before. */
  readonly #events: SupervisionEvent[] = [];
  #isStepping = false;
  #description: DeviceDescription | null = null;
  #endRest: () => void = () => undefined;
  #endProbe: () => void = () => undefined;
  #checking: Promise<void> = Promise.resolve();
  #probing: Promise<void> = Promise.resolve();

  constructor(options: DeviceSupervisorOptions) {
    this.#options = options;
    this.#listener = new DeviceListener({ ...options, onBroken: () => this.#dispatch({ type: 'broke' }) });
  }

  /** Events held back since the device was assigned. */
  get droppedEvents(): number {
    return this.#listener.dropped;
  }

  get state(): DeviceState {
    return deviceStateOf(this.#supervision.presence);
  }

  get description(): DeviceDescription | null {
    return this.#description;
  }

  get trust(): DeviceTrust {
    return this.#options.trust;
  }

  get driver(): Driver {
    return this.#options.driver;
  }

  start(): void {
    this.#dispatch({ type: 'rested', facts: this.#facts() });
  }

  /** Requests a check of a device that is online, for example because a stream broke; one that is away is checked anyway. */
  poke(): void {
    this.#dispatch({ type: 'poked' });
  }

  /** The quality the device will really give, so that two consumers share one stream. */
  nearestQuality(channelNo: number, quality: StreamQuality): StreamQuality {
    const channel = this.#description?.channels.find((one) => one.channelNo === channelNo);
    const offered = (channel?.streams ?? []).map((stream) => stream.quality).sort((a, b) => a - b);
    return offered.filter((one) => one <= quality).at(-1) ?? offered[0] ?? quality;
  }

  open(channelNo: number, quality: StreamQuality): OpenSource {
    const { driver, context, clock, signInLimiter } = this.#options;
    return driverSource({ driver, channelNo, quality, context, clock, signInLimiter });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endRest();
    this.#endProbe();
    await Promise.all([this.#checking, this.#probing, this.#listener.close()]);
    await this.#options.driver.close();
  }

  #dispatch(event: SupervisionEvent): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) this.#step(next);
    } finally {
      this.#isStepping = false;
    }
  }

  #step(event: SupervisionEvent): void {
    if (this.#closing.signal.aborted) return;
    const { state, effects } = supervisionStep(this.#supervision, event, this.#options.clock.monotonicMs());
    this.#supervision = state;
    for (const effect of effects) if (!this.#closing.signal.aborted) this.#perform(effect);
  }

  #perform(effect: SupervisionEffect): void {
    const { onState, onReturned, log, deviceSerial } = this.#options;
    switch (effect.kind) {
      case 'check':
        this.#endRest();
        this.#endProbe();
        this.#checking = this.#check();
        return;
      case 'rest':
        return this.#rest(effect.ms);
      case 'probe':
        this.#probing = this.#probe(effect.isUnreachable, effect.leastMs);
        return;
      case 'publish':
        return onState(effect.state);
      case 'returned':
        onReturned();
        return this.#listener.retry();
      case 'log':
        return log.warn({ deviceSerial, reason: effect.fault, err: effect.error }, 'the device does not answer');
    }
  }

  #facts(): DeviceFacts {
    const isDelivering = this.#options.isDelivering();
    return { isDescribed: this.#description !== null, isDelivering, random: randomFraction() };
  }

  #rest(ms: number): void {
    this.#endRest();
    this.#endProbe();
    const rested = () => this.#dispatch({ type: 'rested', facts: this.#facts() });
    if (ms > 0) this.#endRest = this.#options.clock.after(ms, rested);
    else rested();
  }

  async #check(): Promise<void> {
    const outcome = await this.#outcome();
    this.#dispatch({ type: 'checked', outcome, facts: this.#facts() });
  }

  async #outcome(): Promise<CheckOutcome> {
    const { driver, onDescribed } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
    try {
      if (this.#description === null) {
        this.#description = await driver.describe(signal);
        onDescribed(this.#description);
      } else {
        await driver.check(signal);
      }
      return { kind: 'answered' };
    } catch (error) {
      const fault = reasonOf(error);
      const isInterrupted = error instanceof DeviceFault && error.kind === 'interrupted';
      return isInterrupted ? { kind: 'interrupted', fault } : { kind: 'failed', fault, error };
    }
  }

  async #probe(isUnreachable: boolean, leastMs: number): Promise<void> {
    const { clock, context, driver, probeEveryMs } = this.#options;
    const { endpoint } = driver;
    // Names are left to the checks: each probe would look them up.
    if (isIP(bare(endpoint.host)) === 0) return;
    const over = new AbortController();
    this.#endProbe = () => over.abort();
    const everyMs = () => Math.max(probeEveryMs(), leastMs);
    const hasAccepted = await untilReachable({ endpoint, context, clock, everyMs, signal: over.signal, isUnreachable });
    if (hasAccepted && !over.signal.aborted) this.#dispatch({ type: 'accepted', facts: this.#facts() });
  }
}

/** Without the brackets of an IPv6 address in a URL. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/gu, '');
}

function reasonOf(error: unknown): DeviceReason {
  if (error instanceof DeviceFault) return deviceError(error).data.reason ?? 'fault';
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'fault';
}
