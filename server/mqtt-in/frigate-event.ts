// Reads what Frigate tells over MQTT (`<prefix>/events`): which camera, which object, whether it begins or ends. Pure.
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

const TYPES: Readonly<Record<string, RaisedAlarmType>> = {
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
};

/** Null for updates, for what Frigate itself takes for an error, and for what is no event. */
export function readFrigateEvent(payload: string): FrigateEvent | null {
  const told = objectIn(parse(payload));
  const after = objectIn(told['after']);
  const { id, camera, label } = after;
  if (typeof id !== 'string' || typeof camera !== 'string' || typeof label !== 'string') return null;
  if (after['false_positive'] === true) return null;
  const isEnd = told['type'] === 'end';
  if (!isEnd && told['type'] !== 'new') return null;
  const seconds = isEnd ? after['end_time'] : after['start_time'];
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return null;
  const data: Record<string, string> = { label };
  if (typeof after['top_score'] === 'number') data['score'] = after['top_score'].toFixed(2);
  if (Array.isArray(after['entered_zones']) && after['entered_zones'].length > 0) {
    data['zones'] = after['entered_zones'].map(String).join(', ');
  }
  return {
    id,
    camera,
    type: TYPES[label] ?? 'ObjectTracked',
    phase: isEnd ? 'end' : 'start',
    at: Math.round(seconds * 1000),
    data,
  };
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
