// Cost of a 600 s playlist in the media engine, built from the index without reading media.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeRecordedPlaylist } from '../../media/playback/hls-playlist.ts';
import { planWindow } from '../../media/playback/playback-plan.ts';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
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
    await recordClip({ disk, folder, store, key: KEY }, { startMs: START_MS, seconds: 620 });
    const times: number[] = [];
    for (let round = 0; round < 50; round++) {
      const begun = performance.now();
      const plan = await planWindow({ store, key: KEY, startMs: START_MS, endMs: START_MS + 600_000 });
      writeRecordedPlaylist({ ...plan, hasAudio: false });
      times.push(performance.now() - begun);
    }
    return median(times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
