// Audio volume of tiles on this computer; kept over reloads.
import { create } from 'zustand';

const STORAGE_KEY = 'vedette.volume';

function stored(): number {
  const kept = Number.parseFloat(localStorage.getItem(STORAGE_KEY) ?? '');
  return kept >= 0 && kept <= 1 ? kept : 1;
}

/** `volume` from 0 to 1. Ducked while somebody talks: the camera would hear itself. */
export const useAudioVolume = create<{ readonly volume: number; readonly isDucked: boolean }>(() => ({
  volume: stored(),
  isDucked: false,
}));

const DUCKED = 0.1;

/** As loud as it is heard now. */
export function useHeardVolume(): number {
  return useAudioVolume(({ volume, isDucked }) => (isDucked ? volume * DUCKED : volume));
}

export function duckAudio(isDucked: boolean): void {
  useAudioVolume.setState({ isDucked });
}

export function setAudioVolume(volume: number): void {
  useAudioVolume.setState({ volume });
  localStorage.setItem(STORAGE_KEY, String(volume));
}
