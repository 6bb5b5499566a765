// Composes a group of playback tiles with what this browser has: WebCodecs in a worker, else HLS.
import { playerClock } from '../core/player-clock.ts';
import { FragmentTile } from './fragment-tile.ts';
import { HlsTile } from './hls-tile.ts';
import { PlaybackGroup } from './playback-group.ts';
import { PlaybackLink } from './playback-link.ts';
import type { PlaybackEngineKind } from './playback-tile.ts';
import type { OpenThumbnails } from './server-thumbnails.ts';

export interface PlaybackParts {
  /** What HLS gets thumbnails by; null on pages that show none, which need not load it. */
  readonly openThumbnails: OpenThumbnails | null;
}

export function openPlayback({ kind }: PlaybackEngineKind, { openThumbnails }: PlaybackParts): PlaybackGroup {
  if (kind === 'hls') {
    return new PlaybackGroup({
      clock: playerClock,
      openTile: (_id, host, source, events) =>
        new HlsTile({ host, source, clock: playerClock, events, openThumbnails }),
      onClose: () => undefined,
    });
  }
  const link = new PlaybackLink();
  return new PlaybackGroup({
    clock: playerClock,
    openTile: (id, host, source, events) => new FragmentTile({ id, host, source, link, events }),
    onClose: () => link.end(),
  });
}
