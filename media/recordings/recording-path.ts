// Paths of recorded files: <folder>/<channelId>/<quality>/<YYYYMMDD in UTC>/<start in ms>.mp4 and .idx. All of them are built here.
import { join } from 'node:path';

export type RecordedQuality = 0 | 1 | 2;

/** Key of one recorded track. */
export interface TrackKey {
  readonly channelId: string;
  readonly quality: RecordedQuality;
}

const CHANNEL_ID = /^[A-Za-z0-9]{1,64}$/;
const FILE_NAME = /^(\d{1,15})\.(mp4|idx)$/;
const DAY_NAME = /^\d{8}$/;

/** Channel ids come from the network and become folder names: only letters and digits are allowed. */
export function isChannelId(text: string): boolean {
  return CHANNEL_ID.test(text);
}

export function isDayName(text: string): boolean {
  return DAY_NAME.test(text);
}

export function dayOf(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '');
}

export function channelFolder(folder: string, channelId: string): string {
  if (!isChannelId(channelId)) throw new RangeError('channel id with other than letters and digits');
  return join(folder, channelId);
}

export function trackFolder(folder: string, key: TrackKey): string {
  return join(channelFolder(folder, key.channelId), String(key.quality));
}

export function dayFolder(folder: string, key: TrackKey, startMs: number): string {
  return join(trackFolder(folder, key), dayOf(startMs));
}

export function mediaPath(folder: string, key: TrackKey, startMs: number): string {
  return join(dayFolder(folder, key, startMs), `${startMs}.mp4`);
}

export function indexPath(folder: string, key: TrackKey, startMs: number): string {
  return join(dayFolder(folder, key, startMs), `${startMs}.idx`);
}

/** End of the name of a copy that is not complete: nothing lists or plays it. */
export const MOVING_SUFFIX = '.moving';

/** Start and kind of a recorded file, or null for another name. */
export function parseFileName(name: string): { startMs: number; kind: 'mp4' | 'idx' } | null {
  const match = FILE_NAME.exec(name);
  if (!match) return null;
  return { startMs: Number(match[1]), kind: match[2] as 'mp4' | 'idx' };
}
