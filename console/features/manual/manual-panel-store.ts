// Which place of the manual the panel beside a screen shows, and the places that were read before it.
import { create } from 'zustand';
import type { ManualPlace } from './chapters.ts';

interface ManualPanelState {
  /** The shown place last; empty while the panel is closed. */
  readonly trail: readonly ManualPlace[];
}

export const useManualPanel = create<ManualPanelState>(() => ({ trail: [] }));

export function openManual(place: ManualPlace): void {
  useManualPanel.setState({ trail: [place] });
}

export function closeManual(): void {
  useManualPanel.setState({ trail: [] });
}

export function toggleManual(place: ManualPlace): void {
  if (useManualPanel.getState().trail.length === 0) openManual(place);
  else closeManual();
}

export function followManual(place: ManualPlace): void {
  useManualPanel.setState(({ trail }) => ({ trail: [...trail, place] }));
}

export function backInManual(): void {
  useManualPanel.setState(({ trail }) => ({ trail: trail.slice(0, -1) }));
}
