// Recorded sound from the stored bytes to the audio card: which samples start when; decoders and card are stood in for by the tests.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ClockState, epochNow } from './worker/clock-state.ts';
import { FragmentTimeline } from './segments/fragment-timeline.ts';
import { segmentEntryAt, segmentServer, FRAME_MS, SEGMENT_FRAMES } from './worker/fake-decoder.fake.ts';
import { SegmentStore } from './segments/segment-store.ts';
import { type AudioChunk, AudioPipeline } from './worker/audio-pipeline.ts';
import { AudioSchedule } from './audio-schedule.ts';

const WINDOW_MS = 600_000;
const AT = Math.ceil(1_700_000_000_000 / WINDOW_MS) * WINDOW_MS;
const SEGMENT_MS = SEGMENT_FRAMES * FRAME_MS;

/** Answers 1024 samples for every packet, as AAC holds them. */
class HandAudioDecoder {
  state = 'unconfigured';
  readonly #output: (sound: unknown) => void;

  constructor({ output }: { output: (sound: unknown) => void }) {
    this.#output = output;
  }

  configure({ codec }: { codec: string }): void {
    if (codec === 'mp4a.40.2') this.state = 'configured';
  }

  decode({ timestamp }: { timestamp: number }): void {
    const copyTo = (plane: Float32Array): void => void plane.fill(0.5);
    const [numberOfChannels, numberOfFrames, sampleRate] = [1, 1024, 16_000];
    this.#output({ timestamp, numberOfChannels, numberOfFrames, sampleRate, copyTo, close: () => undefined });
  }

  close(): void {
    this.state = 'closed';
  }
}

/** A sound card whose time a test sets. */
class HandCard {
  static last: HandCard;
  currentTime = 10;
  state = 'running';
  readonly destination = {};
  readonly started: { readonly whenS: number; readonly durationS: number; isStopped: boolean }[] = [];

  constructor() {
    HandCard.last = this;
  }

  createBuffer(_channels: number, length: number, sampleRate: number) {
    return { duration: length / sampleRate, copyToChannel: () => undefined };
  }

  createBufferSource() {
    const { started } = this;
    return {
      buffer: { duration: 0 },
      connect: () => undefined,
      addEventListener: () => undefined,
      start(whenS: number): void {
        started.push({ whenS, durationS: this.buffer.duration, isStopped: false });
      },
      stop: () => {
        for (const one of started) one.isStopped = true;
      },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

beforeEach(() => {
  vi.stubGlobal('AudioDecoder', HandAudioDecoder);
  vi.stubGlobal('AudioContext', HandCard);
  vi.stubGlobal(
    'EncodedAudioChunk',
    class {
      constructor(chunk: object) {
        Object.assign(this, chunk);
      }
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

/** Everything that is heard while the clock goes from `from` on for `forMs`, in steps of a picture of the screen. */
async function hear(codec: 'pcma' | 'aac', from: number, forMs: number): Promise<AudioChunk[]> {
  const timeline = new FragmentTimeline(WINDOW_MS);
  timeline.put(
    AT,
    Array.from({ length: 10 }, (_, at) => segmentEntryAt(AT + at * SEGMENT_MS)),
  );
  const server = segmentServer(codec);
  const store = new SegmentStore(server.get);
  const chunks: AudioChunk[] = [];
  const run = new AudioPipeline({ timeline, store, onChunk: (chunk) => chunks.push(chunk) });
  for (let at = from; at < from + forMs; at += 16) {
    run.tick(at);
    // The store answers in its own time.
    await store.segment(segmentEntryAt(AT + Math.floor((at - AT) / SEGMENT_MS) * SEGMENT_MS));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return chunks;
}

test.each(['pcma', 'aac'] as const)('%s is scheduled without gap or overlap, at its capture times', async (codec) => {
  const chunks = await hear(codec, AT + 500, 3000);
  const [first] = chunks;
  expect((first?.at ?? 0) - (AT + 500)).toBeGreaterThanOrEqual(0);
  expect((first?.at ?? 0) - (AT + 500)).toBeLessThan(65);
  let end = first?.at ?? 0;
  for (const { at, sampleRate, channels } of chunks) {
    expect(Math.abs(at - end)).toBeLessThan(2);
    const [samples = new Float32Array()] = channels;
    expect(samples.some((value) => Math.abs(value) > 0.01)).toBe(true);
    end = at + (samples.length * 1000) / sampleRate;
  }
  // Ahead of the clock, so that the card never waits.
  expect(end).toBeGreaterThan(AT + 3500);
});

test('after a seek late audio of the previous position is dropped', async () => {
  const timeline = new FragmentTimeline(WINDOW_MS);
  timeline.put(AT, [segmentEntryAt(AT), segmentEntryAt(AT + 60_000)]);
  const store = new SegmentStore(segmentServer('pcma').get);
  const chunks: AudioChunk[] = [];
  const run = new AudioPipeline({ timeline, store, onChunk: (chunk) => chunks.push(chunk) });
  run.tick(AT + 100);
  run.reset();
  run.tick(AT + 60_100);
  await vi.waitFor(() => expect(chunks.length).toBeGreaterThan(0));
  expect(Math.min(...chunks.map(({ at }) => at))).toBeGreaterThanOrEqual(AT + 60_100);
});

function chunkAt(at: number, jump: number): AudioChunk & { jump: number } {
  return { at, jump, sampleRate: 8000, channels: [new Float32Array(3200)] };
}

test('a chunk starts when the clock reaches it, and the next one follows without a gap', () => {
  const schedule = new AudioSchedule();
  const clock: ClockState = { wallMs: AT, atMs: epochNow(), rate: 1, isRunning: true, isPlaying: true, jump: 3 };
  schedule.follow(clock);
  schedule.play(chunkAt(AT + 1000, 3), clock);
  schedule.play(chunkAt(AT + 1400, 3), clock);
  const [first, second] = HandCard.last.started;
  // The test itself takes a moment between the clock's beginning and the piece.
  expect(first?.whenS).toBeGreaterThan(10.5);
  expect(first?.whenS).toBeLessThanOrEqual(11.001);
  expect(second?.whenS).toBeCloseTo((first?.whenS ?? 0) + 0.4, 6);
});

test('no audio of another position, at another speed or while paused; a seek cancels scheduled audio', () => {
  const schedule = new AudioSchedule();
  const clock: ClockState = { wallMs: AT, atMs: epochNow(), rate: 1, isRunning: true, isPlaying: true, jump: 3 };
  schedule.follow(clock);
  schedule.play(chunkAt(AT + 1000, 3), clock);
  const { started } = HandCard.last;
  schedule.play(chunkAt(AT + 1400, 2), clock);
  schedule.play(chunkAt(AT + 1400, 3), { ...clock, rate: 2 });
  schedule.play(chunkAt(AT + 1400, 3), { ...clock, rate: -1 });
  schedule.play(chunkAt(AT + 1400, 3), { ...clock, isRunning: false });
  expect(started).toHaveLength(1);
  expect(started[0]?.isStopped).toBe(false);
  schedule.follow({ ...clock, wallMs: AT + 60_000, jump: 4 });
  expect(started[0]?.isStopped).toBe(true);
  expect(started).toHaveLength(1);
});

test('audio is silent while the clock waits for a tile, and scheduled audio resumes with it', () => {
  const schedule = new AudioSchedule();
  const clock: ClockState = { wallMs: AT, atMs: epochNow(), rate: 1, isRunning: true, isPlaying: true, jump: 3 };
  schedule.follow(clock);
  schedule.play(chunkAt(AT - 200, 3), clock);
  const { started } = HandCard.last;
  schedule.follow({ ...clock, isRunning: false });
  expect(started.map(({ isStopped }) => isStopped)).toEqual([true]);
  schedule.play(chunkAt(AT + 200, 3), { ...clock, isRunning: false });
  HandCard.last.currentTime = 15;
  schedule.follow({ ...clock, atMs: epochNow() });
  const [, rest, next] = started;
  // The second half of the first piece at once, the second piece behind it.
  expect(rest).toMatchObject({ whenS: 15 });
  expect(next?.whenS).toBeCloseTo(15.2, 1);
});
