// The digital zoom of each tile that is zoomed, by its cell.
import { create } from 'zustand';
import { isZoomed, WHOLE_FRAME, type ZoomView } from './zoom-view.ts';

/** A cell that shows the whole picture is absent. */
export const useZooms = create<Readonly<Record<number, ZoomView>>>(() => ({}));

export function zoomOf(cell: number): ZoomView {
  return useZooms.getState()[cell] ?? WHOLE_FRAME;
}

export function changeZoom(cell: number, change: (view: ZoomView) => ZoomView): void {
  const { [cell]: before = WHOLE_FRAME, ...others } = useZooms.getState();
  const next = change(before);
  if (next !== before) useZooms.setState(isZoomed(next) ? { ...others, [cell]: next } : others, true);
}

export function resetZoom(cell: number): void {
  changeZoom(cell, () => WHOLE_FRAME);
}
