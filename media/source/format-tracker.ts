// Tracks the video format of a stream while it is read.
import { readJpeg } from '@vedette/protocols/jpeg/read-jpeg.ts';
import type { VideoFormat } from '../stream/stream.ts';

export interface FormatTracker {
  /** Parameter sets that could not be read. */
  readonly refused: number;
  /** Null when the stream does not state it. */
  readonly reorderDepth: number | null;
  /** Takes a parameter set; the bytes are copied. */
  add(set: Uint8Array): void;
  /** Takes a whole keyframe, where pictures themselves tell their format. */
  see(picture: Buffer): void;
  /** Null while something is missing; the same object while nothing changed. */
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
