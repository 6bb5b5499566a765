// Pulls one stream of one device over RTSP while it is wanted: connects, monitors, reconnects with backoff.
import { parseRtspUrl } from '@vedette/protocols/rtsp/request-url.ts';
import { RtspError, type RtspErrorCode } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { AudioFormat, MediaFormat, SourceFailure } from '../stream/stream.ts';
import { retryDelayMs } from './backoff.ts';
import type { RtspSourceOptions } from './rtsp-source-options.ts';
import { KeyframeRequest } from './keyframe-request.ts';
import type { MediaSource } from '../stream/source.ts';
import { createSourceCounters, type SourceCounters } from '../stream/source-counters.ts';
import { type ReaderEvents, RtspAttempt } from './rtsp-attempt.ts';
import { TrackTimeline } from './track-timeline.ts';
import type { TrackSelection } from './track-selection.ts';
import { TransportChoice } from './transport-choice.ts';
import { UnitReader } from './unit-reader.ts';
import type { DeviceClock } from './capture-clock.ts';

/** After media for so long the backoff is reset. */
const GOOD_AFTER_MS = 15_000;
/** The same for a connection that the device closed properly. */
const ORDERLY_AFTER_MS = 1000;
/** After a proper end or a changed codec the device's settings changed: it reconnects soon. */
const ORDERLY_MS = 200;
const VIDEO_CLOCK = 90_000;

export interface RtspMediaSource extends MediaSource {
  /** How much later the capture times of video are than those of the device's own clock; null while it reports none. */
  readonly leadMs: number | null;
}

/** Starts at once. */
export function openRtspSource(options: RtspSourceOptions): RtspMediaSource {
  return new RtspSource(options);
}

class RtspSource implements RtspMediaSource {
  readonly counters: SourceCounters = createSourceCounters();
  readonly #options: RtspSourceOptions;
  readonly #abort = new AbortController();
  readonly #keyframeRequest: KeyframeRequest;
  #attempt: RtspAttempt | null = null;
  readonly #limiterKey: string;
  readonly #videoTimeline = new TrackTimeline({
    clockRate: VIDEO_CLOCK,
    outputRate: VIDEO_CLOCK,
    followsArrival: true,
  });
  #audioTimeline: TrackTimeline | null = null;
  #audioRates = '';
  readonly #deviceClock: DeviceClock = { offsetMs: null };
  #format: MediaFormat | null = null;
  #server: string | null = null;
  readonly #transport = new TransportChoice();
  #wake: () => void = () => undefined;
  readonly #finished: Promise<void>;

  constructor(options: RtspSourceOptions) {
    this.#options = options;
    this.#keyframeRequest = new KeyframeRequest(options.clock, async () => {
      // Devices support one or the other: an extra keyframe costs less than a missing one.
      this.#attempt?.requestKeyframe();
      await options.askForKeyframe?.();
    });
    const target = parseRtspUrl(options.url);
    const { user = '', password = '' } = options.credentials ?? target?.credentials ?? {};
    const { host = '', port = 0 } = target ?? {};
    this.#limiterKey = options.signInLimiter.keyOf({ host, port, user, password });
    this.#finished = this.#run();
  }

  get server(): string | null {
    return this.#server;
  }

  get leadMs(): number | null {
    return this.#attempt?.reader?.leadMs ?? null;
  }

  retryNow(): void {
    this.#wake();
  }

  requestKeyframe(): void {
    this.#keyframeRequest.want();
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#wake();
    await this.#finished;
  }

  async #run(): Promise<void> {
    const { clock, consumer, random } = this.#options;
    let failures = 0;
    while (!this.#abort.signal.aborted) {
      await this.#admission();
      if (this.#abort.signal.aborted) break;
      this.counters.attempts += 1;
      consumer.state({ state: 'connecting', attempt: failures + 1 });
      const result = await this.#once();
      if (this.#abort.signal.aborted) break;
      if (this.#transport.takeChange()) continue;
      failures = result.playedMs >= (result.isOrderly ? ORDERLY_AFTER_MS : GOOD_AFTER_MS) ? 1 : failures + 1;
      const delay = result.isOrderly && failures === 1 ? ORDERLY_MS : retryDelayMs(result.failure, failures, random());
      consumer.state({ state: 'failed', reason: result.failure, retryAt: Math.round(clock.wallMs() + delay) });
      await this.#sleep(delay);
    }
    consumer.state({ state: 'closed' });
  }

  /** Waits until signing in is allowed; `retryNow` does not shorten it. */
  async #admission(): Promise<void> {
    const { signInLimiter, consumer, clock } = this.#options;
    for (;;) {
      const wait = signInLimiter.waitMs(this.#limiterKey);
      if (wait === 0 || this.#abort.signal.aborted) return;
      // Another stream of the device knows the result: no attempt needed.
      if (signInLimiter.isRefused(this.#limiterKey))
        consumer.state({ state: 'failed', reason: 'authentication', retryAt: Math.round(clock.wallMs() + wait) });
      await this.#sleep(wait);
    }
  }

  /** One connection, from dialling to its end. */
  async #once(): Promise<{ failure: SourceFailure; playedMs: number; isOrderly: boolean }> {
    const { clock, signInLimiter } = this.#options;
    const signIn = signInLimiter.begin(this.#limiterKey);
    const attempt = new RtspAttempt({
      source: this.#options,
      signIn,
      signal: this.#abort.signal,
      counters: this.counters,
      transport: this.#transport,
      openReader: (selection, events) => this.#openReader(selection, events),
    });
    this.#attempt = attempt;
    try {
      await attempt.run();
      return {
        failure: attempt.failure ?? 'timeout',
        playedMs: attempt.playedMs(clock.monotonicMs()),
        isOrderly: attempt.isOutdated,
      };
    } catch (error) {
      if (!(error instanceof RtspError)) throw error;
      if (error.code === 'authentication') signIn.refused();
      if (error.code === 'transport') this.#transport.refused();
      return {
        failure: attempt.failure ?? failureOf(error.code),
        playedMs: attempt.playedMs(clock.monotonicMs()),
        isOrderly: attempt.reader?.isTerminal === true,
      };
    } finally {
      this.#attempt = null;
      signIn.undecided();
      this.#format = attempt.reader?.format ?? this.#format;
      this.#server = attempt.server ?? this.#server;
    }
  }

  #openReader(selection: TrackSelection & { video: SdpMedia }, events: ReaderEvents): UnitReader {
    return new UnitReader({
      clock: this.#options.clock,
      selection,
      videoTimeline: this.#videoTimeline,
      audioTimelineOf: (media, format) => this.#audioTimelineOf(media, format),
      consumer: this.#options.consumer,
      counters: this.counters,
      previousFormat: this.#format,
      deviceClock: this.#deviceClock,
      isReplay: false,
      onDelivering: () => events.delivering(),
      onKeyframeMissed: () => this.#keyframeRequest.want(),
      onUndescribed: () => events.undescribed(),
    });
  }

  /** Kept while the rates stay the same, so that decode times continue over connections. */
  #audioTimelineOf({ clockRate }: SdpMedia, { sampleRate }: AudioFormat): TrackTimeline {
    const rates = `${clockRate}/${sampleRate}`;
    if (!this.#audioTimeline || rates !== this.#audioRates)
      this.#audioTimeline = new TrackTimeline({ clockRate, outputRate: sampleRate });
    this.#audioRates = rates;
    return this.#audioTimeline;
  }

  async #sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.#abort.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
    this.#wake = () => undefined;
  }
}

function failureOf(code: RtspErrorCode): SourceFailure {
  if (code === 'no-track') return 'no-video';
  if (code === 'transport') return 'protocol';
  return code === 'closed' ? 'unreachable' : code;
}
