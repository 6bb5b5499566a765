// Sightings on the site port: one object that edge intelligence followed, from when to when, and the best frame of it.
import { type ObjectClass, OBJECT_CLASSES } from '../enumerations.ts';

/** Milliseconds after the start of the sighting, then the object's box in shares of the picture: x, y, width, height. */
export type PathPoint = readonly [afterMs: number, x: number, y: number, width: number, height: number];

/** Reported when the object was last seen, or after five minutes of it. One that comes twice counts once. */
export interface SightingReport {
  readonly kind: 'sighting';
  readonly deviceSerial: string;
  readonly channelNo: number;
  /** Globally unique id, for deduplication. */
  readonly eventId: string;
  /** The same in the sightings of one object, as long as the tasks of the channel stay as they are; alarms name it too. */
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  /** Median, 0 to 1. */
  readonly score: number;
  /** Capture times of its first, best and last frame, ms. */
  readonly at: number;
  readonly bestAt: number;
  readonly endAt: number;
  /** Ascending, from the first box to the last; never empty. */
  readonly path: readonly PathPoint[];
  /** Zones in which its foot stood, by name. */
  readonly regions: readonly string[];
  /** A JPEG of the best frame around the object, base64. */
  readonly picture?: string;
}

/** `lengthMs`: five minutes, and a pause of the frames. `picture` in characters of base64: 30 KB. */
export const SIGHTING_LIMITS = { lengthMs: 900_000, points: 48, regions: 16, name: 64, picture: 40_000 } as const;
const TRACK_MAX = 2 ** 31 - 1;
const CLASSES: ReadonlySet<unknown> = new Set(OBJECT_CLASSES);

type Given = Readonly<Record<string, unknown>>;
export type SightingDetail = Omit<SightingReport, 'kind' | 'deviceSerial' | 'channelNo' | 'eventId' | 'at'>;

/** Null for what is none. */
export function readSightingDetail(given: Given, at: number): SightingDetail | null {
  const { trackId, objectClass, score, bestAt, endAt, path, regions, picture } = given;
  if (!isCount(trackId, TRACK_MAX) || !isClass(objectClass) || !isShare(score)) return null;
  if (!isWithin(endAt, at, at + SIGHTING_LIMITS.lengthMs) || !isWithin(bestAt, at, endAt)) return null;
  if (!isPath(path, endAt - at) || !isNames(regions)) return null;
  // A sighting is never lost for its picture.
  const isPictured = typeof picture === 'string' && picture.length <= SIGHTING_LIMITS.picture;
  return { trackId, objectClass, score, bestAt, endAt, path, regions, ...(isPictured && { picture }) };
}

function isClass(value: unknown): value is ObjectClass {
  return CLASSES.has(value);
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return isCount(value, most) && value >= least;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isPath(value: unknown, lengthMs: number): value is readonly PathPoint[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > SIGHTING_LIMITS.points) return false;
  return value.every((point: unknown) => {
    if (!Array.isArray(point) || point.length !== 5) return false;
    const [afterMs, ...box] = point as unknown[];
    return isCount(afterMs, lengthMs) && box.every(isShare);
  });
}

function isNames(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > SIGHTING_LIMITS.regions) return false;
  return value.every((name) => typeof name === 'string' && name.length <= SIGHTING_LIMITS.name);
}
