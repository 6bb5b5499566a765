// Devices dragged from the list, and what they may be dropped on.
import { type DragEvent, useState } from 'react';

/** Serials of devices that are dragged out of the table, as a JSON array. */
export const DEVICE_DRAG_TYPE = 'application/x-vedette-devices';

export function dragDevices(event: DragEvent, serials: readonly string[]): void {
  event.dataTransfer.setData(DEVICE_DRAG_TYPE, JSON.stringify(serials));
  event.dataTransfer.effectAllowed = 'move';
}

export function draggedDevices(text: string): string[] {
  return JSON.parse(text) as string[];
}

/** Attributes of an element that takes devices; without a taker it takes none. */
export function useDeviceDrop(onTake: ((serials: readonly string[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (onTake === undefined || !event.dataTransfer.types.includes(DEVICE_DRAG_TYPE)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      onTake?.(draggedDevices(event.dataTransfer.getData(DEVICE_DRAG_TYPE)));
    },
  };
}
