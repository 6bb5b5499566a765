// Keys of objects: <prefix>/<account>/<channel>/<quality>/<YYYYMMDD in UTC>/<start in ms>.mp4 and .idx, as the files lie on the disk.
import { basename, dirname } from 'node:path';
import { type TrackKey, dayOf } from '@vedette/media/recordings/recording-path.ts';

/** The part that store and order give. */
export function rootOf(prefix: string, ownerId: string): string {
  return prefix === '' ? ownerId : `${prefix}/${ownerId}`;
}

export function objectKey(
  root: string,
  { channelId, quality }: TrackKey,
  startMs: number,
  kind: 'mp4' | 'idx',
): string {
  return `${root}/${channelId}/${quality}/${dayOf(startMs)}/${startMs}.${kind}`;
}

/** A part that begins with a dot, a percent sign or a backslash would lead a URL to another object. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

export function isObjectKey(key: string): boolean {
  return KEY.test(key);
}

/** Of the folder of a day. */
export function trackOf(day: string): TrackKey {
  const quality = Number(basename(dirname(day)));
  return { channelId: basename(dirname(dirname(day))), quality: quality === 1 || quality === 2 ? quality : 0 };
}
