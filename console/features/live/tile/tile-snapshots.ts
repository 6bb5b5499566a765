// Saves a snapshot of a tile as a file; tiles register by their cell.
import type { LiveTile } from '@vedette/player/live/live-tile.ts';
import { currentTranslate } from '../../../language/language-store.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { saveSnapshotFile } from '../channel/snapshot-file.ts';

const tiles = new Map<number, { readonly tile: LiveTile; readonly name: string }>();

export function registerSnapshot(cell: number, tile: LiveTile, name: string): () => void {
  const entry = { tile, name };
  tiles.set(cell, entry);
  return () => {
    if (tiles.get(cell) === entry) tiles.delete(cell);
  };
}

/** Downloads the picture in its own size, or says that there is none. */
export async function saveSnapshot(cell: number): Promise<void> {
  const found = tiles.get(cell);
  const blob = await found?.tile.lastFrame();
  if (!found || !blob) {
    showToast('info', currentTranslate()('live.noStill'));
    return;
  }
  saveSnapshotFile(found.name, blob);
}
