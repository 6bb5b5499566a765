// Runs the timeline outside React: canvases, pointer, wheel, and a playhead that moves with every picture.
import type { RecordedSpan } from './recorded-spans.ts';
import { paintHead, paintTracks, prepareCanvas, readColours, type TimelineColours } from './timeline-painter.ts';
import type { TickFormat } from './timeline-ticks.ts';
import { follow, pan, type TimelineView, timeAt, viewOf, xOf, zoomAbout } from './timeline-view.ts';

export interface TimelineDriverOptions {
  /** Holds both canvases and takes the pointer; carries `aria-valuenow` in seconds. */
  readonly root: HTMLElement;
  readonly tracks: HTMLCanvasElement;
  readonly head: HTMLCanvasElement;
  readonly format: TickFormat;
  readonly now: () => number;
  /** Wall clock of the picture on screen, ms; null while there is none. */
  readonly position: () => number | null;
  readonly valueText: (at: number) => string;
  readonly headLabel: (at: number) => string;
  readonly onSeek: (at: number) => void;
  /** The middle of what is in sight moved. */
  readonly onView: (view: TimelineView) => void;
}

const CLICK_SLOP_PX = 4;
/** After the user moved the view it stays where it is for so long, even when the playhead leaves it. */
const HANDS_OFF_MS = 6000;
const NOW_EVERY_MS = 2000;

export class TimelineDriver {
  readonly #options: TimelineDriverOptions;
  readonly #life = new AbortController();
  readonly #resize: ResizeObserver;
  #colours: TimelineColours;
  #spans: readonly RecordedSpan[] = [];
  #view: TimelineView;
  #width = 0;
  #hoverX: number | null = null;
  #drag: { readonly startX: number; readonly view: TimelineView; isPan: boolean } | null = null;
  #touchedAt = 0;
  #paintedAt = 0;
  #shown = '';
  #frame = 0;

  constructor(options: TimelineDriverOptions, view: TimelineView) {
    this.#options = options;
    this.#view = view;
    this.#colours = readColours(options.root);
    this.#resize = new ResizeObserver(() => this.#measure());
    this.#resize.observe(options.root);
    this.#listen();
    this.#measure();
    this.#loop();
  }

  get view(): TimelineView {
    return this.#view;
  }

  setSpans(spans: readonly RecordedSpan[]): void {
    this.#spans = spans;
    this.#paintTracks();
  }

  /** The theme changed. */
  refresh(): void {
    this.#colours = readColours(this.#options.root);
    this.#shown = '';
    this.#paintTracks();
  }

  show(start: number, end: number): void {
    this.#setView(viewOf(start, end));
  }

  /** Brings an instant into sight without changing the zoom. */
  reveal(at: number): void {
    this.#touchedAt = 0;
    const x = xOf(this.#view, 1, at);
    if (x < 0.02 || x > 0.98) this.#setView({ ...this.#view, center: at });
  }

  /** About the playhead where it is in sight, else about the middle. */
  zoom(factor: number): void {
    const at = this.#options.position();
    const x = at === null ? this.#width / 2 : xOf(this.#view, this.#width, at);
    this.#touched(zoomAbout(this.#view, this.#width, x >= 0 && x <= this.#width ? x : this.#width / 2, factor));
  }

  close(): void {
    this.#life.abort();
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #listen(): void {
    const { root } = this.#options;
    const { signal } = this.#life;
    root.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    root.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    root.addEventListener('pointermove', (event) => this.#move(event), { signal });
    root.addEventListener('pointerup', (event) => this.#up(event), { signal });
    root.addEventListener('pointercancel', () => this.#endDrag(), { signal });
    root.addEventListener('pointerleave', () => this.#hover(null), { signal });
  }

  #measure(): void {
    this.#width = this.#options.root.clientWidth;
    this.#shown = '';
    this.#paintTracks();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    // DOM_DELTA_LINE
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (isSideways) {
      const delta = (event.deltaX || event.deltaY) * unit;
      return this.#touched(pan(this.#view, this.#width, -delta));
    }
    this.#touched(zoomAbout(this.#view, this.#width, this.#x(event), Math.exp(event.deltaY * unit * 0.0016)));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#options.root.setPointerCapture(event.pointerId);
    this.#drag = { startX: this.#x(event), view: this.#view, isPan: false };
  }

  #move(event: PointerEvent): void {
    const x = this.#x(event);
    this.#hover(x);
    const drag = this.#drag;
    if (!drag) return;
    if (Math.abs(x - drag.startX) > CLICK_SLOP_PX) drag.isPan = true;
    if (!drag.isPan) return;
    this.#options.root.dataset['panning'] = '';
    this.#touched(pan(drag.view, this.#width, x - drag.startX));
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    this.#endDrag();
    if (drag && !drag.isPan) this.#options.onSeek(timeAt(this.#view, this.#width, this.#x(event)));
  }

  #endDrag(): void {
    this.#drag = null;
    delete this.#options.root.dataset['panning'];
  }

  #x(event: MouseEvent): number {
    return event.clientX - this.#options.root.getBoundingClientRect().left;
  }

  #hover(x: number | null): void {
    this.#hoverX = x;
  }

  #touched(view: TimelineView): void {
    this.#touchedAt = this.#options.now();
    this.#setView(view);
  }

  #setView(view: TimelineView): void {
    this.#view = view;
    this.#shown = '';
    this.#paintTracks();
    this.#options.onView(view);
  }

  #loop(): void {
    this.#frame = requestAnimationFrame(() => this.#loop());
    const position = this.#options.position();
    const now = this.#options.now();
    if (position !== null && !this.#drag && now - this.#touchedAt > HANDS_OFF_MS) {
      const next = follow(this.#view, position);
      if (next !== this.#view) this.#setView(next);
    }
    if (now - this.#paintedAt > NOW_EVERY_MS) this.#paintTracks();
    this.#paintHead(position);
  }

  #paintTracks(): void {
    if (this.#width === 0) return;
    const context = prepareCanvas(this.#options.tracks, this.#width);
    const now = this.#options.now();
    this.#paintedAt = now;
    if (!context) return;
    const { format } = this.#options;
    paintTracks(context, { view: this.#view, width: this.#width, spans: this.#spans, format, now }, this.#colours);
  }

  /** Nothing is drawn where nothing on the canvas would change. */
  #paintHead(position: number | null): void {
    if (this.#width === 0) return;
    const x = position === null ? '' : Math.round(xOf(this.#view, this.#width, position) * 2);
    const second = position === null ? null : Math.round(position / 1000);
    const shown = `${x}|${second}|${this.#hoverX}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { root, head, headLabel, valueText } = this.#options;
    if (second !== null && root.getAttribute('aria-valuenow') !== String(second)) {
      root.setAttribute('aria-valuenow', String(second));
      root.setAttribute('aria-valuetext', valueText(second * 1000));
    }
    const context = prepareCanvas(head, this.#width);
    if (!context) return;
    const scene = { view: this.#view, width: this.#width, position, hoverX: this.#hoverX, label: headLabel };
    paintHead(context, scene, this.#colours);
  }
}
