// Cameras over UDP with loss, duplicates, reordering and delay: no stop, no restart, little added delay.
import { afterAll, expect, it } from 'vitest';
import { startCountedCamera } from '../harness/counted-camera.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { RecordingRig } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type DatagramFault, DatagramRelay } from '../peers/datagram-relay.ts';

const ROUNDS = faultRounds(1, 48);
const FRAMES = Math.min(1000, 50 + ROUNDS * 20);

const running: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.close();
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded(11);
/** `addedMs`: what the line itself may add to the way of a picture. */
const LINES: readonly { name: string; fault: DatagramFault; addedMs: number; keeps: number }[] = [
  { name: 'clean', fault: () => [0], addedMs: 0, keeps: 0.95 },
  { name: 'loss 1 %', fault: () => (random() < 0.01 ? [] : [0]), addedMs: 0, keeps: 0.5 },
  { name: 'loss 5 %', fault: () => (random() < 0.05 ? [] : [0]), addedMs: 0, keeps: 0.04 },
  { name: 'loss 20 %', fault: () => (random() < 0.2 ? [] : [0]), addedMs: 0, keeps: 0 },
  { name: 'doubles', fault: (index) => (index % 3 === 0 ? [0, 5] : [0]), addedMs: 0, keeps: 0.95 },
  { name: 'swapped', fault: (index) => (index % 7 === 0 ? [15] : [0]), addedMs: 15, keeps: 0.9 },
  { name: 'jitter 200 ms', fault: () => [random() * 200], addedMs: 200, keeps: 0.1 },
];

async function measure({ name, fault }: (typeof LINES)[number]) {
  const camera = await startCountedCamera();
  const relay = await DatagramRelay.open(camera.rtspPort);
  const askForKey = async (): Promise<void> => camera.stream.requestKeyframe();
  const rig = await RecordingRig.open({ url: `${camera.url(relay.rtsp.port)}#transport=udp`, askForKey });
  running.push({ close: () => rig.remove() }, relay, { close: () => camera.stop() });
  await waitFor(`pictures over UDP, ${name}`, () => rig.accessUnits.length > 5 && relay.datagrams > 5, 20_000);
  const [made, got] = [camera.stream.state.pictures, rig.accessUnits.length];
  relay.fault = fault;
  await waitFor('pictures on a bad line', () => camera.stream.state.pictures >= made + FRAMES, 20_000 + FRAMES * 200);
  const seen = rig.accessUnits.slice(got);
  const delays = seen.map(({ unit, atMs }) => performance.timeOrigin + atMs - unit.wallMs).sort((a, b) => a - b);
  const result = {
    line: name,
    made: camera.stream.state.pictures - made,
    got: seen.length,
    delayP50Ms: Math.round(delays[delays.length >> 1] ?? 0),
    delayP95Ms: Math.round(delays[Math.floor(delays.length * 0.95)] ?? 0),
    lost: rig.source.lostPackets,
    late: rig.source.latePackets,
    damaged: rig.source.damagedUnits,
    awaiting: rig.source.unitsAwaitingKey,
    keys: camera.stream.state.keyPictures,
    datagrams: relay.datagrams,
  };
  return {
    ...result,
    failures: rig.states.filter(({ state }) => state.state === 'failed').length,
    connections: relay.rtsp.connections,
  };
}

it(
  '[FT-05] loss, duplicates, reordering and jitter over UDP: the stream continues without restart and with little added delay',
  async () => {
    const results = await Promise.all(LINES.map(measure));
    const clean = results[0]?.delayP50Ms ?? 0;
    for (const [index, result] of results.entries()) {
      process.stdout.write(`bad-datagrams: ${JSON.stringify(result)}\n`);
      const line = LINES[index];
      if (!line) throw new Error('a line without a result');
      expect([line.name, result.failures, result.connections]).toEqual([line.name, 0, 1]);
      expect([line.name, result.got >= result.made * line.keeps]).toEqual([line.name, true]);
      // What the line adds, what waiting for a late packet may take, and twice what a clean line takes on this machine.
      expect([line.name, result.delayP50Ms <= line.addedMs + 250 + 2 * Math.max(clean, 50)]).toEqual([line.name, true]);
    }
  },
  60_000 + FRAMES * 400,
);
