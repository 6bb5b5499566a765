// What passes to the recorder by plan and by event: to the picture, with pre-roll from memory, bounded, without doubles.
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../stream/stream.ts';
import { PRE_ROLL_MAX_BYTES, PreRoll } from './pre-roll.ts';
import { RecordDemand } from './record-demand.ts';
import { type FilteredRecorder, RecordFilter } from './record-filter.ts';
import { clip, syntheticUnits } from './synthetic-stream.fixture.ts';

/** A Monday; a picture every 50 ms, a keyframe every 2 s. */
const START_MS = Date.UTC(2026, 5, 1, 7, 59, 30);
const at = (seconds: number): number => START_MS + seconds * 1000;
const entry = (StartTime: string, EndTime: string, Type: number) => ({ StartTime, EndTime, Type });

function daily(entryList: readonly ReturnType<typeof entry>[]) {
  const days = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, entryList: [...entryList] }));
  return { days, holidays: [], timeZone: 'UTC' } as never;
}

function setUp(entries: readonly ReturnType<typeof entry>[] | null, preRollMs = 5000) {
  const runs: number[][] = [];
  let bursts = 0;
  let isNew = true;
  const recorder: FilteredRecorder = {
    format: () => undefined,
    discontinuity: () => {
      isNew = true;
    },
    state: () => undefined,
    expectBurst: (bytes) => {
      bursts += bytes;
    },
    rest: () => {
      isNew = true;
    },
    accessUnit: ({ wallMs, isKey }) => {
      if (isNew) runs.push([]);
      if (isNew) expect(isKey, 'a run begins with a key picture').toBe(true);
      isNew = false;
      runs.at(-1)?.push(wallMs);
    },
  };
  const demand = new RecordDemand();
  demand.follow({ ...(entries && { plan: daily(entries) }), preRollMs });
  const gate = new RecordFilter(recorder, demand);
  gate.format(clip.format);
  const play = (from: number, to: number): void => {
    for (const unit of syntheticUnits({ startMs: START_MS, seconds: to }))
      if (unit.wallMs >= at(from) && unit.wallMs < at(to)) gate.accessUnit(unit);
  };
  /** First and last picture of each run, seconds. */
  const passed = () => runs.map((run) => [((run[0] ?? 0) - START_MS) / 1000, ((run.at(-1) ?? 0) - START_MS) / 1000]);
  return { gate, demand, play, passed, runs, bursts: () => bursts };
}

describe('[FT-48] recording by plan', () => {
  it('records from the keyframe at or before the start to the last frame before the end', () => {
    const { play, passed } = setUp([entry('08:00:01', '08:00:10', 1)]);
    play(0, 60);
    expect(passed()).toEqual([[30, 39.95]]);
  });

  it('starts at once when a keyframe comes with the first second, and records always without a plan', () => {
    const sharp = setUp([entry('08:00:00', '23:59:59', 1)]);
    sharp.play(0, 40);
    expect(sharp.passed()).toEqual([[30, 39.95]]);
    const always = setUp(null);
    always.play(0, 10);
    expect(always.passed()).toEqual([[0, 9.95]]);
  });

  it('records nothing while it waits for events or is off', () => {
    for (const entries of [[entry('00:00:00', '23:59:59', 2)], []]) {
      const { play, passed } = setUp(entries);
      play(0, 60);
      expect(passed()).toEqual([]);
    }
  });

  it('connects early enough to get the first keyframe in time', () => {
    const { demand } = setUp([entry('08:00:01', '08:00:10', 1)]);
    expect([at(0), at(20), at(35), at(45)].map((ms) => demand.needsStream(ms))).toEqual([false, true, true, false]);
  });
});

describe('an event', () => {
  const waiting = [entry('00:00:00', '23:59:59', 2)];

  it('is recorded with its pre-roll and to its end, which a later one moves', () => {
    const { play, gate, demand, passed } = setUp(waiting);
    play(0, 20);
    expect(demand.trigger(at(19.5), at(25))).toEqual({ startMs: at(14.5), endMs: at(25) });
    gate.update(at(20));
    play(20, 24);
    expect(demand.trigger(at(24), at(33))).toEqual({ startMs: at(14.5), endMs: at(33) });
    play(24, 60);
    // To the keyframe behind the end, so that the next event finds its pre-roll whole.
    expect(passed()).toEqual([[14, 33.95]]);
    expect([at(14.4), at(14.5), at(32.9), at(33)].map((ms) => demand.isEvent(ms))).toEqual([false, true, true, false]);
  });

  it('soon after another one starts where that one ended: no frame twice, none missing', () => {
    const { play, gate, demand, passed, runs } = setUp(waiting);
    play(0, 10);
    demand.trigger(at(10), at(12.5));
    gate.update(at(10));
    play(10, 16);
    demand.trigger(at(16), at(18));
    gate.update(at(16));
    play(16, 30);
    expect(passed()).toEqual([
      [4, 13.95],
      [14, 17.95],
    ]);
    const all = runs.flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it('is recorded whatever the plan says, and afterwards the plan holds again', () => {
    const { play, demand, passed } = setUp([], 0);
    demand.trigger(at(3), at(6));
    play(2, 30);
    expect(passed()).toEqual([[2, 5.95]]);
  });

  it('during continuous recording adds a mark and records nothing twice', () => {
    const { play, gate, demand, passed } = setUp(null);
    play(0, 10);
    expect(demand.trigger(at(9), at(12))).toEqual({ startMs: at(4), endMs: at(12) });
    gate.update(at(10));
    play(10, 20);
    expect(passed()).toEqual([[0, 19.95]]);
  });

  it('that a stream did not outlive ends with it', () => {
    const { play, gate, demand, passed } = setUp(waiting, 0);
    demand.trigger(at(2), at(30));
    play(0, 10);
    gate.update(at(31));
    gate.update(at(40));
    expect(gate.isOpen).toBe(false);
    expect(passed()).toEqual([[2, 9.95]]);
  });
});

describe('the memory of the pre-roll', () => {
  const unit = (wallMs: number, isKey: boolean, bytes: number): AccessUnit => ({
    track: 'video',
    data: Buffer.alloc(bytes),
    isKey,
    dts: wallMs * 90,
    ctsOffset: 0,
    wallMs,
  });

  it('keeps the requested duration and little more, from a keyframe on', () => {
    const held = new PreRoll();
    for (let ms = 0; ms < 60_000; ms += 100) held.add(unit(ms, ms % 2000 === 0, 1000), 10_000);
    const [first] = held.since(0);
    expect(first?.units[0]).toMatchObject({ wallMs: 48_000, isKey: true });
    expect(held.bytes).toBe(120_000);
    expect(held.since(55_000)[0]?.units[0]?.wallMs).toBe(54_000);
  });

  it('[FT-09] is bounded, also for a camera that stops sending keyframes', () => {
    const held = new PreRoll(100_000);
    for (let ms = 0; ms < 60_000; ms += 100) {
      held.add(unit(ms, ms === 0, 1000), 30_000);
      expect(held.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(held.since(0)).toEqual([]);
    held.add(unit(60_000, true, 1000), 30_000);
    expect(held.since(60_000)).toHaveLength(1);
    expect(PRE_ROLL_MAX_BYTES).toBeLessThanOrEqual(64 * 1024 * 1024);
  });
});
