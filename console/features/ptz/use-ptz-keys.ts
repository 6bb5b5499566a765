// Keyboard control of PTZ: arrows turn, + and − zoom, Shift is faster, Home goes to the first preset.
import { PTZ_SPEED, type PtzCommand } from '@vedette/contract/ptz.ts';
import { useEffect } from 'react';
import { useCaller } from '../../services/services.ts';
import { arrowCommand } from './direction.ts';
import { stopMove, stopAllMoves, startMove, usePtzControl } from './ptz-control.ts';

const ZOOMS: Readonly<Record<string, PtzCommand>> = { '+': 'zoomIn', '=': 'zoomIn', '-': 'zoomOut', _: 'zoomOut' };

export function usePtzKeys(isOn: boolean, onHome: () => void): void {
  const caller = useCaller();
  useEffect(() => {
    if (!isOn) return;
    const arrows = new Set<string>();
    let turning: PtzCommand | null = null;
    const turn = (isFast: boolean): void => {
      const command = arrowCommand(arrows);
      if (command === turning) return;
      if (turning) stopMove(caller, turning);
      turning = command;
      if (command) startMove(caller, command, isFast ? PTZ_SPEED.most : undefined);
    };
    const down = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      const zoom = ZOOMS[event.key];
      if (!event.key.startsWith('Arrow') && zoom === undefined && event.key !== 'Home') return;
      event.preventDefault();
      // The wall has keys of the same names.
      event.stopImmediatePropagation();
      if (event.repeat) return;
      if (zoom) startMove(caller, zoom, event.shiftKey ? PTZ_SPEED.most : undefined);
      else if (event.key === 'Home') onHome();
      else {
        arrows.add(event.key);
        turn(event.shiftKey);
      }
    };
    const up = ({ key }: KeyboardEvent): void => {
      // Shift may have changed what the key is called meanwhile.
      const zoom = ZOOMS[key];
      if (zoom) stopMove(caller, zoom);
      if (arrows.delete(key)) turn(false);
    };
    const away = (): void => {
      arrows.clear();
      turning = null;
      stopAllMoves(caller);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('keydown', down, { signal, capture: true });
    window.addEventListener('keyup', up, { signal, capture: true });
    window.addEventListener('blur', away, { signal });
    window.addEventListener('pagehide', away, { signal });
    document.addEventListener('visibilitychange', () => document.hidden && away(), { signal });
    const forget = usePtzControl.subscribe(({ trouble }) => {
      if (trouble !== null) turning = null;
    });
    return () => {
      listening.abort();
      forget();
      away();
    };
  }, [isOn, caller, onHome]);
}

/** Fields and dialogs keep their keys. */
function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof Element && target.closest('input,textarea,select,[role="dialog"],[role="menu"]') !== null;
}
