// Plays a range of a device's own recording into a consumer, as fast as it accepts it (ONVIF Streaming 6: RTSP replay).
import type { RtspCredentials } from '@vedette/protocols/rtsp/authentication.ts';
import { openRtspSession, type RtspSession } from '@vedette/protocols/rtsp/client.ts';
import type { RtspDial } from '@vedette/protocols/rtsp/dial.ts';
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import type { Sdp, SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StreamConsumer } from '../stream/stream.ts';
import { createSourceCounters, type SourceCounters } from '../stream/source-counters.ts';
import { TrackTimeline } from './track-timeline.ts';
import { selectTracks } from './track-selection.ts';
import { UnitReader } from './unit-reader.ts';

export interface ReplayOptions {
  /** From GetReplayUri. */
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  readonly clientNonce: () => string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 UTC; the device starts at the keyframe at or before `fromMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Its units have the capture times of the recording. */
  readonly consumer: StreamConsumer;
  /** After this time without media the span has ended. */
  readonly silenceMs?: number;
}

/** `broken`: the connection closed or stalled, which some devices do at the normal end. */
export type ReplayEnd = 'over' | 'broken';

export interface Replay {
  readonly counters: Readonly<SourceCounters>;
  /** Resolves when the span ended or broke off; rejects with RtspError if no media came. */
  readonly finished: Promise<ReplayEnd>;
  /** Backpressure: nothing is lost. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const SILENCE_MS = 4000;
/** Until the first frame: a recorder may have to spin up a disk and search. */
const FIRST_SILENCE_MS = 10_000;
const CHECK_EVERY_MS = 250;
const VIDEO_CLOCK = 90_000;

/** Rejects with RtspError if the device cannot replay. */
export async function openReplay(options: ReplayOptions): Promise<Replay> {
  const replay = new RunningReplay(options);
  await replay.open();
  return replay;
}

class RunningReplay implements Replay {
  readonly counters = createSourceCounters();
  readonly #options: ReplayOptions;
  readonly #finished = Promise.withResolvers<ReplayEnd>();
  #reader: UnitReader | null = null;
  #session: RtspSession | null = null;
  #paused = false;
  #lastMediaMs = 0;
  #cancelCheck: () => void = () => undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    // Awaited later by the caller.
    this.#finished.promise.catch(() => undefined);
  }

  get finished(): Promise<ReplayEnd> {
    return this.#finished.promise;
  }

  async open(): Promise<void> {
    const { url, credentials, dial, clock, clientNonce, signal, fromMs, toMs } = this.#options;
    this.#session = await openRtspSession({
      url,
      credentials,
      dial,
      clock,
      clientNonce,
      signal,
      headers: { Require: 'onvif-replay' },
      // TCP: as fast as we read, without loss.
      transport: 'tcp-only',
      chooseTracks: (sdp) => this.#choose(sdp),
      sink: {
        packet: (track, header, buffer, lost) => {
          this.#lastMediaMs = clock.monotonicMs();
          this.#reader?.packet(track, header, buffer, lost);
          if (this.#reader?.isTerminal) this.#finish();
        },
        senderReport: () => undefined,
        bye: () => this.#reader?.bye(),
      },
      onEnded: (error) => this.#broke(error),
    });
    this.#lastMediaMs = clock.monotonicMs();
    try {
      await this.#session.play({
        Range: `clock=${clockTime(fromMs)}-${clockTime(toMs)}`,
        'Rate-Control': 'no',
        Immediate: 'yes',
      });
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#check();
  }

  pause(): void {
    this.#paused = true;
    this.#session?.pauseReading();
  }

  resume(): void {
    this.#paused = false;
    this.#lastMediaMs = this.#options.clock.monotonicMs();
    this.#session?.resumeReading();
  }

  async close(): Promise<void> {
    this.#finish();
    await this.#session?.close();
  }

  #finish(end: ReplayEnd = 'over'): void {
    this.#cancelCheck();
    this.#finished.resolve(end);
  }

  /** Many devices close the connection at the end of a replay. */
  #broke(error: RtspError): void {
    this.#cancelCheck();
    if (this.counters.videoUnits > 0) this.#finished.resolve('broken');
    else this.#finished.reject(error);
  }

  #check(): void {
    const { clock, silenceMs = SILENCE_MS } = this.#options;
    const patienceMs = this.counters.videoUnits > 0 ? silenceMs : Math.max(silenceMs, FIRST_SILENCE_MS);
    const silent = clock.monotonicMs() - this.#lastMediaMs >= patienceMs;
    if (this.#reader?.isTerminal) this.#finish();
    else if (silent && !this.#paused) this.#finish('broken');
    else this.#cancelCheck = clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  #choose(sdp: Sdp): SdpMedia[] {
    const selection = selectTracks(sdp);
    const { video, audio, audioFormat } = selection;
    if (!video) return [];
    const { clock, consumer, toMs } = this.#options;
    this.#reader = new UnitReader({
      clock,
      selection: { ...selection, video },
      videoTimeline: new TrackTimeline({ clockRate: VIDEO_CLOCK, outputRate: VIDEO_CLOCK }),
      audioTimelineOf: ({ clockRate }, { sampleRate }) => new TrackTimeline({ clockRate, outputRate: sampleRate }),
      consumer: {
        ...consumerOf(consumer),
        accessUnit: (unit) => {
          // Devices send up to the end of the GOP; what lies beyond the range is dropped.
          if (unit.wallMs < toMs) consumer.accessUnit(unit);
          else if (unit.track === 'video') this.#finish();
        },
      },
      counters: this.counters,
      previousFormat: null,
      isReplay: true,
      onDelivering: () => consumer.state({ state: 'playing', since: Math.round(clock.wallMs()) }),
    });
    return audio && audioFormat ? [video, audio] : [video];
  }
}

function consumerOf(consumer: StreamConsumer): StreamConsumer {
  return {
    format: (format) => consumer.format(format),
    accessUnit: (unit) => consumer.accessUnit(unit),
    discontinuity: (reason) => consumer.discontinuity(reason),
    state: (state) => consumer.state(state),
  };
}

/** ISO 8601 basic format, as required by RFC 2326 3.7. */
function clockTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '');
}
