// Reads frame counter and clock of the strip burned in by virtual cameras, from playback tiles in a page.
import type { Page } from 'playwright-core';

/** Null where no strip is readable. */
export type Seen = { readonly frame: number; readonly wallMs: number } | null;

/**
 * Adds `stripWatch` to the page: `read()`, `sample(ms)` with `samples` and which tiles were `behind`, and `expectSeek()` or `expectStep()` with
 * `arrived`: ms from the next click or key until the first tile shows another picture, at rest for a seek.
 */
export async function watchStrips(page: Page, blocksPerWidth: number): Promise<void> {
  await page.evaluate(installBehind);
  await page.evaluate(install, blocksPerWidth);
}

declare global {
  var tilesBehind: () => boolean[];
}

/** Runs in the page: which tiles say that they are left behind the clock. */
function installBehind(): void {
  globalThis.tilesBehind = () =>
    [...document.querySelectorAll<HTMLElement>('[data-playback]')].map(
      ({ dataset }) => dataset['state'] === 'catchingUp' || dataset['thin'] !== undefined,
    );
}

interface StripRows {
  readonly pixels: Uint8ClampedArray;
  readonly width: number;
}

/** Runs in the page. */
function install(blocksPerWidth: number): void {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  const bits = ({ pixels, width }: StripRows, row: number, from: number, count: number): number => {
    const block = width / blocksPerWidth;
    let value = 0;
    for (let column = from; column < from + count; column++) {
      const x = Math.floor((column + 0.5) * block);
      const y = Math.floor((row + 0.5) * block);
      value = value * 2 + ((pixels[(y * width + x) * 4 + 1] ?? 0) > 104 ? 1 : 0);
    }
    return value;
  };
  const readOne = (picture: HTMLCanvasElement) => {
    const { width } = picture;
    if (width < blocksPerWidth) return null;
    const height = Math.ceil((width / blocksPerWidth) * 2);
    if (context.canvas.width !== width) Object.assign(context.canvas, { width, height });
    context.drawImage(picture, 0, 0);
    const strip = { pixels: context.getImageData(0, 0, width, height).data, width };
    // Both rows begin with their sync: a picture that is not drawn yet has none.
    if (bits(strip, 0, 0, 4) !== 0b1010 || bits(strip, 1, 0, 4) !== 0b0101) return null;
    return { frame: bits(strip, 0, 4, 32), wallMs: bits(strip, 1, 4, 48) };
  };
  const read = () =>
    [...document.querySelectorAll<HTMLCanvasElement>('[data-playback] canvas:not([data-still])')].map(readOne);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const behind: boolean[][] = [];
  const watch = { read, samples: [] as unknown[], behind, arrived: Promise.resolve(0), sample, expectSeek, expectStep };

  async function sample(ms: number): Promise<void> {
    watch.samples = [];
    for (const end = performance.now() + ms; performance.now() < end; await frame()) {
      watch.samples.push(read());
      behind.push(globalThis.tilesBehind());
    }
  }

  /** Until the first tile shows something else than before `event`. */
  async function change(event: 'pointerup' | 'keydown'): Promise<number> {
    const before = read()[0]?.frame;
    const start = await new Promise<number>((resolve) => {
      addEventListener(event, () => resolve(performance.now()), { once: true, capture: true });
    });
    for (;;) {
      await frame();
      if (read()[0]?.frame !== before) return performance.now() - start;
      if (performance.now() - start > 5000) return Number.NaN;
    }
  }

  function expectSeek(): void {
    watch.arrived = change('pointerup');
  }
  function expectStep(): void {
    watch.arrived = change('keydown');
  }
  Object.assign(globalThis, { stripWatch: watch });
}
