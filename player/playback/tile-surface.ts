// The canvas of one playback tile on the page, which presents the worker's frames.
import type { RenderedFrame } from './worker/tile-renderer.ts';

export class TileSurface {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('bitmaprenderer');
  /** Up to this jump of the clock nothing may be shown any more. */
  #darkUpTo = Number.NEGATIVE_INFINITY;

  constructor(host: HTMLElement) {
    this.#canvas.dataset['surface'] = '';
    host.append(this.#canvas);
  }

  /** False for a picture that was on its way when the tile went dark. */
  show({ bitmap }: RenderedFrame, jump: number): boolean {
    if (jump <= this.#darkUpTo) {
      bitmap.close();
      return false;
    }
    const { width, height } = bitmap;
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    this.#context?.transferFromImageBitmap(bitmap);
    return true;
  }

  /** Black until the clock has jumped beyond `jump`, or until `lighten`. */
  darken(jump: number): void {
    this.#darkUpTo = jump;
    this.#context?.transferFromImageBitmap(null);
    Object.assign(this.#canvas, { width: 1, height: 1 });
  }

  lighten(): void {
    this.#darkUpTo = Number.NEGATIVE_INFINITY;
  }

  /** Behind the picture that takes its place, until it is removed. */
  leave(): void {
    this.#canvas.dataset['left'] = '';
  }

  remove(): void {
    this.#canvas.remove();
  }
}
