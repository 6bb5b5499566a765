// The pointer on one tile: selects, maximises by double click (a zoomed picture becomes whole first), takes channels from the tree, changes places with another tile.
import { type RefObject, useEffect, useState } from 'react';
import { readDroppedChannels, TILE_DRAG_TYPE } from './dropped-channels.ts';
import { fill, place, swap, toggleMaximised } from './wall-model.ts';
import { changeWall, select } from './wall-store.ts';
import { resetZoom, zoomOf } from './zoom-store.ts';
import { isZoomed } from './zoom-view.ts';

/** True while something is dragged over the tile. The keyboard's way stands in the wall's keys. */
export function useTilePointer(frame: RefObject<HTMLElement | null>, cell: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('pointerdown', () => select(cell), { signal });
    // The keys follow the pointer: arrows move on from the tile that was clicked.
    element.addEventListener(
      'click',
      (event) => {
        if (!isButton(event.target))
          element.querySelector<HTMLElement>('[data-handle]')?.focus({ preventScroll: true });
      },
      { signal },
    );
    element.addEventListener(
      'dblclick',
      (event) => {
        if (isButton(event.target)) return;
        if (isZoomed(zoomOf(cell))) resetZoom(cell);
        else changeWall((wall) => toggleMaximised(wall, cell));
      },
      { signal },
    );
    element.addEventListener(
      'dragstart',
      (event) => {
        event.dataTransfer?.setData(TILE_DRAG_TYPE, String(cell));
      },
      { signal },
    );
    element.addEventListener(
      'dragover',
      (event) => {
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    element.addEventListener('dragleave', () => setOver(false), { signal });
    element.addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) drop(cell, event.dataTransfer);
      },
      { signal },
    );
    return () => listening.abort();
  }, [frame, cell]);
  return isOver;
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

function drop(cell: number, transfer: DataTransfer): void {
  const tile = transfer.getData(TILE_DRAG_TYPE);
  if (tile !== '') {
    const from = Number(tile);
    changeWall((wall) => (from === cell ? wall : { ...swap(wall, from, cell), selected: from }));
    return;
  }
  const [first, ...rest] = readDroppedChannels(transfer);
  if (!first) return;
  changeWall((wall) => fill(place(wall, cell, first), rest));
}
