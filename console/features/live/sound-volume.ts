// How loud tiles are heard on this computer; kept over reloads.
import { create } from 'zustand';

const STORAGE_KEY = 'vedette.volume';

function stored(): number {
  const kept = Number.parseFloat(localStorage.getItem(STORAGE_KEY) ?? '');
  return kept >= 0 && kept <= 1 ? kept : 1;
}

/** `volume` from 0 to 1. */
export const useSoundVolume = create<{ readonly volume: number }>(() => ({ volume: stored() }));

export function setSoundVolume(volume: number): void {
  useSoundVolume.setState({ volume });
  localStorage.setItem(STORAGE_KEY, String(volume));
}
