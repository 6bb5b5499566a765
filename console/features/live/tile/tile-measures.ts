// What is measured of one tile's picture while somebody looks at its details: frames a second, data rate, dropped frames.
import type { LiveTile } from '@vedette/player/live/live-tile.ts';
import { useEffect, useState } from 'react';
import { useServices } from '../../../services/services.ts';

export interface TileMeasures {
  /** Frames on screen a second; null during the first second. */
  readonly fps: number | null;
  /** Null during the first second, and where nobody counts: by HLS. */
  readonly kbps: number | null;
}

const EVERY_MS = 1000;
const NOTHING: TileMeasures = { fps: null, kbps: null };

export function useTileMeasures(tile: LiveTile, isOn: boolean): TileMeasures {
  const { clock } = useServices();
  const [measures, setMeasures] = useState(NOTHING);
  useEffect(() => {
    if (!isOn) return;
    let frames = 0;
    let since = clock.wallMs();
    let bytes = tile.receivedBytes;
    const stopCounting = tile.onFrame(() => {
      frames += 1;
    });
    const timer = setInterval(() => {
      const now = clock.wallMs();
      const passedMs = Math.max(1, now - since);
      const received = tile.receivedBytes - bytes;
      setMeasures({
        fps: Math.round((frames * 10_000) / passedMs) / 10,
        kbps: received > 0 ? Math.round((received * 8) / passedMs) : null,
      });
      [frames, since, bytes] = [0, now, tile.receivedBytes];
    }, EVERY_MS);
    return () => {
      stopCounting();
      clearInterval(timer);
      setMeasures(NOTHING);
    };
  }, [tile, isOn, clock]);
  return measures;
}
