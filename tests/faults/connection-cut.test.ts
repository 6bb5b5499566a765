// Camera connections reset at random bytes: what arrived whole is recorded, and every recording opens.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { RecordingRig } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';
import { RtspRelay } from '../peers/rtsp-relay.ts';

const LINES = 8;
const ROUNDS = faultRounds(2, 1000 / LINES);

let camera: CountedCamera;

beforeAll(async () => {
  camera = await startCountedCamera();
});
afterAll(() => camera?.stop());

interface Result {
  readonly cuts: number;
  readonly passed: number;
  readonly recorded: number;
  readonly unreadable: number;
}

interface Cut {
  readonly relay: RtspRelay;
  readonly rig: RecordingRig;
}

const opened: Cut[] = [];
afterAll(async () => {
  for (const { rig, relay } of opened.splice(0)) {
    await rig.remove();
    await relay.close();
  }
});

async function cutAgainAndAgain(): Promise<Cut> {
  const relay = await RtspRelay.open(camera.rtspPort);
  const rig = await RecordingRig.open({ url: camera.url(relay.port), credentials: CAMERA_ACCOUNT });
  opened.push({ relay, rig });
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = relay.framesRelayed;
    await waitFor(
      'some pictures',
      () => {
        if (relay.framesRelayed > before + 3) return true;
        const states = rig.states.slice(-6).map(({ state, atMs }) => ({ ...state, atMs: Math.round(atMs) }));
        throw new Error(
          `${relay.framesRelayed - before} in round ${round}, ${relay.openConnections} lines: ${JSON.stringify(states)}`,
        );
      },
      20_000,
    );
    // Anywhere in what follows: a packet's middle, its header, between two.
    relay.cutAfterBytes = 10_000 + Math.floor(Math.random() * 40_000);
    await waitFor('the cut', () => relay.cuts > round, 30_000);
  }
  await rig.close();
  return { relay, rig };
}

/** Once all lines are through: a thousand readers at work beside them would leave the camera no time. */
async function judged({ relay, rig }: Cut): Promise<Result> {
  const files = await rig.files();
  let [decoded, unreadable] = [0, 0];
  for (const { path } of files) {
    const { frames, errors } = await verifyMedia(path);
    decoded += frames;
    if (errors !== '') unreadable += 1;
  }
  const recorded = files.flatMap(({ index }) => index.records).reduce((sum, one) => sum + one.pictures, 0);
  expect(decoded).toBe(recorded);
  expect(rig.faults).toEqual([]);
  return { cuts: relay.cuts, passed: relay.framesRelayed, recorded, unreadable };
}

it(
  `[FT-01] ${ROUNDS * LINES} cuts at random bytes: at most one frame is lost before each, and every file opens`,
  async () => {
    const lines = await Promise.all(Array.from({ length: LINES }, cutAgainAndAgain));
    const results = await Promise.all(lines.map(judged));
    const sum = (pick: (result: Result) => number): number => results.reduce((all, one) => all + pick(one), 0);
    const [cuts, passed, recorded] = [sum((one) => one.cuts), sum((one) => one.passed), sum((one) => one.recorded)];
    process.stdout.write(
      `connection-cut: ${JSON.stringify({ cuts, picturesPassed: passed, picturesRecorded: recorded, unreadable: sum((one) => one.unreadable) })}\n`,
    );
    expect(cuts).toBe(ROUNDS * LINES);
    expect(sum((one) => one.unreadable)).toBe(0);
    expect(passed - recorded).toBeLessThanOrEqual(cuts);
    expect(recorded).toBeGreaterThan(cuts * 3);
  },
  60_000 + ROUNDS * 20_000,
);
