// The gateway's end of one stream on a feed: a media source for its hub.
import { SLAB_BYTES } from '@vedette/protocols/rtp/slab-pool.ts';
import { UnitArena } from '@vedette/protocols/rtp/unit-arena.ts';
import { UNIT_ROOM_BYTES } from '../stream/live-fragment.ts';
import type { MediaSource } from '../stream/source.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { StreamConsumer } from '../stream/stream.ts';
import type { UnitTarget } from './feed-reader.ts';
import { type FeedNotice, fromWireFormat, type UnitHead } from './feed-wire.ts';

export type StreamNotice = Extract<FeedNotice, { readonly stream: number }>;

export interface FeedSourceOptions {
  readonly consumer: StreamConsumer;
  readonly requestKeyframe: () => void;
  readonly onClosed: () => void;
}

export class FeedSource implements MediaSource, UnitTarget {
  readonly counters = createSourceCounters();
  readonly server = null;
  readonly #options: FeedSourceOptions;
  readonly #arena: UnitArena;

  constructor(options: FeedSourceOptions) {
    this.#options = options;
    this.#arena = new UnitArena(UNIT_ROOM_BYTES, SLAB_BYTES, options.consumer.slabs ?? null);
  }

  /** The source that waits is the site's. */
  retryNow(): void {}

  requestKeyframe(): void {
    this.#options.requestKeyframe();
  }

  append(bytes: Buffer, from: number, to: number): void {
    this.counters.bytes += to - from;
    this.#arena.append(bytes, from, to);
  }

  finish({ track, isKey, dts, ctsOffset, wallMs }: UnitHead): void {
    if (track === 'audio') this.counters.audioUnits += 1;
    else this.counters.videoUnits += 1;
    const data = this.#arena.finish();
    const { slab } = this.#arena;
    this.#options.consumer.accessUnit({ track, data, isKey, dts, ctsOffset, wallMs, room: UNIT_ROOM_BYTES, slab });
  }

  notice(notice: StreamNotice): void {
    const { consumer } = this.#options;
    switch (notice.type) {
      case 'format':
        consumer.format(fromWireFormat(notice.format));
        break;
      case 'discontinuity':
        consumer.discontinuity(notice.reason);
        break;
      case 'state':
        consumer.state(notice.state);
        break;
      case 'leftOut':
        this.counters.unitsAwaitingKey = notice.units;
        break;
    }
  }

  close(): Promise<void> {
    this.#options.onClosed();
    return Promise.resolve();
  }
}
