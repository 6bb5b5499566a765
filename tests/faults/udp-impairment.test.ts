// UDP with loss, duplicates, reordering and delay: the stream continues in the same session, in order and in time.
import { afterAll, expect, it } from 'vitest';
import { type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { RecordingRig } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS = faultRounds(1, 97);
const FRAMES = Math.min(2000, 60 + ROUNDS * 20);
const WAIT_MAX_MS = 30_000 + FRAMES * 200;
/** What a machine that becomes busy between two measurements may take by itself. */
const BUSY_MS = 50;

const running: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.close();
});

interface Stage {
  readonly camera: CountedCamera;
  readonly rig: RecordingRig;
}

async function stage(): Promise<Stage> {
  const camera = await startCountedCamera();
  const rig = await RecordingRig.open({
    url: `${camera.url()}#transport=udp`,
    askForKey: async () => camera.stream.requestKeyframe(),
  });
  running.push({ close: () => rig.remove() }, { close: () => camera.stop() });
  await waitFor('the first picture', () => rig.accessUnits.length > 0);
  return { camera, rig };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What came while `fault` was at work, until `isSeen`: pictures, the longest time without one, and how old they were by the camera's clock. */
async function measure({ camera, rig }: Stage, fault: (() => readonly number[]) | null, isSeen = () => true) {
  const { pictures: from, keyPictures: keysBefore } = camera.stream.state;
  const begunMs = performance.now();
  const got = rig.accessUnits.length;
  camera.device.behaviour.datagramFault = fault;
  const isMade = (): boolean => camera.stream.state.pictures >= from + FRAMES;
  await waitFor('pictures on a bad line', () => isMade() && isSeen(), WAIT_MAX_MS);
  const pictures = rig.accessUnits.slice(got);
  const made = camera.stream.state.pictures - from;
  const keysPerSecond = (camera.stream.state.keyPictures - keysBefore) / ((performance.now() - begunMs) / 1000);
  const times = [begunMs, ...pictures.map(({ atMs }) => atMs)];
  const longestMs = Math.round(times.slice(1).reduce((most, at, i) => Math.max(most, at - (times[i] ?? 0)), 0));
  const ages = pictures.map(({ unit, atMs }) => performance.timeOrigin + atMs - unit.wallMs).toSorted((a, b) => a - b);
  const ageP50Ms = Math.round(ages[ages.length >> 1] ?? Infinity);
  return { made, got: pictures.length, longestMs, ageP50Ms, keysPerSecond: Math.round(keysPerSecond * 100) / 100 };
}

/** The first lasted, or others came after it, one after the other and without a failure. */
function expectConnections({ rig, camera }: Stage, counts: readonly number[]): void {
  expect(counts).toContain(rig.source.connections);
  expect(rig.states.filter(({ state }) => state.state === 'failed')).toEqual([]);
  expect(camera.device.connectionCount).toBe(1);
  expect(rig.faults).toEqual([]);
}

it.concurrent(
  '[FT-05] datagrams duplicated, reordered and up to 200 ms late: nearly every frame arrives, in order, with no added delay',
  async () => {
    const jitterMs = 200;
    const play = await stage();
    const clean = await measure(play, null);
    const random = seeded(11);
    const late = (): number => random() * jitterMs;
    const bad = await measure(play, () => (random() < 0.1 ? [late(), late()] : [late()]));
    const { source } = play.rig;
    process.stdout.write(
      `udp-line: ${JSON.stringify({ jitterMs, clean, bad, lostPackets: source.lostPackets, latePackets: source.latePackets })}\n`,
    );
    expectConnections(play, [1]);
    expect(source.latePackets).toBeGreaterThan(0);
    // The wait is learned from the first late packets; what came too late for it was given up.
    expect(bad.got).toBeGreaterThan(bad.made * 0.7);
    expect(bad.ageP50Ms).toBeLessThan(2 * (clean.ageP50Ms + jitterMs));
    const numbers = play.rig.accessUnits.map(({ unit }) => unit.dts);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  },
  WAIT_MAX_MS * 3,
);

/**
 * A keyframe is some seventeen datagrams: of a fifth lost one in forty-four comes whole, however often it is asked for, and the source goes
 * over to TCP as soon as a camera that is silent would be given up. Of a twentieth lost two in five do, and over many pictures there may be
 * eight seconds without one.
 */
const LOSSES = [
  { share: 0.01, connections: [1] },
  { share: 0.05, connections: [1, 2] },
  { share: 0.2, connections: [2] },
];

it.concurrent.each(LOSSES)(
  '[FT-05] a share of $share of the datagrams lost: every loss counted, and no stall: without restart where keyframes arrive whole, else over TCP',
  async ({ share, connections }) => {
    const play = await stage();
    const clean = await measure(play, null);
    const random = seeded(5);
    const { source } = play.rig;
    const isThere = (): boolean =>
      connections.includes(source.connections) && play.rig.states.at(-1)?.state.state === 'playing';
    const bad = await measure(play, () => (random() < share ? [] : [0]), isThere);
    process.stdout.write(
      `udp-line: ${JSON.stringify({ lossPercent: share * 100, clean, bad, lostPackets: source.lostPackets })}\n`,
    );
    expectConnections(play, connections);
    expect(source.lostPackets).toBeGreaterThan(0);
    expect(bad.got).toBeGreaterThan(0);
    expect(bad.longestMs).toBeLessThan(12_000);
    // A lost packet is waited for 60 ms at most where nothing ever comes late.
    expect(bad.ageP50Ms).toBeLessThan(2 * Math.max(clean.ageP50Ms, BUSY_MS) + 60);
  },
  WAIT_MAX_MS * 3,
);
