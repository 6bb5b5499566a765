// Supervises one device: opens its driver, tracks whether and why it is offline, and provides its streams.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import { isIP } from 'node:net';
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import type { DeviceReason } from '@vedette/contract/errors.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceDescription, Driver, StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import type { DriverContext, DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { EventMemory } from '@vedette/drivers/kit/event-feed.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import { DeviceListener } from './device-listener.ts';
import { driverSource } from './driver-source.ts';
import { untilReachable } from './reachability-probe.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import { wait } from '@vedette/foundation/time/wait.ts';

export interface DeviceState {
  /** 1 online, 0 offline, -1 not known yet. */
  readonly status: 0 | 1 | -1;
  readonly reason: DeviceReason | null;
}

export interface DeviceSupervisorOptions {
  readonly deviceSerial: string;
  readonly driver: Driver;
  readonly trust: DeviceTrust;
  readonly context: DriverContext;
  readonly clock: Clock;
  readonly signInLimiter: SignInLimiter;
  readonly log: DriverLog;
  /** A stream of the device delivers pictures at present: proof enough that it is online. */
  readonly isDelivering: () => boolean;
  /** How often to knock at a device that is away. */
  readonly probeEveryMs: () => number;
  readonly onState: (state: DeviceState) => void;
  /** The device answers (again): its streams need not wait for their next try. */
  readonly onReturned: () => void;
  readonly onDescribed: (description: DeviceDescription) => void;
  readonly memory: EventMemory;
  readonly onEvent: (event: DeviceEvent) => void;
}

const CHECK_EVERY_MS = 15_000;
/** One failed check may be chance. */
const FAILURES_UNTIL_OFFLINE = 2;
/** Where nothing takes the connection at all, it is soon known whether that was chance. */
const RETRY_SHUT_MS = 200;
const RETRY_FIRST_MS = 1500;
/** A device that came back is found within this, also where no knock is heard. */
const RETRY_MAX_MS = 5000;
/** Refused credentials stay refused; tries count towards locking the device's account. */
const RETRY_SIGN_IN_MS = 60_000;
/** After looks that somebody asked for and that found nothing amiss: ever further apart. What goes down breaks one line after the other. */
const FIRST_CHECKS_APART_MS = 250;
const CHECKS_APART_MS = 5000;
const CHECK_TIMEOUT_MS = 10_000;
const JITTER = 0.2;

export class DeviceSupervisor {
  readonly #options: DeviceSupervisorOptions;
  readonly #closing = new AbortController();
  readonly #listener: DeviceListener;
  #state: DeviceState = { status: -1, reason: null };
  #description: DeviceDescription | null = null;
  #poked = new AbortController();
  /** A line that was there broke: unlike a stream that stays broken, that happens once. */
  #broke = new AbortController();
  /** When a look after such a break found nothing amiss, by the monotonic clock. */
  #brokeMs = -Infinity;
  /** To the last look itself, not only by a picture. */
  #hasAnswered = false;
  /** Looks in a row that somebody asked for and that found nothing amiss, and when the last was, by the monotonic clock. */
  #needless = 0;
  /** The last one was the first of them. */
  #isSurprised = false;
  #needlessMs = -Infinity;
  /** It took connections again, and did not serve yet. */
  #hasOpened = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DeviceSupervisorOptions) {
    this.#options = options;
    this.#listener = new DeviceListener({ ...options, onBroken: () => this.#broke.abort() });
  }

  /** Events held back since the device was assigned. */
  get droppedEvents(): number {
    return this.#listener.dropped;
  }

  get state(): DeviceState {
    return this.#state;
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
    this.#running = this.#watch();
  }

  /** Looks at a device that is online now, for example because a stream broke; one that is away is looked after anyway. */
  poke(): void {
    this.#poked.abort();
  }

  /** The quality the device will really give, so that two askers share one stream. */
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
    this.#poked.abort();
    this.#broke.abort();
    await Promise.all([this.#running, this.#listener.close()]);
    await this.#options.driver.close();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; ) {
      const isBroken = this.#isBreakHeard();
      const isPoked = this.#poked.signal.aborted;
      this.#poked = new AbortController();
      this.#broke = new AbortController();
      const fault = await this.#check(isPoked || isBroken || this.#isSurprised);
      if (signal.aborted) return;
      this.#countNeedless(isPoked && !isBroken, failures, fault);
      this.#isSurprised ||= isBroken && this.#hasAnswered;
      if (fault !== null) this.#brokeMs = -Infinity;
      else if (isBroken) this.#brokeMs = this.#options.clock.monotonicMs();
      failures = fault === null ? this.#noteAnswer(failures) : this.#noteFailure(fault, failures);
      await this.#pause(fault, failures);
    }
  }

  /** Both answer how often it has failed in a row. */
  #noteAnswer(failures: number): number {
    const isBack = failures > 0 || this.#state.status !== 1;
    this.#hasOpened = false;
    this.#setState({ status: 1, reason: null });
    if (isBack) {
      this.#options.onReturned();
      this.#listener.wake();
    }
    return 0;
  }

  #noteFailure(fault: DeviceReason, failures: number): number {
    const inRow = failures + 1;
    // A refusal, of ours or of the device, is no chance, and asking again brings a lock-out nearer.
    if (isRefusal(fault) || inRow >= FAILURES_UNTIL_OFFLINE || this.#state.status !== 1) {
      this.#setState({ status: 0, reason: fault });
    }
    return inRow;
  }

  /** One that breaks its lines again and again is not asked each time. */
  #isBreakHeard(): boolean {
    return this.#broke.signal.aborted && this.#options.clock.monotonicMs() - this.#brokeMs >= CHECKS_APART_MS;
  }

  /** `isPoked`: for no other reason it was asked. */
  #countNeedless(isPoked: boolean, failures: number, fault: DeviceReason | null): void {
    const isNeedless = isPoked && this.#hasAnswered && failures === 0;
    const wasAway = failures > 0 || fault !== null;
    const now = this.#options.clock.monotonicMs();
    if (wasAway || now - this.#needlessMs > CHECK_EVERY_MS / 2) this.#needless = 0;
    this.#isSurprised = isNeedless && this.#needless === 0;
    if (!isNeedless) return;
    this.#needless += 1;
    this.#needlessMs = now;
  }

  /** Null when the device answers and lets us in, else the reason. */
  async #check(isPoked: boolean): Promise<DeviceReason | null> {
    const { driver, isDelivering, onDescribed } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
    this.#hasAnswered = false;
    try {
      if (this.#description === null) {
        this.#description = await driver.describe(signal);
        onDescribed(this.#description);
      } else if (isPoked || !isDelivering()) {
        await driver.check(signal);
      } else return null;
      this.#hasAnswered = true;
      return null;
    } catch (error) {
      return this.#closing.signal.aborted ? null : this.#reasonAway(error);
    }
  }

  /** Null where the error says nothing against the device being there. */
  #reasonAway(error: unknown): DeviceReason | null {
    const { isDelivering, log, deviceSerial } = this.#options;
    const reason = reasonOf(error);
    // The drivers were started anew: that says nothing of the device.
    if (error instanceof DeviceFault && error.kind === 'interrupted') return this.#state.status === 1 ? null : reason;
    // A device that sends pictures is online, however its other services do, unless they harm us.
    if (isDelivering() && reason !== 'misbehaving') return null;
    if (reason !== this.#state.reason) log.warn({ deviceSerial, reason, err: error }, 'the device does not answer');
    return reason;
  }

  async #pause(fault: DeviceReason | null, failures: number): Promise<void> {
    const { clock } = this.#options;
    // What just broke may have been the first of more.
    const usualMs = this.#isSurprised ? FIRST_CHECKS_APART_MS : restAfter(fault, failures);
    const restMs = usualMs * (1 + JITTER * randomFraction());
    if (fault !== null) return await this.#restAway(fault, restMs, failures);
    const { signal: closing } = this.#closing;
    await wait(clock, restMs, AbortSignal.any([closing, this.#poked.signal, this.#broke.signal]));
    if (!this.#poked.signal.aborted && !this.#broke.signal.aborted) return;
    if (this.#isBreakHeard()) return;
    // Streams that stay broken on a device that answers must not have it asked all the time.
    const apart = { firstMs: FIRST_CHECKS_APART_MS, maxMs: CHECKS_APART_MS };
    const apartMs = backoffDelayMs(this.#needless - 1, 0, apart);
    const sinceMs = clock.monotonicMs() - this.#needlessMs;
    const until = this.#broke.signal.aborted ? closing : AbortSignal.any([closing, this.#broke.signal]);
    await wait(clock, apartMs - sinceMs, until);
  }

  /** Ends early when a device that took no connection takes one. */
  async #restAway(fault: DeviceReason, restMs: number, failures: number): Promise<void> {
    const { clock, context, driver, probeEveryMs } = this.#options;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, over.signal]);
    const rest = wait(clock, restMs, signal).then(() => false);
    const { endpoint } = driver;
    // Names are left to the usual tries: each knock would look them up.
    const isProbed = (fault === 'unreachable' || fault === 'timeout') && isIP(bare(endpoint.host)) !== 0;
    const isUnreachable = fault === 'unreachable' && !this.#hasOpened;
    const everyMs = () => Math.max(probeEveryMs(), tiredMs(failures));
    const opened = isProbed ? untilReachable({ endpoint, context, clock, everyMs, signal, isUnreachable }) : rest;
    if (await Promise.race([rest, opened])) this.#hasOpened = true;
    over.abort();
    await Promise.all([rest, opened]);
  }

  #setState(state: DeviceState): void {
    if (state.status === this.#state.status && state.reason === this.#state.reason) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

/** Without the brackets of an IPv6 address in a URL. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/gu, '');
}

function restAfter(fault: DeviceReason | null, failures: number): number {
  if (fault === null) return CHECK_EVERY_MS;
  if (isRefusal(fault)) return RETRY_SIGN_IN_MS;
  if (fault === 'unreachable' && failures < FAILURES_UNTIL_OFFLINE) return RETRY_SHUT_MS;
  return backoffDelayMs(failures - 1, 0, { firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS });
}

/** Tries are a minute apart in the end: away for an hour it is knocked at once a second, for five hours and more every five. */
function tiredMs(failures: number): number {
  return Math.min(5000, (failures * 1000) / 60);
}

function isRefusal(reason: DeviceReason): boolean {
  return reason === 'deviceAuth' || reason === 'untrusted' || reason === 'misbehaving';
}

function reasonOf(error: unknown): DeviceReason {
  if (error instanceof DeviceFault) return deviceError(error).data.reason ?? 'fault';
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'fault';
}

/** The part of an assignment a new driver is needed for. */
export function connectionOf(assignment: DeviceAssignment): string {
  const { driver, native, user, password, isOperatorAddress } = assignment;
  return JSON.stringify([driver, native, user, password, isOperatorAddress]);
}
