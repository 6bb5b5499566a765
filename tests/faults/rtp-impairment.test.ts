// RTP with loss, corruption, duplicates, reordering and delay: the stream continues, every drop has a cause, keyframes are requested.
import { readFile } from 'node:fs/promises';
import { RECORD_FLAG } from '../../media/recordings/index-record.ts';
import { afterAll, expect, it } from 'vitest';
import { type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { countedFrames } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { type RecordedFile, RecordingRig } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';
import { isLastOfPicture, type PacketFault, RTP_VIDEO_CHANNEL, RtspRelay } from '../peers/rtsp-relay.ts';

const ROUNDS = faultRounds(1, 97);
const FRAMES = Math.min(2000, 60 + ROUNDS * 20);
const WAIT_MAX_MS = 30_000 + FRAMES * 200;

const running: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.close();
});

interface Stage {
  readonly camera: CountedCamera;
  readonly relay: RtspRelay;
  readonly rig: RecordingRig;
}

/** Where `asksForKey` is false the camera cannot be asked: neither by its driver nor by a report on the line. */
async function stage(asksForKey = false): Promise<Stage> {
  const camera = await startCountedCamera();
  const relay = await RtspRelay.open(camera.rtspPort);
  relay.passesReports = asksForKey;
  const askForKey = async (): Promise<void> => camera.stream.requestKeyframe();
  const rig = await RecordingRig.open({ url: camera.url(relay.port), ...(asksForKey && { askForKey }) });
  running.push({ close: () => rig.remove() }, relay, { close: () => camera.stop() });
  await waitFor('the first picture', () => rig.accessUnits.length > 0);
  return { camera, relay, rig };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of the camera: a key picture every two seconds. */
const GOP = 20;
/**
 * Numbers of lost pictures within two GOPs, by how many in a hundred packets that is: a key picture has 25, any other one.
 * More than a second apart: no key picture is asked for sooner.
 */
const LOST_PICTURES = { 1: [3], 5: [3, 15, GOP + 3, GOP + 15] } as const;

/**
 * Loses the same pictures of every GOP, beginning with the first whole one. At random, chance decides which of two cameras loses more
 * in eight seconds: it is the packets of key pictures that count.
 */
function losing(numbers: readonly number[]): PacketFault {
  let picture = -1;
  let packets = 0;
  return (frame) => {
    if (frame[1] !== RTP_VIDEO_CHANNEL) return [frame];
    packets += 1;
    const isLost = numbers.includes(picture % (2 * GOP));
    if (isLastOfPicture(frame)) {
      if (picture >= 0 || packets > 1) picture += 1;
      packets = 0;
    }
    return isLost ? [] : [frame];
  };
}

/** Longest time without a picture, and pictures made and got, while `fault` is at work. */
async function measure({ camera, relay, rig }: Stage, fault: PacketFault) {
  const from = camera.stream.state.pictures;
  const got = rig.accessUnits.length;
  relay.packetFault = fault;
  await waitFor('pictures on a bad line', () => camera.stream.state.pictures >= from + FRAMES, WAIT_MAX_MS);
  relay.packetFault = null;
  const times = rig.accessUnits.slice(got).map(({ atMs }) => atMs);
  const longestMs = Math.round(times.slice(1).reduce((most, at, i) => Math.max(most, at - (times[i] ?? 0)), 0));
  return { made: camera.stream.state.pictures - from, got: times.length, longestMs };
}

it.concurrent(
  '[FT-04] every hundredth packet corrupted: the connection stays, and the next GOP is clean',
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const random = seeded(seed);
    const play = await stage();
    let changed = 0;
    const result = await measure(play, (frame, index) => {
      if (index % 10 !== 9) return [frame];
      changed += 1;
      const copy = Buffer.from(frame);
      // Header, payload header or the first bytes of the slice: where a change does most.
      const at = 4 + Math.floor(random() * Math.min(20, copy.length - 4));
      copy[at] = (copy[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      return [copy];
    });
    const cleanFrom = performance.now();
    const { rig, relay } = play;
    await waitFor(
      'two clean GOPs',
      () => rig.accessUnits.filter(({ unit, atMs }) => unit.isKey && atMs > cleanFrom).length >= 3,
      20_000,
    );
    const { source } = rig;
    await rig.close();
    process.stdout.write(
      `bad-line: ${JSON.stringify({ seed, changed, ...result, damagedUnits: source.damagedUnits, invalidPackets: source.invalidPackets, lostPackets: source.lostPackets })}\n`,
    );
    expect(relay.connections).toBe(1);
    expect(rig.states.filter(({ state }) => state.state === 'failed')).toEqual([]);
    expect(rig.faults).toEqual([]);
    expect(changed).toBeGreaterThanOrEqual(FRAMES / 20);
    expect(source.damagedUnits + source.invalidPackets + source.lostPackets).toBeGreaterThan(0);
    // What was recorded after the last change decodes without a complaint.
    const last = (await rig.files()).at(-1);
    const bytes = last ? await tailFromKey(last, 2) : Buffer.alloc(0);
    expect(await verifyMedia('-', bytes)).toMatchObject({ errors: '' });
    expect((await countedFrames('-', bytes)).length).toBeGreaterThan(5);
  },
  WAIT_MAX_MS * 2,
);

/** A recorded file without what lies before its last `keys` keyframes. */
async function tailFromKey({ path, index }: RecordedFile, keys: number): Promise<Buffer> {
  const bytes = await readFile(path);
  const starts = index.records.filter((record) => record.flags & RECORD_FLAG.key).map((record) => record.offset);
  return Buffer.concat([bytes.subarray(0, index.records[0]?.offset ?? 0), bytes.subarray(starts.at(-keys) ?? 0)]);
}

it.concurrent(
  '[FT-05] lost packets: a camera that accepts keyframe requests loses less video',
  async () => {
    await Promise.all(
      ([1, 5] as const).map(async (lossPercent) => {
        const [waiting, asking] = await Promise.all([stage(false), stage(true)]);
        const [plain, asked] = await Promise.all([
          measure(waiting, losing(LOST_PICTURES[lossPercent])),
          measure(asking, losing(LOST_PICTURES[lossPercent])),
        ]);
        process.stdout.write(`bad-line: ${JSON.stringify({ lossPercent, waitsForKey: plain, asksForKey: asked })}\n`);
        for (const { rig, relay } of [waiting, asking]) {
          expect(relay.connections).toBe(1);
          expect(rig.states.filter(({ state }) => state.state === 'failed')).toEqual([]);
        }
        // The camera's own key pictures are two seconds apart; one that is asked for comes at once.
        expect(asked.got).toBeGreaterThan(plain.got);
        expect(asked.longestMs).toBeLessThan(plain.longestMs);
      }),
    );
  },
  WAIT_MAX_MS * 3,
);
