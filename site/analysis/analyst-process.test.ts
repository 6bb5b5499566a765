// The analyst as the site sees it, spoken for by the test: faults, hangs, nonsense, and starting again.
import { PassThrough } from 'node:stream';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { AnalystGone, AnalystProcess } from './analyst-process.ts';
import type { AnalystChild } from './spawn-analyst.ts';

const PICTURE = { width: 1, height: 1, rgb: new Uint8Array(3), region: null };

/** A child that the test speaks for. */
function scriptedChild() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  const kill = () => {
    child.isKilled = true;
    resolve(null);
  };
  const child = {
    pid: 1,
    input,
    output,
    ended,
    kill,
    isKilled: false,
    exit: resolve,
    say: (line: string) => output.write(`${line}\n`),
  };
  return child satisfies AnalystChild;
}

let clock: FakeClock;
let children: ReturnType<typeof scriptedChild>[];
let analyst: AnalystProcess;
let freed: number;

beforeEach(() => {
  [clock, children, freed] = [new FakeClock(), [], 0];
  analyst = new AnalystProcess({
    clock,
    log: pino({ level: 'silent' }),
    spawn: () => {
      const child = scriptedChild();
      children.push(child);
      return child;
    },
    runtimeFolder: '/runtime',
    modelFolder: '/model',
    onFree: () => {
      freed += 1;
    },
  });
});

const newest = () => children.at(-1) as ReturnType<typeof scriptedChild>;
/** Lines pass a stream, which takes a few turns of the loop. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};
async function running() {
  analyst.start();
  newest().say('{"event":"ready"}');
  await settle();
}

it('is started once, and takes frames when it says that it is ready', async () => {
  expect(analyst.state).toBe('idle');
  analyst.start();
  analyst.start();
  expect([children.length, analyst.state, analyst.isFree]).toEqual([1, 'starting', false]);
  newest().say('{"event":"ready"}');
  await settle();
  expect([analyst.state, analyst.isFree, freed]).toEqual(['running', true, 1]);
});

it('answers a frame with what was found in it', async () => {
  await running();
  const seen = analyst.detect(PICTURE);
  expect(analyst.isFree).toBe(false);
  const found = { objectClass: 'person', score: 0.5, box: { x: 0, y: 0, width: 0.5, height: 0.5 } };
  newest().say(JSON.stringify({ event: 'seen', id: 1, cpuMs: 14, detections: [found] }));
  expect(await seen).toEqual({ detections: [found], cpuMs: 14 });
  await settle();
  expect(analyst.isFree).toBe(true);
});

it('is started again after a fault, later each time', async () => {
  await running();
  const seen = analyst.detect(PICTURE);
  newest().exit(1);
  await expect(seen).rejects.toThrow(AnalystGone);
  expect(analyst.state).toBe('failed');
  await clock.advanceAsync(1000);
  expect(children).toHaveLength(2);
  newest().say('{"event":"failed","fault":"no such model"}');
  await settle();
  newest().exit(1);
  await settle();
  expect(analyst.fault).toBe('no such model');
  await clock.advanceAsync(1400);
  expect(children).toHaveLength(2);
  await clock.advanceAsync(700);
  expect(children).toHaveLength(3);
  newest().say('{"event":"ready"}');
  await settle();
  expect([analyst.state, analyst.fault, analyst.restarts]).toEqual(['running', null, 2]);
});

it.each([
  ['does not start', async () => analyst.start(), 30_000],
  ['hangs with a frame', async () => running().then(() => void analyst.detect(PICTURE).catch(() => undefined)), 8000],
])('is killed when it %s', async (_, prepare, withinMs) => {
  await prepare();
  clock.advance(withinMs - 1);
  expect(newest().isKilled).toBe(false);
  clock.advance(1);
  expect(newest().isKilled).toBe(true);
});

it.each([
  'no JSON',
  '{"event":"seen","id":1}',
  '{"event":"seen","id":1,"cpuMs":1,"detections":[{"objectClass":"ghost"}]}',
])('is killed when it answers %s', async (line) => {
  await running();
  newest().say(line);
  await settle();
  expect(newest().isKilled).toBe(true);
});

it('ends when it is stopped, and is not started again', async () => {
  await running();
  analyst.stop();
  await settle();
  expect([newest().isKilled, analyst.state]).toEqual([true, 'idle']);
  await clock.advanceAsync(120_000);
  expect(children).toHaveLength(1);
  analyst.start();
  expect([children.length, analyst.state]).toEqual([2, 'starting']);
});
