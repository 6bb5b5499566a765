// Chooses the transport of a tile, and why. Pure.
import type { Decoders } from '../decode/decoder-support.ts';
import type { TransportKind } from './transport.ts';

export type TransportReason =
  /** Few tiles: the quickest way is affordable. */
  | 'fewTiles'
  | 'manyTiles'
  /** Somebody steers the camera or talks through it. */
  | 'latency'
  /** The page was not loaded over a secure address. */
  | 'insecure'
  /** The browser decodes this codec by no quicker way. */
  | 'noDecoder'
  /** A quicker way did not keep up a short while ago. */
  | 'lagged'
  | 'failed'
  /** The media socket does not come through. */
  | 'noSocket'
  /** Straight from the site that has the camera. */
  | 'direct'
  /** The camera sends single pictures. */
  | 'stills';

export interface TransportChoice {
  readonly kind: TransportKind;
  readonly because: TransportReason;
}

export interface ChoiceFacts {
  readonly decoders: Decoders;
  /** Tiles of the page that decode now, this one included. */
  readonly tiles: number;
  /** So many tiles may use WebCodecs on this machine. */
  readonly quickTiles: number;
  /** Whether `quickTiles` is low because decoding fell behind. */
  readonly hasLagged: boolean;
  readonly wantsLatency: boolean;
  readonly isSocketBlocked: boolean;
  /** Transports that failed with this codec. */
  readonly failed: ReadonlySet<TransportKind>;
}

/** Null where nothing is left that could show the stream. */
export function chooseTransport(facts: ChoiceFacts): TransportChoice | null {
  const { decoders, failed, isSocketBlocked } = facts;
  const canHls = decoders.hls && !failed.has('hls');
  const canMse = decoders.mse && !failed.has('mse');
  if (isSocketBlocked) return canHls ? { kind: 'hls', because: 'noSocket' } : null;
  const obstacle = webCodecsObstacle(facts);
  if (obstacle === null) return { kind: 'webcodecs', because: facts.wantsLatency ? 'latency' : 'fewTiles' };
  if (canMse) return { kind: 'mse', because: obstacle };
  // Slow is better than nothing.
  if (isSlowOnly(obstacle)) return { kind: 'webcodecs', because: 'noDecoder' };
  // Bytes that no decoder takes would be no better over HTTP.
  return canHls && !decoders.mse ? { kind: 'hls', because: 'noDecoder' } : null;
}

/** WebCodecs would decode the stream, but not for so many tiles. */
function isSlowOnly(obstacle: TransportReason): boolean {
  return obstacle === 'lagged' || obstacle === 'manyTiles';
}

function webCodecsObstacle(facts: ChoiceFacts): TransportReason | null {
  const { decoders, failed, tiles, quickTiles, wantsLatency, hasLagged } = facts;
  if (decoders.webcodecs !== null) return decoders.webcodecs;
  if (failed.has('webcodecs')) return 'failed';
  // One tile that is steered is worth more than the rule, unless it was seen to fall behind.
  if (wantsLatency && quickTiles > 0) return null;
  if (tiles <= quickTiles) return null;
  return hasLagged ? 'lagged' : 'manyTiles';
}
