// What a playlist of 600 s costs the media engine: planned from the index and written, no footage touched.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeRecordedPlaylist } from '@vedette/media/playback/hls-playlist.ts';
import { planWindow } from '@vedette/media/playback/playback-plan.ts';
import { feed } from '@vedette/media/recorder/synthetic-stream.fixture.ts';
import { Recorder } from '@vedette/media/recorder/recorder.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { median } from './figures.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const START_MS = 1_700_000_000_000;

/** Median ms of 50. */
export async function measurePlaylist(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vedette-playlist-'));
  try {
    const disk = createDisk();
    const store = new RecordingsStore({ disk, folder });
    const recorder = new Recorder({
      disk,
      key: KEY,
      sink: {
        folderForWriting: () => folder,
        opened: (key, file) => store.opened(key, file),
        stored: (key, file) => store.stored(key, file),
        closed: (key, file) => store.closed(key, file),
        failed: (error) => {
          throw error;
        },
      },
      monotonicMs: () => performance.now(),
      wait: () => Promise.resolve(),
      newRunId: () => 1,
      queueMaxBytes: 1e9,
      onFault: (error) => {
        throw error;
      },
    });
    feed(recorder, { startMs: START_MS, seconds: 620, firstDts: 77 });
    await recorder.close();
    const times: number[] = [];
    for (let round = 0; round < 50; round++) {
      const begun = performance.now();
      writeRecordedPlaylist(await planWindow({ store, key: KEY, startMs: START_MS, endMs: START_MS + 600_000 }));
      times.push(performance.now() - begun);
    }
    return median(times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
