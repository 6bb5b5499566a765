// What every way of showing a live stream has in common: MSE, JPEG frames, and the seam for WebCodecs.
import type { LiveAudioFormat, LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import type { LiveMedia } from './live-message.ts';

export interface ShownFrame {
  readonly width: number;
  readonly height: number;
  /** Wall clock of capture, ms; null when the frame can't be told from its neighbours. */
  readonly wallMs: number | null;
  /** Wall clock of this page when the frame is on screen, ms. */
  readonly shownAtMs: number;
}

export type TransportFault =
  /** The bytes or the decoder failed; a restart from a key frame may help. */
  | { readonly kind: 'decode'; readonly message: string }
  /** The browser refuses the format for good. */
  | { readonly kind: 'format'; readonly codec: string };

export interface LiveTransport {
  readonly kind: 'mse' | 'jpeg';
  push(media: LiveMedia): void;
  /** The next fragment starts at a key frame and may leave a gap in time behind it. */
  expectGap(): void;
  /** Lets the picture go; the element may be used by another transport at once. */
  close(): void;
}

export interface TransportOptions {
  readonly video: HTMLVideoElement;
  /** Painted by JPEG frames and, by the tile, with the last still. */
  readonly canvas: HTMLCanvasElement;
  readonly videoFormat: LiveVideoFormat;
  /** Null where no sound was asked for, or none that the browser plays. */
  readonly audioFormat: LiveAudioFormat | null;
  readonly now: () => number;
  readonly onFrame: (frame: ShownFrame) => void;
  readonly onFault: (fault: TransportFault) => void;
}
