// The pointer on one tile: selects, maximises by double click (a zoomed picture becomes whole first), takes channels from the tree, changes places with another tile.
import { type RefObject, useEffect, useState } from 'react';
import { ownDrag } from '../../../ui/own-drag.ts';
import { channelDrag } from '../../resource-tree/channel-drag.ts';
import { fill, place, swap, toggleMaximised } from '../wall/wall-model.ts';
import { changeWall, select, useWall } from '../wall/wall-store.ts';
import { resetZoom, zoomOf } from '../zoom/zoom-store.ts';
import { isZoomed } from '../zoom/zoom-view.ts';

/** The cell of a tile that is moved. */
const tileDrag = ownDrag<number>();

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
        const { dataTransfer: transfer } = event;
        if (!transfer) return;
        tileDrag.begin(transfer, cell, 'move');
        // Onto a wall in another window, or a window of playback: there it is shown too.
        const channel = useWall.getState().cells[cell];
        if (channel) channelDrag.begin(transfer, [channel], 'move');
      },
      { signal },
    );
    element.addEventListener(
      'dragover',
      (event) => {
        // Of what comes from elsewhere nothing is made, nor does the page go where a link leads.
        event.preventDefault();
        if (!event.dataTransfer) return;
        if (isTaken(event.dataTransfer)) setOver(true);
        else event.dataTransfer.dropEffect = 'none';
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

function isTaken(transfer: DataTransfer): boolean {
  return tileDrag.read(transfer) !== undefined || channelDrag.read(transfer) !== undefined;
}

function drop(cell: number, transfer: DataTransfer): void {
  const from = tileDrag.read(transfer);
  if (from !== undefined) {
    changeWall((wall) => (from === cell ? wall : { ...swap(wall, from, cell), selected: from }));
    return;
  }
  const [first, ...rest] = channelDrag.read(transfer) ?? [];
  if (!first) return;
  changeWall((wall) => fill(place(wall, cell, first), rest));
}
