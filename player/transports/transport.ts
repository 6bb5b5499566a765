// The interface of live transports: WebCodecs, MSE, HLS, WebRTC and JPEG.
import type { LiveAudioFormat, LiveTracks, LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import type { LiveMedia } from './live-message.ts';

export type TransportKind = 'webcodecs' | 'mse' | 'hls' | 'webrtc' | 'jpeg';

export interface ShownFrame {
  readonly width: number;
  readonly height: number;
  /** Wall clock of capture, ms; null when the frame can't be told from its neighbours. */
  readonly wallMs: number | null;
  /** Capture time by the clock in which `onTracks` of the transport states its times, ms; absent: `wallMs`. */
  readonly tracksMs?: number | null;
  /** Wall clock of this page when the frame is on screen, ms. */
  readonly shownAtMs: number;
  /** From the site to the screen, ms, where the transport measures that itself: no clock of the server is asked then. */
  readonly delayMs?: number;
  /** Stands in until the newest picture is decoded: its delay says nothing. */
  readonly isPast?: boolean;
}

export type TransportFault =
  /** The bytes or the decoder failed; a restart from a keyframe may help. */
  | { readonly kind: 'decode'; readonly message: string }
  /** The browser refuses the format for good. */
  | { readonly kind: 'format'; readonly codec: string }
  /** Decoding does not keep up with the stream. */
  | { readonly kind: 'lag' }
  /** The address it fetched from is over; a new ticket is needed. */
  | { readonly kind: 'over' };

export interface LiveTransport {
  readonly kind: TransportKind;
  /** Frames that were decoded or should have been, and never came on screen. */
  readonly droppedFrames: number;
  push(media: LiveMedia): void;
  /** The next fragment starts at a keyframe and may leave a gap in time behind it. */
  expectGap(): void;
  /** Takes no more media and keeps the last picture on screen until `close`. */
  hold(): void;
  /** Asks for what edge intelligence follows, or no longer; absent where that comes another way. */
  follow?(isWanted: boolean): void;
  /** Draws the picture as it stands in its own size; false when there is none. */
  paint(canvas: HTMLCanvasElement): boolean;
  /** Lets the picture go; the elements may be used by another transport at once. */
  close(): void;
}

export interface TransportOptions {
  readonly video: HTMLVideoElement;
  /** Painted by JPEG frames and, by the tile, with the last still. */
  readonly canvas: HTMLCanvasElement;
  /** Another transport's live picture stands until this one has the next. */
  readonly isTakingOver: boolean;
  readonly videoFormat: LiveVideoFormat;
  /** Null where no audio is to be played with the picture. */
  readonly audioFormat: LiveAudioFormat | null;
  /** Playlist of the same stream, for HLS. */
  readonly hlsUrl: string | null;
  /** Where the site that has the camera takes an offer, for WebRTC. */
  readonly whepUrl: string | null;
  readonly now: () => number;
  readonly onFrame: (frame: ShownFrame) => void;
  readonly onFault: (fault: TransportFault) => void;
  /** Bytes that came another way than `push`. */
  readonly onReceived?: (bytes: number) => void;
  /** What edge intelligence follows, where the transport gets that itself. */
  readonly onTracks?: (tracks: LiveTracks) => void;
  /** Whether the stream that the element fetches itself has audio; told by HLS alone. */
  readonly onAudioInVideo?: (hasAudio: boolean) => void;
  /** Median time to decode one frame, ms, about once a second. */
  readonly onMeasured?: (decodeMs: number) => void;
}

export type MakeTransport = (kind: TransportKind, options: TransportOptions) => LiveTransport;
