// One viewer of a live stream by HTTP-FLV: what a pushed stream carries, as one endless body.
import type { ServerResponse } from 'node:http';
import { flvHeader, flvMetadataTag, flvTag } from '@vedette/protocols/flv/file.ts';
import { PushFeed } from '../push/push-feed.ts';
import type { SharedStream } from '../stream/shared-stream.ts';

export interface FlvViewerOptions {
  /** Its head is written. */
  readonly response: ServerResponse;
  readonly stream: SharedStream;
  /** Wall clock; the address holds until then. */
  readonly untilMs: number;
  readonly onSent: (bytes: number) => void;
}

/** A viewer that takes nothing of what waits for so long is dropped. */
const STALL_MS = 10_000;

export class FlvViewer {
  readonly #options: FlvViewerOptions;
  readonly #leave: () => void;
  #waited: { readonly sinceMs: number; readonly bytes: number } | null = null;
  #hasHeader = false;
  #written = 0;

  constructor(options: FlvViewerOptions) {
    this.#options = options;
    const { stream, onSent } = options;
    const feed = new PushFeed({ publisher: this, onSent, onOtherCodec: () => this.close() });
    this.#leave = stream.addConsumer(feed);
    for (const unit of stream.gopUnits()) feed.accessUnit(unit);
  }

  get queuedBytes(): number {
    return this.#options.response.writableLength;
  }

  metadata(metadata: { readonly [key: string]: number }): void {
    if (!this.#hasHeader) this.#write([flvHeader({ hasAudio: 'audiocodecid' in metadata })]);
    this.#hasHeader = true;
    this.#write(flvMetadataTag(metadata));
  }

  video(timeMs: number, body: readonly Uint8Array[]): void {
    this.#write(flvTag('video', timeMs, body));
  }

  audio(timeMs: number, body: readonly Uint8Array[]): void {
    this.#write(flvTag('audio', timeMs, body));
  }

  /** Call about once a second. */
  check({ wallMs, monotonicMs }: { readonly wallMs: number; readonly monotonicMs: number }): void {
    const taken = this.#written - this.queuedBytes;
    if (this.queuedBytes === 0) this.#waited = null;
    else if (this.#waited?.bytes !== taken) this.#waited = { sinceMs: monotonicMs, bytes: taken };
    const isStalled = this.#waited !== null && monotonicMs - this.#waited.sinceMs >= STALL_MS;
    if (isStalled) this.#options.response.destroy();
    else if (wallMs >= this.#options.untilMs) this.close();
  }

  close(): void {
    this.#leave();
    this.#options.response.end();
  }

  /** Bodies lie in memory that is used again: they are copied. */
  #write(pieces: readonly Uint8Array[]): void {
    const bytes = Buffer.concat(pieces);
    this.#written += bytes.length;
    this.#options.response.write(bytes);
  }
}
