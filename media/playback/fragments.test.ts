// What the fragment player reads over HTTP: the list of a window, whole segments with any sound, keyframes alone, while retention removes.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyMedia } from '../../tests/harness/ffprobe.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '../codec/codec-worker.ts';
import { recordClip, recordWithSilences } from '../recorder/file-recorder.fixture.ts';
import { aacFormat, g711Format } from '../recorder/synthetic-stream.fixture.ts';
import { createDisk } from '../recordings/disk.ts';
import { readClockBox } from '../recordings/file-boxes.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { StreamHub } from '../stream/hub.ts';
import type { AudioFormat } from '../stream/stream.ts';
import { createPlaybackEndpoint, type PlaybackEndpoint } from './playback-endpoint.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const TICKET = 'ticket_of_twenty_characters';
/** Removals that race with readers. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 20);
const disk = createDisk();
const hub = new StreamHub({ clock: systemClock, onConsumerFailure: () => undefined, lingerMs: 0 });
const codec = new CodecWorker({ start: null, clock: systemClock, decoders: 1 });

interface Listed {
  readonly name: string;
  readonly wallMs: number;
  readonly durationMs: number;
  readonly init: string;
  readonly isBreak: boolean;
}

let folder: string;
let store: RecordingsStore;
let server: Server;
let endpoint: PlaybackEndpoint;
let range: { startTime: number; endTime: number };
let origin: string;
const failures: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fragments-'));
  store = new RecordingsStore({ disk, folder });
  endpoint = createPlaybackEndpoint({
    disk,
    store: () => store,
    hub,
    monotonicMs: () => performance.now(),
    authorise: () => ({
      allowed: true,
      sessionId: 'session1',
      kind: 'recorded',
      key: KEY,
      range,
      upstream: null,
      deviceSnapshot: null,
      ended: new AbortController().signal,
      hold: () => () => undefined,
    }),
    onFailure: (error) => failures.push(error),
    playableAudio: (upstream) => upstream,
    recordedAac: null,
    snapshots: new Snapshots({
      codec,
      hub,
      disk,
      store: () => store,
      clock: systemClock,
      onDeviceFailure: () => undefined,
    }),
  });
  server = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  failures.length = 0;
});
afterEach(async () => {
  endpoint.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
  if (failures.length > 0) throw new AggregateError(failures, 'the endpoint failed');
});

async function record(startMs: number, seconds: number, audio: AudioFormat | null): Promise<void> {
  await recordClip({ disk, folder, store, key: KEY }, { startMs, seconds, audio });
}

const get = (name: string): Promise<Response> => fetch(`${origin}/media/fragments/${TICKET}/${name}`);
const bytesOf = async (name: string): Promise<Buffer> => Buffer.from(await (await get(name)).arrayBuffer());

async function list(): Promise<readonly Listed[]> {
  return ((await (await get('index.json')).json()) as { segments: Listed[] }).segments;
}

test.each([
  ['AAC', aacFormat, ['h264', 'aac']],
  ['G.711', g711Format, ['h264', 'pcm_alaw']],
  ['no sound', null, ['h264']],
])('[ST-07] a window is a list of segments that play by themselves: %s', async (_title, audio, codecs) => {
  await record(START_MS, 70, audio);
  range = { startTime: START_MS + 3000, endTime: START_MS + 65_000 };
  const segments = await list();
  expect(segments).toHaveLength(32);
  expect(segments[0]).toMatchObject({ wallMs: START_MS + 2000, durationMs: 2000, isBreak: false });
  const init = await bytesOf(`${segments[0]?.init}.mp4`);
  const one = await bytesOf(`${segments[7]?.name}.m4s`);
  expect(readClockBox(one, 0)).toBe(START_MS + 16_000);
  expect(await verifyMedia('-', Buffer.concat([init, one]))).toMatchObject({ codecs, frames: 40, errors: '' });
});

test('frames dropped within a segment leave no gap after it', async () => {
  await recordWithSilences({ disk, folder, store, key: KEY }, START_MS);
  range = { startTime: START_MS, endTime: START_MS + 20_000 };
  expect((await list()).map(({ wallMs, durationMs }) => [wallMs - START_MS, durationMs])).toEqual([
    [0, 5800],
    [5800, 2000],
    [7800, 2000],
  ]);
  expect(store.spans(KEY, START_MS, START_MS + 20_000)).toHaveLength(1);
});

test('serves a single keyframe with its capture time, a fraction of its segment', async () => {
  await record(START_MS, 20, aacFormat);
  range = { startTime: START_MS, endTime: START_MS + 20_000 };
  const segment = (await list())[3];
  const [init, key, whole] = await Promise.all([
    bytesOf(`${segment?.init}.mp4`),
    bytesOf(`${segment?.name}.key`),
    bytesOf(`${segment?.name}.m4s`),
  ]);
  expect(readClockBox(key, 0)).toBe(segment?.wallMs);
  expect(key.length).toBeLessThan(whole.length / 2);
  expect(await verifyMedia('-', Buffer.concat([init, key]))).toMatchObject({ frames: 1, errors: '' });
});

test('a ticket opens only segments of its window', async () => {
  await record(START_MS, 70, null);
  range = { startTime: START_MS, endTime: START_MS + 70_000 };
  const segments = await list();
  const [inside, outside] = [segments[2], segments[20]];
  range = { startTime: START_MS, endTime: START_MS + 10_000 };
  const status = async (name: string) => (await get(name)).status;
  expect(await status(`${inside?.name}.m4s`)).toBe(200);
  expect(await status(`${outside?.name}.m4s`)).toBe(404);
  expect(await status(`${outside?.name}.key`)).toBe(404);
  // Not from the middle of a segment, not beyond its end, nothing that is no name.
  const [file, first, count] = (inside?.name ?? '').split('-').map(Number);
  expect(await status(`${file}-${Number(first) + 1}-1.m4s`)).toBe(404);
  expect(await status(`${file}-${first}-${Number(count) + 1}.m4s`)).toBe(404);
  expect(await status(`${file}-${first}-0.m4s`)).toBe(404);
  expect(await status(`${Number(file) + 1}.mp4`)).toBe(404);
  expect(await status('..%2f..%2fkeys')).toBe(404);
});

test('[FT-41] a reader gets whole segments or a clear 404 while retention removes', async () => {
  await record(START_MS, 300, aacFormat);
  range = { startTime: START_MS, endTime: START_MS + 300_000 };
  const segments = await list();
  const stored = new Map<string, Buffer>();
  for (const { name } of segments) stored.set(name, await bytesOf(`${name}.m4s`));
  const outcomes = { whole: 0, gone: 0 };
  const read = async (name: string): Promise<void> => {
    const answer = await get(`${name}.m4s`);
    if (answer.status === 404) {
      expect(await answer.json()).toEqual({ code: 1007, message: 'notFound' });
      outcomes.gone++;
      return;
    }
    expect(answer.status).toBe(200);
    const body = Buffer.from(await answer.arrayBuffer());
    // Every byte is of the segment asked for.
    expect(body.equals(stored.get(name) as Buffer)).toBe(true);
    outcomes.whole++;
  };
  const files = [...new Set(segments.map(({ name }) => Number(name.split('-')[0])))];
  for (let round = 0; round < ROUNDS; round++) {
    const file = files[round % files.length] as number;
    const others = segments.filter(({ name }) => name.startsWith(`${file}-`));
    const count = others.length;
    // Every round removes at another moment: after the first answer, after the second, … Four readers, so that some come before it and some after.
    let answered = 0;
    let removal: Promise<void> | null = null;
    const reader = async (): Promise<void> => {
      for (let next = others.shift(); next; next = others.shift()) {
        await read(next.name);
        answered++;
        if (answered > round % count) removal ??= store.remove(KEY, file);
      }
    };
    await Promise.all([reader(), reader(), reader(), reader()]);
    await (removal ?? store.remove(KEY, file));
    expect((await list()).some(({ name }) => name.startsWith(`${file}-`))).toBe(false);
    if (round % files.length === files.length - 1) await record(START_MS, 300, aacFormat);
  }
  expect(outcomes.whole).toBeGreaterThan(0);
  expect(outcomes.gone).toBeGreaterThan(0);
}, 60_000);
