// Tracks the video format of a stream while it is read.
import { readJpeg } from '@vedette/protocols/jpeg/read-jpeg.ts';
import type { VideoFormat } from '../stream/stream.ts';

export interface FormatTracker {
  /** Invalid parameter sets. */
  readonly refused: number;
  /** Null if not stated in the stream. */
  readonly reorderDepth: number | null;
  /** Adds a parameter set; the bytes are copied. */
  add(set: Uint8Array): void;
  /** Reads a keyframe, for codecs whose frames state their format. */
  see(picture: Buffer): void;
  /** Null while incomplete; the same object while unchanged. */
  format(): VideoFormat | null;
}

export class JpegFormatTracker implements FormatTracker {
  readonly reorderDepth = 0;
  refused = 0;
  #format: VideoFormat | null = null;

  add(): void {
    // JPEG has no parameter sets.
  }

  see(picture: Buffer): void {
    const facts = readJpeg(picture);
    if (!facts) {
      this.refused += 1;
      return;
    }
    const { width, height } = facts;
    if (this.#format?.width === width && this.#format.height === height) return;
    this.#format = { codec: 'mjpeg', codecString: 'mjpeg', width, height, config: Buffer.alloc(0) };
  }

  format(): VideoFormat | null {
    return this.#format;
  }
}
