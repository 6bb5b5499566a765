// The interface of a live tile's source: a ticket for one subscription, for a stream that this browser can play.
import type { VideoFamily } from '../decode/decoder-support.ts';

export interface TicketRequest {
  /** What this browser plays, without what it has just failed on. */
  readonly codecs: readonly VideoFamily[];
  /** The decoder failed twice: a smaller stream is wanted, where there is one. */
  readonly isLighter: boolean;
  readonly signal: AbortSignal;
}

export type TicketAnswer =
  | {
      readonly kind: 'ticket';
      readonly ticket: string;
      readonly quality: number;
      /** Playlist of the same stream on this page's own origin; null where there is none. */
      readonly hlsUrl: string | null;
      /** Where the site that has the camera takes an offer, on this page's own origin; without it media come through the local site alone. */
      readonly whepUrl?: string | null;
    }
  /** A code of the error table and, for 2316 and 2317, what the device did. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string | null }
  | { readonly kind: 'unsupported'; readonly codec: string };

export interface TileSource {
  /** Called again after every loss of the socket. Rejects only where the server can't be reached; that is tried again. */
  getTicket(request: TicketRequest): Promise<TicketAnswer>;
}
