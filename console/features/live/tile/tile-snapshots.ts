// Saves a snapshot of a tile as a file; tiles register by their cell.
import type { LiveTile } from '@vedette/player/live/live-tile.ts';
import { formatDateTime, SORTABLE_TIME } from '@vedette/rules/time-format.ts';
import { currentTranslate } from '../../../language/language-store.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';

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
  saveFile(blob, `${fileName(found.name)} ${stamp(Date.now())}.jpg`);
}

function stamp(at: number): string {
  return formatDateTime(at, SORTABLE_TIME).replaceAll(':', '-');
}

function fileName(name: string): string {
  return name.replaceAll(/[\\/:*?"<>|]/g, '_');
}

function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
