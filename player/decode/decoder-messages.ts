// Messages between the page and its decoder worker. `slot` names one tile's decoder.

export type DecoderOrder =
  | {
      readonly type: 'open';
      readonly slot: number;
      readonly codec: string;
      readonly canvas: OffscreenCanvas;
      /** Show the keyframe before a burst while the rest is decoded. */
      readonly mayShowPast: boolean;
    }
  /** Init segment of the video track: decoder configuration and timescale. */
  | { readonly type: 'init'; readonly slot: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** moof + mdat with one access unit. */
  | {
      readonly type: 'fragment';
      readonly slot: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly isKey: boolean;
      /** Wall clock of capture, ms. */
      readonly wallMs: number;
    }
  /** Skip until the next keyframe. */
  | { readonly type: 'gap'; readonly slot: number }
  | { readonly type: 'close'; readonly slot: number };

export type DecoderReport =
  | {
      readonly type: 'shown';
      readonly slot: number;
      readonly width: number;
      readonly height: number;
      readonly wallMs: number;
      /** Time of drawing by the wall clock, ms. */
      readonly shownAtMs: number;
      /** The keyframe shown while a burst is decoded. */
      readonly isPast: boolean;
    }
  /** About once a second: frames dropped since `open`, and the median decoding time, ms. */
  | { readonly type: 'measured'; readonly slot: number; readonly dropped: number; readonly decodeMs: number }
  | { readonly type: 'lag'; readonly slot: number }
  | { readonly type: 'fault'; readonly slot: number; readonly message: string };
