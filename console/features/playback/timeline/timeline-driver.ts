// Runs the timeline outside React: canvases, pointer, wheel, and a playhead that moves with every picture.
import { layerHint, NO_LAYERS, type TimelineLayer } from './timeline-layers.ts';
import { readColours, type TimelineColours } from './timeline-colours.ts';
import type { TimelineDriverOptions } from './timeline-driver-options.ts';
import { RestingPointer } from './resting-pointer.ts';
import { paintPlayhead, paintTracks, prepareCanvas } from './timeline-painter.ts';
import { seenAt } from './seen-ranges.ts';
import { placeRows, reasonAt, type RowLayout, rowAt, type TimelineRow, TRACKS_TOP } from './timeline-rows.ts';
import {
  follow,
  openingView,
  pan,
  type TimelineView,
  timeAt,
  untilPresent,
  viewEnd,
  viewOf,
  viewStart,
  xOf,
  zoomAbout,
} from './timeline-view.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press: in the ruler it pans, on the tracks it scrubs, and a layer may take it for itself. */
interface Drag {
  readonly from: Point;
  readonly view: TimelineView;
  readonly kind: 'pan' | 'scrub' | 'layer';
  readonly layer: TimelineLayer | null;
  isMoved: boolean;
}

const CLICK_SLOP_PX = 4;
/** After the user moved the view it stays where it is for so long, even when the playhead leaves it. */
const HANDS_OFF_MS = 6000;
const NOW_EVERY_MS = 2000;

export class TimelineDriver {
  readonly #options: TimelineDriverOptions;
  readonly #life = new AbortController();
  readonly #resize: ResizeObserver;
  readonly #resting: RestingPointer;
  #colours: TimelineColours;
  #layout: RowLayout = placeRows([], null);
  #layers: readonly TimelineLayer[] = NO_LAYERS;
  #view: TimelineView;
  #width = 0;
  #hover: Point | null = null;
  #drag: Drag | null = null;
  #touchedAt = 0;
  #paintedAt = 0;
  #shown = '';
  /** 0 while nothing moves. */
  #frame = 0;
  #timer = 0;
  #position: number | null = null;
  readonly #unsubscribe: () => void;

  constructor(options: TimelineDriverOptions, view: TimelineView) {
    this.#options = options;
    this.#view = untilPresent(view, options.now());
    this.#publish();
    this.#colours = readColours(options.root);
    this.#resting = new RestingPointer({
      onRest: (x, y) => this.#preview(x, y),
      onLeave: () => options.onPreview(null),
    });
    this.#resize = new ResizeObserver(() => this.#measure());
    this.#resize.observe(options.root);
    this.#unsubscribe = options.subscribe(() => this.#wake());
    this.#listen();
    this.#measure();
    this.#loop();
  }

  /** The playhead where it is in sight, else the present, else the middle. */
  get focus(): number {
    const [start, end] = [viewStart(this.#view), viewEnd(this.#view)];
    const [at, now] = [this.#options.position(), this.#options.now()];
    if (at !== null && at >= start && at <= end) return at;
    return now - end < this.#view.span * 0.02 ? end : this.#view.center;
  }

  /** Answers the height that the rows need, CSS pixels. */
  setRows(rows: readonly TimelineRow[], selectedKey: string | null): number {
    this.#layout = placeRows(rows, selectedKey);
    this.#shown = '';
    this.#paintTracks();
    return this.#layout.height;
  }

  setLayers(layers: readonly TimelineLayer[]): void {
    this.#layers = layers;
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

  /** The hours before an instant: what was recorded last fills the view. */
  showLast(at: number): void {
    this.#touchedAt = 0;
    this.#setView(openingView(at + this.#view.span * 0.01));
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
    this.#unsubscribe();
    this.#resting.leave();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
  }

  #listen(): void {
    const { root } = this.#options;
    const { signal } = this.#life;
    root.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    root.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    root.addEventListener('pointermove', (event) => this.#move(event), { signal });
    root.addEventListener('pointerup', (event) => this.#up(event), { signal });
    root.addEventListener('pointercancel', () => this.#endDrag(), { signal });
    root.addEventListener('pointerleave', () => this.#leave(), { signal });
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
    this.#touched(zoomAbout(this.#view, this.#width, this.#point(event).x, Math.exp(event.deltaY * unit * 0.0016)));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#options.root.setPointerCapture(event.pointerId);
    const from = this.#point(event);
    this.#resting.leave();
    const layer = this.#layers.find((one) => this.#tellLayer(one, 'down', event)) ?? null;
    const kind = layer ? 'layer' : from.y < TRACKS_TOP - 4 ? 'pan' : 'scrub';
    this.#drag = { from, view: this.#view, kind, layer, isMoved: false };
  }

  #move(event: PointerEvent): void {
    const point = this.#point(event);
    this.#setHover(point);
    const drag = this.#drag;
    if (!drag) return this.#rest(point, event);
    if (drag.layer) return void this.#tellLayer(drag.layer, 'move', event);
    if (Math.abs(point.x - drag.from.x) > CLICK_SLOP_PX) drag.isMoved = true;
    if (!drag.isMoved) return;
    if (drag.kind === 'scrub') return this.#preview(point.x, drag.from.y);
    this.#options.root.dataset['panning'] = '';
    this.#touched(pan(drag.view, this.#width, point.x - drag.from.x));
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    this.#endDrag();
    if (!drag) return;
    const point = this.#point(event);
    if (drag.layer) this.#tellLayer(drag.layer, 'up', event);
    else if (drag.kind === 'scrub' || !drag.isMoved) {
      this.#options.onSeek(timeAt(this.#view, this.#width, point.x), rowAt(this.#layout, drag.from.y)?.key ?? null);
    }
  }

  #endDrag(): void {
    if (this.#drag?.kind === 'scrub') this.#options.onPreview(null);
    this.#drag = null;
    delete this.#options.root.dataset['panning'];
  }

  #tellLayer(layer: TimelineLayer, kind: 'down' | 'move' | 'up', event: PointerEvent): boolean {
    const { x, y } = this.#point(event);
    const isTaken = layer.pointer?.({ kind, at: timeAt(this.#view, this.#width, x), x, y, event }) ?? false;
    if (isTaken) this.#paintTracks();
    return isTaken;
  }

  #point(event: MouseEvent): Point {
    const { left, top } = this.#options.root.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** A finger does not rest over what it shows. */
  #rest(point: Point, { pointerType }: PointerEvent): void {
    if (pointerType === 'mouse' && point.y >= TRACKS_TOP - 4) this.#resting.move(point.x, point.y);
    else this.#resting.leave();
  }

  #leave(): void {
    this.#setHover(null);
    this.#resting.leave();
  }

  #preview(x: number, y: number): void {
    const row = rowAt(this.#layout, y)?.key ?? null;
    const { root, onPreview } = this.#options;
    onPreview({ at: timeAt(this.#view, this.#width, x), x: x + root.offsetLeft, row });
  }

  #setHover(point: Point | null): void {
    this.#hover = point;
    this.#wake();
  }

  /** Words for what lies under the pointer: a layer's own, else where the recordings are from or why there is none. */
  #hint(): string | null {
    if (!this.#hover) return null;
    const at = timeAt(this.#view, this.#width, this.#hover.x);
    const row = rowAt(this.#layout, this.#hover.y);
    const hint = layerHint(this.#layers, at, row?.key ?? null);
    if (hint !== null) return hint;
    const seen = seenAt(row?.seen ?? [], at).map(this.#options.nameOfClass);
    const reason = [reasonAt(row, at), ...seen].filter((one) => one !== null).join(' · ') || null;
    if (this.#layout.rows.length < 2 || row === null) return reason;
    return reason === null ? row.name : `${row.name} · ${reason}`;
  }

  #touched(view: TimelineView): void {
    this.#touchedAt = this.#options.now();
    this.#setView(view);
  }

  #setView(view: TimelineView): void {
    this.#view = untilPresent(view, this.#options.now());
    this.#shown = '';
    this.#publish();
    this.#paintTracks();
    this.#options.onView(this.focus);
  }

  /** For whoever looks at the page from outside, ms. */
  #publish(): void {
    const { dataset } = this.#options.root;
    dataset['from'] = String(Math.round(viewStart(this.#view)));
    dataset['to'] = String(Math.round(viewEnd(this.#view)));
  }

  #wake(): void {
    if (this.#frame === 0 && !this.#life.signal.aborted) this.#frame = requestAnimationFrame(() => this.#loop());
  }

  /** Draws again with every picture while something moves; at rest only now and then, as the present goes on. */
  #loop(): void {
    this.#frame = 0;
    clearTimeout(this.#timer);
    const position = this.#options.position();
    const now = this.#options.now();
    if (position !== null && !this.#drag && now - this.#touchedAt > HANDS_OFF_MS) {
      const next = follow(this.#view, position, now);
      if (next !== this.#view) this.#setView(next);
    }
    if (now - this.#paintedAt > NOW_EVERY_MS) this.#paintTracks();
    this.#paintPlayhead(position);
    const isMoving = position !== this.#position || this.#drag !== null;
    this.#position = position;
    if (isMoving) this.#wake();
    else this.#timer = window.setTimeout(() => this.#wake(), NOW_EVERY_MS);
  }

  #paintTracks(): void {
    this.#wake();
    if (this.#width === 0) return;
    const context = prepareCanvas(this.#options.tracks, this.#width, this.#layout.height);
    const now = this.#options.now();
    this.#paintedAt = now;
    if (!context) return;
    const { format } = this.#options;
    const scene = { view: this.#view, width: this.#width, layout: this.#layout, layers: this.#layers, format, now };
    paintTracks(context, scene, this.#colours);
  }

  /** Nothing is drawn where nothing on the canvas would change. */
  #paintPlayhead(position: number | null): void {
    if (this.#width === 0) return;
    const x = position === null ? '' : Math.round(xOf(this.#view, this.#width, position) * 2);
    const second = position === null ? null : Math.round(position / 1000);
    const hint = this.#hint();
    const label = position === null ? null : Math.floor(position / 1000);
    const shown = `${x}|${second}|${label}|${this.#hover?.x}|${hint}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { head, headLabel } = this.#options;
    if (second !== null) this.#publishValue(second);
    const { height } = this.#layout;
    const context = prepareCanvas(head, this.#width, height);
    if (!context) return;
    const [view, width, hoverX] = [this.#view, this.#width, this.#hover?.x ?? null];
    const scene = { view, width, height, position, hoverX, hint, label: headLabel };
    paintPlayhead(context, scene, this.#colours);
  }

  #publishValue(second: number): void {
    const { root, valueText } = this.#options;
    if (root.getAttribute('aria-valuenow') === String(second)) return;
    root.setAttribute('aria-valuenow', String(second));
    root.setAttribute('aria-valuetext', valueText(second * 1000));
  }
}
