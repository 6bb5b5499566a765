// Shows a live stream of JPEG frames on a canvas; a frame that comes while another is being decoded is dropped.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { LiveMedia } from './live-message.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

export class JpegTransport implements LiveTransport {
  readonly kind = 'jpeg';
  readonly #options: TransportOptions;
  #isDecoding = false;
  #isClosed = false;
  #hasFrame = false;
  #droppedFrames = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  push(media: LiveMedia): void {
    if (media.kind !== 'jpeg' || this.#isClosed) return;
    if (this.#isDecoding) {
      this.#droppedFrames += 1;
      return;
    }
    this.#isDecoding = true;
    createImageBitmap(new Blob([media.payload], { type: 'image/jpeg' }))
      .then((bitmap) => this.#paint(bitmap, media.wallMs))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isDecoding = false;
      });
  }

  expectGap(): void {
    // Every picture stands alone.
  }

  hold(): void {
    this.#isClosed = true;
  }

  /** The tile's canvas carries the picture already. */
  paint(): boolean {
    return this.#hasFrame;
  }

  close(): void {
    this.hold();
  }

  #paint(bitmap: ImageBitmap, wallMs: number): void {
    const { canvas, now } = this.#options;
    const { width, height } = bitmap;
    if (!this.#isClosed) {
      canvas.width = width;
      canvas.height = height;
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      this.#hasFrame = true;
      this.#options.onFrame({ width, height, wallMs, shownAtMs: now() });
    }
    bitmap.close();
  }

  #fail(error: unknown): void {
    const message = errorMessage(error);
    if (!this.#isClosed) this.#options.onFault({ kind: 'decode', message });
  }
}
