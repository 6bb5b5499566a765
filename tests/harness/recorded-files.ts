// Recordings of a channel read from the site's folder: files, indexes, and the clock burned into their last frames.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileIndex, readIndex, RECORD_FLAG } from '../../media/recordings/index-record.ts';
import { countedFrames } from './counted-frames.ts';

export interface StoredFile {
  readonly path: string;
  readonly startMs: number;
  readonly index: FileIndex;
}

/** Of the main stream, oldest first. */
export async function filesOf(recordings: string, channelId: string): Promise<StoredFile[]> {
  const folder = join(recordings, channelId, '0');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.mp4'));
  const files = names.map(async (name) => {
    const path = join(folder, name);
    const index = readIndex(await readFile(path.replace('.mp4', '.idx')));
    if (!index) throw new Error(`no index for ${path}`);
    return { path, index, startMs: Number(/(\d+)\.mp4$/.exec(name)?.[1]) };
  });
  return (await Promise.all(files)).sort((a, b) => a.startMs - b.startMs);
}

/** Wall clock burned into the last picture of a file, decoded from its last key frame on. */
export async function lastFrameMs({ path, index }: StoredFile): Promise<number> {
  const bytes = await readFile(path);
  const keys = index.records.filter((record) => record.flags & RECORD_FLAG.key);
  const from = keys.at(-1)?.offset ?? 0;
  const start = index.records[0]?.offset ?? 0;
  const frames = await countedFrames('-', Buffer.concat([bytes.subarray(0, start), bytes.subarray(from)]));
  return frames.at(-1)?.wallMs ?? 0;
}

export interface Loss {
  readonly lost: readonly number[];
  readonly back: readonly number[];
}

/** Per channel: what is missing before the end of its recorder, and until when nothing was recorded after it, in milliseconds. */
export async function lossAround(recordings: string, channelIds: readonly string[], killedMs: number): Promise<Loss> {
  const lost: number[] = [];
  const back: number[] = [];
  for (const channelId of channelIds) {
    const files = await filesOf(recordings, channelId);
    const before = files.filter((file) => file.startMs < killedMs).at(-1);
    const after = files.find((file) => file.startMs >= killedMs);
    if (!before || !after) throw new Error(`${channelId} was not recorded around the kill`);
    lost.push(killedMs - (await lastFrameMs(before)));
    back.push(after.startMs - killedMs);
  }
  return { lost, back };
}
