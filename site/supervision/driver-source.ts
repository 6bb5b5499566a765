// A media source whose address comes from the driver: asks for it, pulls over RTSP, and asks again when the device no longer accepts the address.

import { DeviceFault, type DeviceFaultKind } from '@vedette/drivers/kit/device-fault.ts';
import type { Driver, StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import { rtspDial } from '@vedette/drivers/kit/outbound/rtsp-dial.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { retryDelayMs } from '@vedette/media/source/backoff.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { MediaSource, OpenSource } from '@vedette/media/stream/source.ts';
import { createSourceCounters, type SourceCounters } from '@vedette/media/stream/source-counters.ts';
import type { SourceFailure, SourceState, StreamConsumer } from '@vedette/media/stream/stream.ts';
import { randomFraction, randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface DriverSourceOptions {
  readonly driver: Driver;
  readonly channelNo: number;
  readonly quality: StreamQuality;
  readonly context: DriverContext;
  readonly clock: Clock;
  readonly signInLimiter: SignInLimiter;
}

export function driverSource(options: DriverSourceOptions): OpenSource {
  return (consumer) => new DriverSource(options, consumer);
}

class DriverSource implements MediaSource {
  readonly #options: DriverSourceOptions;
  readonly #consumer: StreamConsumer;
  readonly #closing = new AbortController();
  readonly #ownCounters = createSourceCounters();
  #inner: MediaSource | null = null;
  #wake: () => void = () => undefined;
  #askAgain: () => void = () => undefined;
  readonly #finished: Promise<void>;

  constructor(options: DriverSourceOptions, consumer: StreamConsumer) {
    this.#options = options;
    this.#consumer = consumer;
    this.#finished = this.#run();
  }

  get counters(): Readonly<SourceCounters> {
    return this.#inner?.counters ?? this.#ownCounters;
  }

  get server(): string | null {
    return this.#inner?.server ?? null;
  }

  retryNow(): void {
    this.#wake();
    this.#inner?.retryNow();
  }

  requestKeyframe(): void {
    this.#inner?.requestKeyframe?.();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    this.#askAgain();
    await this.#finished;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      this.#consumer.state({ state: 'connecting', attempt });
      try {
        await this.#pull();
        attempt = 0;
      } catch (error) {
        if (signal.aborted) break;
        await this.#failed(failureOf(error), attempt);
      }
    }
    this.#consumer.state({ state: 'closed' });
  }

  /** Ends when the source is closed or its address is no longer good. */
  async #pull(): Promise<void> {
    const { driver, channelNo, quality, context, clock, signInLimiter } = this.#options;
    const channel = await driver.channel(channelNo, this.#closing.signal);
    const { url, credentials } = await channel.source(quality, this.#closing.signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#askAgain = resolve;
    const inner = openRtspSource({
      url,
      credentials,
      dial: rtspDial(context),
      clock,
      random: randomFraction,
      clientNonce: () => randomHex(8),
      signInLimiter,
      consumer: this.#filter(resolve),
      ...(channel.keyframe && { askForKeyframe: async () => await channel.keyframe?.(quality, this.#closing.signal) }),
    });
    this.#inner = inner;
    if (this.#closing.signal.aborted) resolve();
    await promise;
    await inner.close();
    this.#inner = null;
    if (!this.#closing.signal.aborted) await this.#sleep(retryDelayMs('not-found', 1, randomFraction()));
  }

  /** The inner source's own end is not the stream's end. */
  #filter(askAgain: () => void): StreamConsumer {
    const consumer = this.#consumer;
    return {
      ...(consumer.slabs && { slabs: consumer.slabs }),
      get isPatient() {
        return consumer.isPatient === true;
      },
      format: (format) => consumer.format(format),
      accessUnit: (unit) => consumer.accessUnit(unit),
      discontinuity: (reason) => consumer.discontinuity(reason),
      state: (state: SourceState) => {
        if (state.state === 'closed') return;
        consumer.state(state);
        if (state.state === 'failed' && state.reason === 'not-found') askAgain();
      },
    };
  }

  async #failed(reason: SourceFailure, attempt: number): Promise<void> {
    const { clock } = this.#options;
    const delay = retryDelayMs(reason, attempt, randomFraction());
    this.#consumer.state({ state: 'failed', reason, retryAt: Math.round(clock.wallMs() + delay) });
    await this.#sleep(delay);
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
  }
}

const FAILURES: Partial<Record<DeviceFaultKind, SourceFailure>> = {
  auth: 'authentication',
  locked: 'authentication',
  timeout: 'timeout',
  unreachable: 'unreachable',
  'name-not-found': 'unreachable',
  'address-refused': 'refused-address',
  untrusted: 'untrusted',
  misbehaving: 'misbehaving',
  interrupted: 'timeout',
  'other-protocol': 'protocol',
  'no-video': 'no-video',
  'unsupported-codec': 'unsupported-codec',
  'not-found': 'not-found',
  'unknown-channel': 'not-found',
};

function failureOf(error: unknown): SourceFailure {
  return error instanceof DeviceFault ? (FAILURES[error.kind] ?? 'protocol') : 'protocol';
}
