// Names of exported files: channel and time, in characters that every file system allows.
import type { ExportOrderItem } from '@vedette/contract/site/site-export.ts';
import { trimEndOf } from '@vedette/protocols/text/trim-end.ts';

const NAME_MAX = 60;
/** Appended to names that Windows reserves. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** The channel by the name that its users know. */
export function channelTitle({ channelName, deviceName }: Pick<ExportOrderItem, 'channelName' | 'deviceName'>): string {
  return channelName || deviceName;
}

/** File name of an export with a chosen name. */
export function namedMovie(name: string): string {
  return `${cleanName(name)}.mp4`;
}

/** `Gate 20260329T010000Z.mp4`; the time is UTC. */
export function movieName(title: string, startMs: number): string {
  return `${cleanName(title)} ${stamp(startMs)}.mp4`;
}

export function archiveName(name: string, startMs: number): string {
  return name === '' ? `Export ${stamp(startMs)}.zip` : `${cleanName(name)}.zip`;
}

/** Repeated names get a number. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [stem, ending] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.'))];
  for (let number = 2; ; number += 1) {
    const next = `${stem} (${number})${ending}`;
    if (!taken.has(next)) return next;
  }
}

export function cleanName(title: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const plain = title.replace(/[\u0000-\u001f\u007f-\u009f\\/:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
  const cut = [...plain.replace(/\s+/g, ' ').trim()].slice(0, NAME_MAX).join('');
  const short = trimEndOf(cut.replace(/^\.+/, ''), (unit) => unit === '.' || unit === ' ');
  return short === '' || RESERVED.test(short) ? 'Recording' : short;
}

function stamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
