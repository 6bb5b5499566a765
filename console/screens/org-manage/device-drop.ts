// Devices dragged from the list, and what they may be dropped on.
import { type DragEvent, useState } from 'react';
import { ownDrag } from '../../ui/own-drag.ts';

/** Serials of devices that are dragged out of the table. */
export const deviceDrag = ownDrag<readonly string[]>();

/** Attributes of an element that takes devices; without a taker it takes none. */
export function useDeviceDrop(onTake: ((serials: readonly string[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (onTake === undefined || deviceDrag.read(event.dataTransfer) === undefined) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const serials = deviceDrag.read(event.dataTransfer);
      if (serials !== undefined) onTake?.(serials);
    },
  };
}
