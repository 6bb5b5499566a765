// Drag surface for PTZ: a drag from the centre turns the camera, the wheel zooms it.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useCaller } from '../../services/services.ts';
import type { Caller } from '../../calls/caller.ts';
import { type PtzVector, ptzVectorAt } from './direction.ts';
import style from './ptz.module.css';
import { stopMove, stopAllMoves, startMove } from './ptz-control.ts';

interface Arrow {
  readonly x: number;
  readonly y: number;
}

const WHEEL_REST_MS = 250;

export function PtzDragSurface({ label }: { readonly label: string }) {
  const caller = useCaller();
  const surface = useRef<HTMLDivElement>(null);
  const [arrow, setArrow] = useState<Arrow | null>(null);
  useEffect(() => listen(surface, caller, setArrow), [caller]);
  return (
    <div ref={surface} className={style.surface} draggable role="img" aria-label={label} data-pulling={arrow !== null}>
      <svg viewBox="-50 -50 100 100" className={style.cross} aria-hidden="true">
        <path d="M-3.5 0H3.5M0 -3.5V3.5" />
        {arrow && <line x1="0" y1="0" x2={arrow.x * 46} y2={arrow.y * 46} />}
        {arrow && <circle cx={arrow.x * 46} cy={arrow.y * 46} r="2.4" />}
      </svg>
    </div>
  );
}

/** Heard by the element itself, so that the tile below neither zooms nor is dragged. */
function listen(
  surface: RefObject<HTMLElement | null>,
  caller: Caller,
  show: (arrow: Arrow | null) => void,
): (() => void) | undefined {
  const element = surface.current;
  if (!element) return undefined;
  const listening = new AbortController();
  const { signal } = listening;
  let pull: PtzVector | null = null;
  const follow = (event: PointerEvent): void => {
    const box = element.getBoundingClientRect();
    const half = Math.min(box.width, box.height) / 2;
    const x = clamp((event.clientX - box.left - box.width / 2) / half);
    const y = clamp((event.clientY - box.top - box.height / 2) / half);
    show({ x, y });
    const next = ptzVectorAt(x, y);
    if (next?.command === pull?.command && next?.speed === pull?.speed) return;
    if (pull && pull.command !== next?.command) stopMove(caller, pull.command);
    pull = next;
    if (next) startMove(caller, next.command, next.speed);
  };
  const end = (): void => {
    if (pull) stopMove(caller, pull.command);
    pull = null;
    show(null);
  };
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      follow(event);
    },
    { signal },
  );
  element.addEventListener('pointermove', (event) => element.hasPointerCapture(event.pointerId) && follow(event), {
    signal,
  });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
    element.addEventListener(name, end, { signal });
  for (const name of ['dragstart', 'dblclick'] as const)
    element.addEventListener(name, (event) => keepHere(event), { signal });
  const wheel = wheelZoom(caller);
  element.addEventListener('wheel', wheel.turn, { signal, passive: false });
  return () => {
    listening.abort();
    wheel.end();
    stopAllMoves(caller);
  };
}

function keepHere(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Zooms as long as the wheel turns. */
function wheelZoom(caller: Caller): { turn(event: WheelEvent): void; end(): void } {
  let command: 'zoomIn' | 'zoomOut' | null = null;
  let rest = 0;
  const end = (): void => {
    clearTimeout(rest);
    if (command) stopMove(caller, command);
    command = null;
  };
  return {
    end,
    turn: (event) => {
      keepHere(event);
      const next = event.deltaY < 0 ? 'zoomIn' : 'zoomOut';
      if (command !== next) {
        end();
        command = next;
        startMove(caller, next);
      }
      clearTimeout(rest);
      rest = window.setTimeout(end, WHEEL_REST_MS);
    },
  };
}

function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
