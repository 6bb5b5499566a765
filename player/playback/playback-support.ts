// What this browser plays recordings with here: WebCodecs stand in secure contexts alone.
import type { PlaybackEngineKind } from './playback-tile.ts';

export function playbackEngine(): PlaybackEngineKind {
  if (!globalThis.isSecureContext) return { kind: 'hls', obstacle: 'insecure' };
  const hasAll =
    'VideoDecoder' in globalThis && 'OffscreenCanvas' in globalThis && 'ImageBitmapRenderingContext' in globalThis;
  return hasAll ? { kind: 'webcodecs', obstacle: null } : { kind: 'hls', obstacle: 'noDecoder' };
}
