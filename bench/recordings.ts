// npm run bench:recordings: cost of a 31-day timeline of 64 recording cameras, and of a 600 s playlist.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { TrackNote } from '@vedette/media/recordings/gaps/track-notes.ts';
import { median } from './measure/figures.ts';
import { measurePlaylist } from './measure/playlist.ts';

const CAMERAS = 64;
const DAYS = 31;
const ROUNDS = 15;
const FROM_MS = Date.UTC(2026, 0, 1);
const UNTIL_MS = FROM_MS + DAYS * 86_400_000;
const GOALS = { timelineMs: 50, playlistMs: 1 };

const keys = Array.from({ length: CAMERAS }, (_, n): TrackKey => ({ channelId: `camera${n}`, quality: 0 }));
const heapBefore = process.memoryUsage().heapUsed;
const store = new RecordingsStore({ disk: createDisk(), folder: '/nonexistent' });
store.load(keys.map((key, n) => ({ key, entries: [...filesOf(n)], notes: [...notesOf(n)] })));
const listMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;

const times: number[] = [];
let answered = { spans: 0, gaps: 0 };
for (let round = 0; round < ROUNDS; round += 1) {
  // A camera that records moves the end of its newest file about twice a second: nothing may be kept from before.
  for (const key of keys)
    store.stored(key, {
      startMs: UNTIL_MS - MINUTE_MS,
      endMs: UNTIL_MS - round,
      mediaBytes: 1e6 + round,
      indexBytes: 64,
      recordsAhead: [],
    });
  const began = performance.now();
  answered = { spans: 0, gaps: 0 };
  for (const key of keys) {
    answered.spans += store.spans(key, FROM_MS, UNTIL_MS).length;
    answered.gaps += store.gaps(key, { from: FROM_MS, to: UNTIL_MS }, UNTIL_MS).length;
  }
  times.push(performance.now() - began);
}
const timelineMs = median(times);
const playlistMs = await measurePlaylist();
const result = {
  bench: 'recordings',
  cameras: CAMERAS,
  days: DAYS,
  files: CAMERAS * DAYS * 1440,
  ...answered,
  timelineMs: rounded(timelineMs),
  timelineWorstMs: rounded(Math.max(...times)),
  playlistMs: rounded(playlistMs),
  listMb: Math.round(listMb),
  goals: GOALS,
  isGood: timelineMs <= GOALS.timelineMs && playlistMs <= GOALS.playlistMs,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

/** A file a minute; each camera was away for some minutes of every day, at an hour of its own. */
function* filesOf(camera: number) {
  for (let startMs = FROM_MS; startMs < UNTIL_MS; startMs += MINUTE_MS) {
    const minute = ((startMs - FROM_MS) / MINUTE_MS) % 1440;
    if (minute >= camera * 20 && minute < camera * 20 + 5) continue;
    yield { startMs, endMs: startMs + MINUTE_MS, mediaBytes: 1_000_000, records: 120 };
  }
}

/** Why it was away, and an event every hour. */
function* notesOf(camera: number): Generator<TrackNote> {
  for (let day = FROM_MS; day < UNTIL_MS; day += 86_400_000) {
    const away = day + camera * 20 * MINUTE_MS;
    yield { kind: 'cameraOffline', startMs: away, endMs: away + 5 * MINUTE_MS };
    for (let hour = 0; hour < 24; hour += 1) {
      const startMs = day + hour * 3_600_000 + 600_000;
      yield { kind: 'alarm', startMs, endMs: startMs + 30_000 };
    }
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
