// Renders the frames of one tile off screen, in the worker; the page presents those of all tiles together.

interface Box {
  readonly width: number;
  readonly height: number;
}

export interface RenderedFrame {
  /** Capture instant, ms with fractions. */
  readonly at: number;
  readonly bitmap: ImageBitmap;
}

export class TileRenderer {
  readonly #surface = new OffscreenCanvas(1, 1);
  #box: Box = { width: 0, height: 0 };
  #painted: RenderedFrame | null = null;

  /** Larger pictures are made to fit, device pixels; all as they are while it is empty. */
  setBox(box: Box): void {
    this.#box = box;
  }

  paint(picture: VideoFrame): void {
    const { width, height } = fit(picture, this.#box);
    if (this.#surface.width !== width || this.#surface.height !== height)
      Object.assign(this.#surface, { width, height });
    this.#surface.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0, width, height);
    this.clear();
    this.#painted = { at: picture.timestamp / 1000, bitmap: this.#surface.transferToImageBitmap() };
  }

  /** What was painted since the last time; null where nothing was. */
  take(): RenderedFrame | null {
    const painted = this.#painted;
    this.#painted = null;
    return painted;
  }

  clear(): void {
    this.#painted?.bitmap.close();
    this.#painted = null;
  }
}

function fit({ displayWidth, displayHeight }: VideoFrame, { width, height }: Box): Box {
  const scale = width > 0 && height > 0 ? Math.min(1, width / displayWidth, height / displayHeight) : 1;
  return { width: Math.round(displayWidth * scale), height: Math.round(displayHeight * scale) };
}
