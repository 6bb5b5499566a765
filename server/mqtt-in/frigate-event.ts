// Parses Frigate events from MQTT (`<prefix>/events`): camera, object, begin or end. Pure.
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';

export interface FrigateEvent {
  readonly id: string;
  readonly camera: string;
  readonly type: RaisedAlarmType;
  readonly phase: 'start' | 'end';
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly data: Readonly<Record<string, string>>;
}

const TYPES: ReadonlyMap<string, RaisedAlarmType> = new Map<string, RaisedAlarmType>(
  Object.entries({
    person: 'HumanShapeDetect',
    face: 'FaceDetect',
    car: 'VehicleDetect',
    truck: 'VehicleDetect',
    bus: 'VehicleDetect',
    motorcycle: 'VehicleDetect',
    bicycle: 'NonMotorDetect',
    dog: 'PetDetect',
    cat: 'PetDetect',
    bird: 'PetDetect',
    package: 'PackageDetect',
    license_plate: 'LicensePlateRecognition',
    bark: 'DogBark',
    crying: 'CryDetection',
    scream: 'ScreamDetect',
    fire_alarm: 'FireAlarm',
    smoke_detector: 'SmokeAlarm',
  }),
);

/** Of names and labels, as events of cameras have them. */
const NAME_LENGTH = 128;
const ZONES_MAX = 32;

/** `none` for updates and for what Frigate itself takes for an error; null for what is no event. */
export function readFrigateEvent(payload: string): FrigateEvent | 'none' | null {
  const message = objectIn(parse(payload));
  const after = objectIn(message['after']);
  const [id, camera, label] = [nameIn(after['id']), nameIn(after['camera']), nameIn(after['label'])];
  if (id === null || camera === null || label === null) return null;
  if (after['false_positive'] === true || message['type'] === 'update') return 'none';
  const phase = PHASES.get(message['type']);
  if (phase === undefined) return null;
  const at = timeIn(phase === 'end' ? after['end_time'] : after['start_time']);
  if (at === null) return null;
  return { id, camera, type: TYPES.get(label) ?? 'ObjectTracked', phase, at, data: dataOf(label, after) };
}

const PHASES: ReadonlyMap<unknown, FrigateEvent['phase']> = new Map([
  ['new', 'start'],
  ['end', 'end'],
] as const);

/** Milliseconds, of seconds since 1970. */
function timeIn(seconds: unknown): number | null {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds * 1000 <= Number.MAX_SAFE_INTEGER)) return null;
  return Math.round(seconds * 1000);
}

function dataOf(label: string, after: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const score = after['top_score'];
  const given = after['entered_zones'];
  const zones = Array.isArray(given) ? given.slice(0, ZONES_MAX).flatMap((zone) => nameIn(zone) ?? []) : [];
  return {
    label,
    ...(typeof score === 'number' && { score: score.toFixed(2) }),
    ...(zones.length > 0 && { zones: zones.join(', ') }),
  };
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= NAME_LENGTH ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
