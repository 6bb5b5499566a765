// A torn file keeps its whole pictures whatever codec they are of: chains of NAL units, and JPEGs.
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileRecorder } from '../recorder/file-recorder.fixture.ts';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import { createDisk } from './disk.ts';
import { mediaPath } from './recording-path.ts';
import { RecordingsStore } from './recordings-store.ts';
import { repairFile } from './repair-file.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const START_MS = Date.UTC(2026, 4, 1);
const disk = createDisk();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scan-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function jpeg(fill: number): Buffer {
  return Buffer.concat([Buffer.of(0xff, 0xd8), Buffer.alloc(3000, fill), Buffer.of(0xff, 0xd9)]);
}

it('[FT-17] a torn Motion JPEG recording is listed with its intact frames, not removed', async () => {
  const store = new RecordingsStore({ disk, folder });
  const recorder = fileRecorder({ disk, folder, store, key: KEY });
  recorder.format(clip.format);
  for (let n = 0; n < 40; n += 1) {
    const at = { dts: n * 9000, ctsOffset: 0, wallMs: START_MS + n * 100 };
    recorder.accessUnit({ track: 'video', data: jpeg(n), isKey: true, ...at });
  }
  await recorder.close();
  const media = mediaPath(folder, KEY, START_MS);
  const whole = store.files(KEY, 0, 2e12)[0];
  await rm(media.replace('.mp4', '.idx'));
  await truncate(media, (await stat(media)).size - 10);
  const { entry } = await repairFile({ disk, folder, key: KEY, startMs: START_MS });
  expect(entry?.records).toBeGreaterThan(5);
  expect(entry?.endMs).toBeGreaterThanOrEqual((whole?.endMs ?? 0) - 1000);
});
