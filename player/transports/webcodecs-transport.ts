// Shows a live stream through WebCodecs: a worker decodes access units and draws them on a canvas beside the video element.
import { type DecoderPort, type DecoderSlot, pageDecoders } from '../decode/decoder-port.ts';
import type { DecoderReport } from '../decode/decoder-messages.ts';
import type { LiveMedia } from './live-message.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

export interface WebCodecsTransportOptions extends TransportOptions {
  readonly decoders?: DecoderPort;
}

export class WebCodecsTransport implements LiveTransport {
  readonly kind = 'webcodecs';
  readonly #options: WebCodecsTransportOptions;
  /** The worker draws here; a canvas can be handed over only once, so each transport has its own. */
  readonly #surface: HTMLCanvasElement;
  readonly #slot: DecoderSlot;
  #size = { width: 0, height: 0 };
  #droppedFrames = 0;
  #isHeld = false;

  constructor(options: WebCodecsTransportOptions) {
    this.#options = options;
    this.#surface = placeSurface(options.video);
    this.#slot = (options.decoders ?? pageDecoders).open((report) => this.#take(report));
    const canvas = this.#surface.transferControlToOffscreen();
    const { codecString: codec } = options.videoFormat;
    this.#slot.send({ type: 'open', codec, canvas, mayShowPast: !options.isTakingOver }, [canvas]);
  }

  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  push({ kind, payload: bytes, isKey, wallMs }: LiveMedia): void {
    if (this.#isHeld) return;
    // Kept by the tile for a restart, thus copied.
    if (kind === 'videoInit') this.#slot.send({ type: 'init', bytes });
    else if (kind === 'videoFragment') this.#slot.send({ type: 'fragment', bytes, isKey, wallMs }, [bytes.buffer]);
  }

  expectGap(): void {
    this.#slot.send({ type: 'gap' });
  }

  hold(): void {
    this.#isHeld = true;
    this.#slot.close();
  }

  paint(canvas: HTMLCanvasElement): boolean {
    const { width, height } = this.#size;
    if (width === 0) return false;
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')?.drawImage(this.#surface, 0, 0);
    return true;
  }

  close(): void {
    this.hold();
    this.#surface.remove();
  }

  #take(report: DecoderReport): void {
    if (this.#isHeld) return;
    const { onFrame, onFault, onMeasured } = this.#options;
    switch (report.type) {
      case 'shown': {
        const { width, height, wallMs, shownAtMs, isPast } = report;
        // Until here another transport's picture may stand below.
        this.#surface.style.visibility = '';
        this.#size = { width, height };
        onFrame({ width, height, wallMs, shownAtMs, isPast });
        break;
      }
      case 'measured':
        this.#droppedFrames = report.dropped;
        onMeasured?.(report.decodeMs);
        break;
      case 'lag':
        onFault({ kind: 'lag' });
        break;
      case 'fault':
        onFault({ kind: 'decode', message: report.message });
        break;
    }
  }
}

/** Stands where the video stands, in its clothes. */
function placeSurface(video: HTMLVideoElement): HTMLCanvasElement {
  const surface = video.ownerDocument.createElement('canvas');
  surface.className = video.className;
  surface.dataset['surface'] = '';
  surface.setAttribute('aria-hidden', 'true');
  surface.style.visibility = 'hidden';
  video.after(surface);
  return surface;
}
