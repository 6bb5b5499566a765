// What a session of a live tile is given, and how it ends.
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { AudioOutput } from '../audio/audio-output.ts';
import type { AudioState } from '../audio/audio-player.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { DecoderSupport, VideoFamily } from '../decode/decoder-support.ts';
import type { LiveConnection } from '../transports/live-connection.ts';
import type { MakeTransport, ShownFrame } from '../transports/transport.ts';
import type { TransportPolicy } from '../transports/transport-policy.ts';
import type { TileSource } from './tile-source.ts';
import type { LighterReason, TileEvent } from './tile-state.ts';

/** Why an attempt ended: socket, error code, silence, line, decoder or format. */
export type SessionEnd =
  | { readonly how: 'lost' | 'refused' | 'silent' | 'slow' }
  | { readonly how: 'fault' | 'unreachable'; readonly message: string }
  | { readonly how: 'format'; readonly codec: string };

export interface TileSessionOptions {
  readonly connection: LiveConnection;
  readonly opening: Semaphore;
  readonly clock: PlayerClock;
  readonly support: DecoderSupport;
  readonly policy: TransportPolicy;
  readonly audioOutput: AudioOutput;
  readonly video: HTMLVideoElement;
  readonly canvas: HTMLCanvasElement;
  readonly source: TileSource;
  readonly audio: boolean;
  /** 0 to 1. */
  readonly volume: number;
  readonly wantsLatency: boolean;
  /** Null: the stream that was asked for. */
  readonly lighterBecause: LighterReason | null;
  /** Codec families that failed in this tile before. */
  readonly refused: ReadonlySet<VideoFamily>;
  readonly makeTransport: MakeTransport;
  readonly report: (event: TileEvent) => void;
  readonly onAudioState: (state: AudioState) => void;
  readonly onFrame: (frame: ShownFrame) => void;
  /** Tracks are wanted; `onTracks` is called with them. */
  readonly followsTracks: boolean;
  readonly onTracks: (tracks: LiveTracks | null) => void;
  readonly onEnd: (end: SessionEnd) => void;
}
