// The site's end of one stream on a feed: writes what the shared stream brings, and skips to a keyframe where the gateway does not read.
import type { Duplex } from 'node:stream';
import { writeAtOnce } from '@vedette/protocols/sockets/at-once.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SharedStream } from '../stream/shared-stream.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { encodeMessage, encodeUnitHead, type FeedNotice, toWireFormat } from './feed-wire.ts';

/** A gateway that stands still for so many bytes of all streams misses pictures; memory is bounded. */
export const FEED_QUEUE_LIMIT_BYTES = 32 * 1024 * 1024;
/** A skipped stream goes on only below this, so that it does not alternate. */
const RESUME_BYTES = FEED_QUEUE_LIMIT_BYTES / 2;
const LOOK_EVERY_MS = 1000;

export interface FeedCounters {
  units: number;
  bytes: number;
  /** Left out because the gateway did not read, and how often that began. */
  skippedUnits: number;
  skips: number;
}

export interface FeedStreamOptions {
  /** The gateway's number of the stream. */
  readonly no: number;
  readonly stream: SharedStream;
  /** The feed's connection. */
  readonly socket: Duplex;
  readonly clock: Clock;
  readonly counters: FeedCounters;
}

export class FeedStream implements StreamConsumer {
  readonly holdsSlabs = true;
  readonly #options: FeedStreamOptions;
  #leftOut = 0;
  #isSkipping = false;
  #remove: () => void = () => undefined;
  #cancelLook: () => void = () => undefined;

  constructor(options: FeedStreamOptions) {
    this.#options = options;
  }

  /** Sends state and format, then the pictures since the newest keyframe, so that a first viewer starts at once. */
  start(): void {
    const { stream } = this.#options;
    this.#remove = stream.addConsumer(this);
    const cached = stream.gopUnits();
    for (const unit of cached) this.accessUnit(unit);
    if (cached.length === 0) stream.requestKeyframe();
    this.#scheduleLook();
  }

  close(): void {
    this.#remove();
    this.#cancelLook();
  }

  requestKeyframe(): void {
    this.#options.stream.requestKeyframe();
  }

  format(format: MediaFormat): void {
    this.#send({ type: 'format', stream: this.#options.no, format: toWireFormat(format) });
  }

  state(state: SourceState): void {
    this.#send({ type: 'state', stream: this.#options.no, state });
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#send({ type: 'discontinuity', stream: this.#options.no, reason });
  }

  accessUnit(unit: AccessUnit): void {
    const { no, socket, counters } = this.#options;
    if (this.#mustSkip(unit)) {
      counters.skippedUnits += 1;
      return;
    }
    this.#tellLeftOut();
    counters.units += 1;
    counters.bytes += unit.data.length;
    writeAtOnce(socket, [encodeUnitHead(no, unit), unit.data], unit.slab);
  }

  #mustSkip({ track, isKey }: AccessUnit): boolean {
    const queued = this.#options.socket.writableLength;
    if (!this.#isSkipping) {
      if (queued <= FEED_QUEUE_LIMIT_BYTES) return false;
      this.#isSkipping = true;
      this.#options.counters.skips += 1;
      return true;
    }
    this.#isSkipping = !(isKey && track === 'video' && queued <= RESUME_BYTES);
    return this.#isSkipping;
  }

  /** Also while nothing is delivered: that is when a viewer is told why. */
  #scheduleLook(): void {
    this.#cancelLook = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.#tellLeftOut();
      this.#scheduleLook();
    });
  }

  #tellLeftOut(): void {
    const units = this.#options.stream.unitsAwaitingKey;
    if (units === this.#leftOut) return;
    this.#leftOut = units;
    this.#send({ type: 'leftOut', stream: this.#options.no, units });
  }

  #send(notice: FeedNotice): void {
    this.#options.socket.write(encodeMessage(notice));
  }
}
