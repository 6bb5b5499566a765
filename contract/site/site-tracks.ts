// Tracks on the media tunnel: the local site names a channel in one line, the remote site answers with a line of JSON for each frame that it looked at.
import { type ObjectClass, OBJECT_CLASSES } from '../enumerations.ts';
import type { LiveTrack, LiveTracks } from '../media-wire.ts';

/** The first line, JSON; nothing follows it. */
export interface TracksRequest {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** `line` in bytes. */
export const TRACKS_LIMITS = { request: 256, line: 64 * 1024, tracks: 256 } as const;
const TRACK_MAX = 2 ** 31 - 1;
const CHANNEL_MAX = 65_535;
const CLASSES: ReadonlySet<unknown> = new Set(OBJECT_CLASSES);

/** Null for what is none. */
export function readTracksRequest(line: string): TracksRequest | null {
  const given = parsed(line);
  if (given === null) return null;
  const { deviceSerial, channelNo } = given;
  if (typeof deviceSerial !== 'string' || !isCount(channelNo, CHANNEL_MAX)) return null;
  return { deviceSerial, channelNo };
}

/** Null for what is none: a remote site is another machine. */
export function readTracksLine(line: string): LiveTracks | null {
  const given = parsed(line);
  if (given === null) return null;
  const { at, tracks } = given;
  if (!isCount(at, Number.MAX_SAFE_INTEGER) || !Array.isArray(tracks) || tracks.length > TRACKS_LIMITS.tracks) {
    return null;
  }
  const read = tracks.map(readTrack);
  return read.every((track) => track !== null) ? { at, tracks: read } : null;
}

function readTrack(given: unknown): LiveTrack | null {
  if (typeof given !== 'object' || given === null) return null;
  const { trackId, objectClass, score, box, isStill } = given as Readonly<Record<string, unknown>>;
  if (!isCount(trackId, TRACK_MAX) || !isClass(objectClass) || !isShare(score)) return null;
  if (!isBox(box) || typeof isStill !== 'boolean') return null;
  return { trackId, objectClass, score, box, isStill };
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isClass(value: unknown): value is ObjectClass {
  return CLASSES.has(value);
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** In shares of the picture; an object may reach out of it. */
function isBox(value: unknown): value is LiveTrack['box'] {
  if (!Array.isArray(value) || value.length !== 4) return false;
  return value.every((edge: unknown) => typeof edge === 'number' && edge >= -1 && edge <= 2);
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
