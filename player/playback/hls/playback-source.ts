// The interface of a playback source: where recordings are, and a playlist of a window of at most 600 s (ST-07).

export interface PlaybackWindow {
  /** Wall clock, ms. */
  readonly startTime: number;
  readonly endTime: number;
  /** Text of the media playlist and the address that its entries are relative to. */
  readonly playlist: string;
  readonly baseUrl: string;
}

export type WindowAnswer =
  | ({ readonly kind: 'window' } & PlaybackWindow)
  /** Nothing is recorded there. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string | null };

export interface PlaybackSource {
  /** Rejects only where the server can't be reached. `endTime - startTime` is at most 600 s. */
  getWindow(
    range: { readonly startTime: number; readonly endTime: number },
    signal: AbortSignal,
  ): Promise<WindowAnswer>;
  /** The instant itself where it is recorded, else the next one that is; null when there is none. */
  nextRecorded(at: number, signal: AbortSignal): Promise<number | null>;
}
