// One camera on a floor plan: a button with its name and state, its alarm in sign, colour and words, and while editing what moves and turns it.
import { IconVideo, IconVideoOff } from '@tabler/icons-react';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useT } from '../../language/use-t.ts';
import { lastingAlarm, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useDeviceStatus } from '../../realtime/status-store.ts';
import { AlarmIcon } from '../alarm/alarm-icon.tsx';
import { alarmTypeText } from '../alarm/alarm-words.ts';
import { deviceTone, statusText } from '../device-inspector/device-words.ts';
import style from './floor-plan.module.css';
import { type PlanCameraFacts, UNKNOWN_CAMERA } from './plan-cameras.ts';
import type { PlanZoom } from './use-plan-zoom.ts';
import { directionTo, handlePlace, movedBy, movedTo, type PlanSize, turnedBy, widenedBy } from './view-cone.ts';

export interface CameraEditing {
  readonly change: (camera: FloorPlanCamera) => void;
  readonly remove: (camera: FloorPlanCamera) => void;
}

export interface CameraMarkProps {
  readonly camera: FloorPlanCamera;
  readonly facts: PlanCameraFacts | undefined;
  readonly size: PlanSize;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly placeOf: PlanZoom['placeOf'];
  /** Undefined where the plan is only looked at. */
  readonly editing: CameraEditing | undefined;
}

const percent = (part: number): string => `${part * 100}%`;

export function CameraMark(props: CameraMarkProps) {
  const { camera, isChosen, onChoose, editing } = props;
  const { name, status, alarm } = useMarkState(props);
  const words = useMarkWords(name, status, alarm);
  const Icon = status === DEVICE_STATUS.offline ? IconVideoOff : IconVideo;
  return (
    <div
      className={style.mark}
      style={{ left: percent(camera.x), top: percent(camera.y) }}
      data-camera={cameraKey(camera)}
      data-chosen={isChosen || undefined}
      data-status={deviceTone(status)}
      data-severity={alarm?.severity}
    >
      <button
        type="button"
        className={style.dot}
        aria-label={words}
        aria-pressed={isChosen}
        data-movable={editing !== undefined || undefined}
        onClick={onChoose}
        onFocus={onFocusOf(props)}
        onKeyDown={(event) => editByKey(event, props)}
        onPointerDown={(event) => startDrag(event, (at) => editing?.change(movedTo(camera, props.placeOf(at))), props)}
      >
        <Icon size={16} stroke={1.8} aria-hidden="true" />
      </button>
      <span className={style.name} aria-hidden="true">
        {name}
      </span>
      {alarm !== null && <AlarmSign alarm={alarm} />}
    </div>
  );
}

interface MarkState {
  readonly name: string;
  readonly status: number;
  readonly alarm: Alarm | null;
}

function useMarkState({ camera, facts }: CameraMarkProps): MarkState {
  const { deviceSerial, channelNo } = camera;
  const { name, status: asked } = facts ?? { ...UNKNOWN_CAMERA, name: deviceSerial };
  const status = useDeviceStatus(deviceSerial, asked);
  const alarm = useAlarmStore((state) => lastingAlarm(state, deviceSerial, channelNo));
  return { name, status, alarm: alarm?.severity === 'info' ? null : alarm };
}

/** What a screen reader says in place of the mark. */
function useMarkWords(name: string, status: number, alarm: MarkState['alarm']): string {
  const t = useT();
  const words = [name, statusText(t, status)];
  if (alarm !== null) words.push(`${t(`severity_${alarm.severity}`)}: ${alarmTypeText(t, alarm.type)}`);
  return words.join(', ');
}

function AlarmSign({ alarm }: { readonly alarm: Alarm }) {
  const t = useT();
  return (
    <span className={style.alarm} aria-hidden="true" data-on-picture>
      <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
      {alarmTypeText(t, alarm.type)}
    </span>
  );
}

/** While editing, the camera with the focus is the one that keys and the panel change. */
function onFocusOf({ editing, onChoose, isChosen }: CameraMarkProps): () => void {
  return () => {
    if (editing !== undefined && !isChosen) onChoose();
  };
}

/** At the far end of the cone: pulled around the camera, or turned by arrows. */
export function TurnHandle(props: CameraMarkProps) {
  const { camera, facts, size, editing, placeOf } = props;
  const t = useT();
  if (editing === undefined) return null;
  const place = handlePlace(camera, size);
  const turnTo = (at: PointerEvent): void =>
    editing.change({ ...camera, direction: directionTo(camera, size, placeOf(at)) });
  return (
    <span
      className={style.handle}
      style={{ left: percent(place.x), top: percent(place.y) }}
      role="slider"
      tabIndex={0}
      aria-label={t('plans.directionOf', { name: facts?.name ?? camera.deviceSerial })}
      aria-valuemin={0}
      aria-valuemax={359}
      aria-valuenow={camera.direction}
      aria-valuetext={t('plans.degrees', { value: camera.direction })}
      onPointerDown={(event) => startDrag(event, turnTo, props)}
      onKeyDown={(event) => {
        const turn = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (turn === undefined) return;
        take(event);
        editing.change(turnedBy(camera, turn * (event.shiftKey ? TURN_DEGREES : 1)));
      }}
    />
  );
}

/** `at` is told each place of the pointer until it is let go. */
function startDrag(
  event: PointerEvent,
  at: (event: PointerEvent) => void,
  { editing, onChoose }: CameraMarkProps,
): void {
  // The picture below is moved by the same drag otherwise.
  event.stopPropagation();
  if (editing === undefined || event.button !== 0) return;
  onChoose();
  const element = event.currentTarget as HTMLElement;
  element.setPointerCapture(event.pointerId);
  const [startX, startY] = [event.clientX, event.clientY];
  let isDragged = false;
  const dragging = new AbortController();
  const until = { signal: dragging.signal };
  element.addEventListener(
    'pointermove',
    (move) => {
      // A click that trembles moves nothing.
      isDragged ||= Math.hypot(move.clientX - startX, move.clientY - startY) >= DRAG_PX;
      if (isDragged) at(move as unknown as PointerEvent);
    },
    until,
  );
  for (const end of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(end, () => dragging.abort(), until);
}

const DRAG_PX = 3;
/** Parts of the longer side. */
const STEP = 0.01;
const FINE_STEP = 0.002;
const TURN_DEGREES = 15;
const WIDEN_DEGREES = 5;
const MOVES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function take(event: KeyboardEvent): void {
  event.preventDefault();
  // Shortcuts of the page with the same letters.
  event.stopPropagation();
}

function editByKey(event: KeyboardEvent, { camera, size, editing }: CameraMarkProps): void {
  if (editing === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const changed = changedByKey(event, camera, size);
  if (changed === null && event.key !== 'Delete') return;
  take(event);
  if (changed === null) editing.remove(camera);
  else editing.change(changed);
}

function changedByKey({ key, shiftKey }: KeyboardEvent, camera: FloorPlanCamera, size: PlanSize) {
  const move = MOVES[key];
  if (move !== undefined) {
    const step = shiftKey ? FINE_STEP : STEP;
    return movedBy(camera, size, { x: move[0] * step, y: move[1] * step });
  }
  if (key === 'r' || key === 'R') return turnedBy(camera, shiftKey ? -TURN_DEGREES : TURN_DEGREES);
  if (key === '[' || key === ']') return widenedBy(camera, key === ']' ? WIDEN_DEGREES : -WIDEN_DEGREES);
  return null;
}
