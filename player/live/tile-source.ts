// The interface of a live tile's source: a ticket for one subscription, for a stream that this browser can play.
import type { VideoFamily } from '../decode/decoder-support.ts';

export interface TicketRequest {
  /** What this browser plays, without what just failed. */
  readonly codecs: readonly VideoFamily[];
  /** Neither decoder nor line may be too slow for it: use a smaller stream, if there is one. */
  readonly isLighter: boolean;
  readonly signal: AbortSignal;
}

export type TicketAnswer =
  | {
      readonly kind: 'ticket';
      readonly ticket: string;
      readonly quality: number;
      /** Playlist of the same stream on this origin; null if none. */
      readonly hlsUrl: string | null;
      /** Address for WebRTC offers on this origin; absent if the media come only through the local site. */
      readonly whepUrl?: string | null;
    }
  /** An error code and, for 2316 and 2317, its reason. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string | null }
  | { readonly kind: 'unsupported'; readonly codec: string };

export interface TileSource {
  /** Called again after every loss of the socket. Rejects only if the server is unreachable, which is retried. */
  getTicket(request: TicketRequest): Promise<TicketAnswer>;
}
