// One connection of an RTSP source, from dialling until it stalls or breaks.
import { openRtspSession, type RtspSession } from '@vedette/protocols/rtsp/client.ts';
import type { Sdp, SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { SourceFailure } from '../stream/stream.ts';
import type { RtspSourceOptions } from './rtsp-source-options.ts';
import type { SignInTry } from './sign-in-limiter.ts';
import type { SourceCounters } from '../stream/source-counters.ts';
import { selectTracks, type TrackSelection } from './track-selection.ts';
import type { TransportChoice } from './transport-choice.ts';
import type { UnitReader } from './unit-reader.ts';

const SILENCE_MS = 8000;
const NO_KEYFRAME: SourceFailure = 'no-key-picture';
const WATCH_EVERY_MS = 1000;
/** Checks of all cameras run at the same instants, to wake the process less often. */
const WATCH_GRID_MS = 250;
/** Without a keyframe for so long it is reported, and the session is restarted: a new one often starts with a keyframe. */
const KEYFRAMELESS_REPORTED_MS = 10_000;
const KEYLESS_MS = 60_000;

export interface RtspAttemptOptions {
  readonly source: RtspSourceOptions;
  readonly signal: AbortSignal;
  readonly counters: SourceCounters;
  readonly signIn: SignInTry;
  readonly transport: TransportChoice;
  readonly openReader: (selection: TrackSelection & { video: SdpMedia }, events: ReaderEvents) => UnitReader;
}

export interface ReaderEvents {
  delivering(): void;
  undescribed(): void;
}

export class RtspAttempt {
  reader: UnitReader | null = null;
  /** Set if the description has no supported video, or no keyframe arrives. */
  failure: SourceFailure | null = null;
  server: string | null = null;
  /** The device sends a codec that it did not describe. */
  isOutdated = false;
  readonly #options: RtspAttemptOptions;
  /** Counters before this connection. */
  readonly #before: Readonly<SourceCounters>;
  readonly #ended = Promise.withResolvers<void>();
  #playingSince: number | null = null;
  #session: RtspSession | null = null;
  #cancelWatch: () => void = () => undefined;

  constructor(options: RtspAttemptOptions) {
    this.#options = options;
    this.#before = { ...options.counters };
    // Awaited later by the caller; until then a failure must not count as unhandled.
    this.#ended.promise.catch(() => undefined);
  }

  playedMs(now: number): number {
    return this.#playingSince === null ? 0 : now - this.#playingSince;
  }

  /** By RTCP feedback on this connection. */
  requestKeyframe(): void {
    this.#session?.requestKeyframe(0);
  }

  /** Resolves when the device stalls, rejects with RtspError otherwise. */
  async run(): Promise<void> {
    const { url, credentials, dial, clock, clientNonce, keepAlive, connectTimeoutMs, consumer } = this.#options.source;
    const { signal } = this.#options;
    const session = await openRtspSession({
      url,
      credentials,
      dial,
      clock,
      clientNonce,
      signal,
      chooseTracks: (sdp) => this.#choose(sdp),
      sink: {
        packet: (track, header, buffer, lost) => this.reader?.packet(track, header, buffer, lost),
        senderReport: (track, report) => this.reader?.senderReport(track, report),
        bye: () => this.reader?.bye(),
        undescribed: () => this.reader?.undescribed(),
      },
      onEnded: (error) => this.#ended.reject(error),
      isPatient: () => consumer.isPatient === true,
      ...this.#options.transport.wanted(),
      ...(keepAlive && { keepAlive }),
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    });
    this.#session = session;
    this.#options.counters.connections += 1;
    this.server = session.server;
    const onAbort = (): void => this.#ended.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await session.play();
      this.#watch(session);
      await this.#ended.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#cancelWatch();
      this.#count(session);
      await session.close();
    }
  }

  #choose(sdp: Sdp): SdpMedia[] {
    // Only authenticated clients get a description.
    this.#options.signIn.accepted();
    const selection = selectTracks(sdp);
    const { video, audio } = selection;
    this.failure = selection.failure;
    if (!video) return [];
    this.reader = this.#options.openReader(
      { ...selection, video },
      {
        delivering: () => this.#delivering(),
        undescribed: () => {
          this.isOutdated = true;
          this.#ended.resolve();
        },
      },
    );
    return audio ? [video, audio] : [video];
  }

  #delivering(): void {
    const { clock, consumer } = this.#options.source;
    this.failure = null;
    this.#playingSince = clock.monotonicMs();
    consumer.state({ state: 'playing', since: Math.round(clock.wallMs()) });
  }

  /** Periodic check for frames, which also updates the counters. */
  #watch(session: RtspSession): void {
    const { clock, silenceMs = SILENCE_MS } = this.#options.source;
    const since = clock.monotonicMs();
    let lookedMs = since;
    const look = (): void => {
      this.#count(session);
      this.#missKeyframe(clock.monotonicMs() - since);
      const now = clock.monotonicMs();
      // After a stall of this process, silence says nothing about the device.
      const hasListened = now - lookedMs < silenceMs;
      lookedMs = now;
      if (this.reader && hasListened) this.reader.watchedMs = now;
      if (!hasListened) this.#cancelWatch = clock.after(untilNextWatch(now), look);
      else if (this.failure === NO_KEYFRAME && clock.monotonicMs() - since >= KEYLESS_MS) this.#ended.resolve();
      else if (this.#isUnfit(session, since)) this.#ended.resolve();
      else if (clock.monotonicMs() - Math.max(this.reader?.lastVideoMs ?? since, since) >= silenceMs)
        this.#ended.resolve();
      else this.#cancelWatch = clock.after(untilNextWatch(clock.monotonicMs()), look);
    };
    this.#cancelWatch = clock.after(untilNextWatch(clock.monotonicMs()), look);
  }

  /** The transport delivers nothing, or nothing complete. */
  #isUnfit(session: RtspSession, since: number): boolean {
    const { transport, counters, source } = this.#options;
    const now = source.clock.monotonicMs();
    const delivery = { pictures: counters.videoUnits, lostPackets: counters.lostPackets };
    return transport.isSilent(session, now - since) || transport.isTorn(session, delivery, now);
  }

  #missKeyframe(ms: number): void {
    const { clock, consumer } = this.#options.source;
    const pictures = this.#options.counters.unitsAwaitingKey - this.#before.unitsAwaitingKey;
    if (this.#playingSince !== null || this.failure !== null || pictures === 0 || ms < KEYFRAMELESS_REPORTED_MS) return;
    this.failure = NO_KEYFRAME;
    consumer.state({ state: 'failed', reason: NO_KEYFRAME, retryAt: Math.round(clock.wallMs() + KEYLESS_MS - ms) });
  }

  #count(session: RtspSession): void {
    const { counters } = this.#options;
    const base = this.#before;
    const sum = (pick: (track: RtspSession['tracks'][number]) => number): number =>
      session.tracks.reduce((total, track) => total + pick(track), 0);
    counters.bytes = base.bytes + session.bytesRead();
    counters.packets = base.packets + sum((track) => track.counters.packets);
    counters.lostPackets = base.lostPackets + sum((track) => track.counters.lost);
    counters.latePackets = base.latePackets + sum((track) => track.counters.late);
    counters.invalidPackets = base.invalidPackets + sum((track) => track.counters.invalid);
  }
}

function untilNextWatch(now: number): number {
  return Math.ceil(WATCH_EVERY_MS - (now % WATCH_GRID_MS));
}
