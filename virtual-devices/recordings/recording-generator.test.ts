// Proves the thread that makes recordings: what it makes decodes, it waits for its client, and one replay's fault is its own.
import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import type { SceneName } from '../scene/scene-catalogue.ts';
import { readStripFromLuma } from '../scene/painting/strip.ts';
import type { ReplayError } from './replay-error.ts';
import { RecordingGenerator } from './recording-generator.ts';
import { BATCHES_AHEAD, type ReplayRequest, replayShape } from './generator-messages.ts';
import { recordedSpans } from './recorded-pattern.ts';

/** The thread gives way to everything else: on a busy machine it comes late. */
const SLOW = { timeout: 30_000 };
vi.setConfig({ testTimeout: 60_000 });

const NOON = Date.parse('2026-11-21T12:00:00Z');
const SEED = 65;
/** In the middle of what this channel recorded, an hour at most. */
const whole = recordedSpans(SEED, { from: NOON - 86_400_000, to: NOON }).find(({ from, to }) => to - from > 1_800_000);
const from = whole?.from ?? 0;

function order(seconds: number, scene: SceneName = 'lobby'): ReplayRequest {
  const range = { from, to: from + seconds * 1000 };
  const utcOffsets = [{ from: 0, offsetMs: 3_600_000 }];
  return { scene, variant: 0, label: 'Test', utcOffsets, seed: SEED, range, scale: null };
}

const makers: RecordingGenerator[] = [];
afterEach(async () => {
  for (const maker of makers.splice(0)) await maker.close();
});

function newMaker(...options: ConstructorParameters<typeof RecordingGenerator>): RecordingGenerator {
  const maker = new RecordingGenerator(...options);
  makers.push(maker);
  return maker;
}

interface Taken {
  readonly frames: Buffer[];
  readonly errors: ReplayError[];
  pictures: number;
  stop: () => void;
}

/** A client that takes what comes; with a gate, each batch only when it opens. */
function play(maker: RecordingGenerator, what: ReplayRequest, gate: Promise<void> = Promise.resolve()): Taken {
  const taken: Taken = { frames: [], errors: [], pictures: 0, stop: () => undefined };
  taken.stop = maker.play(what, {
    batch: (frames, pictures) => {
      taken.frames.push(frames);
      taken.pictures += pictures;
      return gate;
    },
    failed: (error) => taken.errors.push(error),
  });
  return taken;
}

function isOver({ frames }: Taken): boolean {
  // The whole head of an RTCP BYE: a coded picture may end with any one of its bytes.
  return frames.at(-1)?.subarray(-8, -4).toString('hex') === '81cb0001';
}

/** The NAL units in the payloads of the packets, as a byte stream. */
function byteStream(frames: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at < frames.length; at += 4 + frames.readUInt16BE(at + 2)) {
    if (frames[at + 1] !== 0) continue;
    const payload = frames.subarray(at + 4 + 12 + 16, at + 4 + frames.readUInt16BE(at + 2));
    const [first = 0, second = 0] = payload;
    const isPiece = (first & 0x1f) === 28;
    if (!isPiece) out.push(Buffer.of(0, 0, 0, 1), payload);
    else if (second & 0x80) out.push(Buffer.of(0, 0, 0, 1, (first & 0xe0) | (second & 0x1f)));
    if (isPiece) out.push(payload.subarray(2));
  }
  return Buffer.concat(out);
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test.skipIf(!hasFfmpeg)(
  'ffmpeg decodes it without warnings, and every frame carries its counter and its clock',
  async () => {
    const taken = play(newMaker(), order(90));
    await vi.waitFor(() => expect(isOver(taken)).toBe(true), SLOW);
    expect(taken.pictures).toBe(90);
    const decoded = spawnSync(
      'ffmpeg',
      ['-v', 'error', '-f', 'h264', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'gray', '-fps_mode', 'passthrough', '-'],
      { input: byteStream(Buffer.concat(taken.frames)), maxBuffer: 64 * 1024 * 1024 },
    );
    expect(decoded.stderr.toString()).toBe('');
    const { width, height } = replayShape;
    const strips = Array.from({ length: 90 }, (_, i) =>
      readStripFromLuma(decoded.stdout.subarray(i * width * height, (i + 1) * width * height), width, width),
    );
    expect(strips).toEqual(Array.from({ length: 90 }, (_, i) => ({ frame: i, wallMs: from + i * 1000 })));
  },
);

test('a client that does not read gets a few batches only, while another one gets all', async () => {
  const maker = newMaker();
  const gate = Promise.withResolvers<void>();
  const slow = play(maker, order(600), gate.promise);
  const quick = play(maker, order(600, 'dock'));
  await vi.waitFor(() => expect(isOver(quick)).toBe(true), SLOW);
  expect(slow.frames).toHaveLength(BATCHES_AHEAD);
  gate.resolve();
  await vi.waitFor(() => expect(isOver(slow)).toBe(true), SLOW);
  expect([slow.pictures, quick.pictures]).toEqual([600, 600]);
});

test('a stopped replay gets nothing more; the thread ends after the last one and starts again on demand', async () => {
  const maker = newMaker({ idleMs: 0 });
  const stopped = play(maker, order(600), new Promise(() => undefined));
  await vi.waitFor(() => expect(stopped.frames).toHaveLength(BATCHES_AHEAD), SLOW);
  stopped.stop();
  await vi.waitFor(() => expect(maker.isRunning).toBe(false), SLOW);
  const next = play(maker, order(60));
  await vi.waitFor(() => expect(isOver(next)).toBe(true), SLOW);
  expect(stopped.frames).toHaveLength(BATCHES_AHEAD);
});

test('a replay whose frames cannot be generated ends with a typed error, while another one goes on', async () => {
  const maker = newMaker();
  const good = play(maker, order(300));
  const bad = play(maker, order(300, 'nowhere' as SceneName));
  await vi.waitFor(() => expect(isOver(good)).toBe(true), SLOW);
  expect(bad.frames).toEqual([]);
  expect(bad.errors.map(({ name, code }) => [name, code])).toEqual([['FootageError', 'making-failed']]);
  expect(good.errors).toEqual([]);
});

test('when the thread dies every replay gets an error, and the next one a new thread', async () => {
  const maker = newMaker({ program: new URL('./no-such-program.ts', import.meta.url) });
  for (let round = 0; round < 2; round++) {
    const both = [play(maker, order(60)), play(maker, order(60))];
    await vi.waitFor(
      () => expect(both.map(({ errors }) => errors[0]?.code)).toEqual(['maker-died', 'maker-died']),
      SLOW,
    );
    expect(maker.isRunning).toBe(false);
  }
});
