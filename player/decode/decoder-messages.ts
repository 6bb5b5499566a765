// Messages between the page and its decoder worker. `slot` names one tile's decoder.

export type DecoderOrder =
  | {
      readonly type: 'open';
      readonly slot: number;
      readonly codec: string;
      readonly canvas: OffscreenCanvas;
      /** The keyframe ahead of a burst may be shown while the rest is decoded. */
      readonly mayShowPast: boolean;
    }
  /** Init segment of the picture track: decoder record and time scale. */
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
  /** Nothing is decoded before the next keyframe. */
  | { readonly type: 'gap'; readonly slot: number }
  | { readonly type: 'close'; readonly slot: number };

export type DecoderReport =
  | {
      readonly type: 'shown';
      readonly slot: number;
      readonly width: number;
      readonly height: number;
      readonly wallMs: number;
      /** Wall clock of the drawing, ms. */
      readonly shownAtMs: number;
      /** The keyframe ahead of a burst, shown while the rest is decoded. */
      readonly isPast: boolean;
    }
  /** About once a second: frames never drawn since `open`, and the median time from order to picture, ms. */
  | { readonly type: 'measured'; readonly slot: number; readonly dropped: number; readonly decodeMs: number }
  | { readonly type: 'lag'; readonly slot: number }
  | { readonly type: 'fault'; readonly slot: number; readonly message: string };
