// npm run bench:analyst: what a picture costs in the analyst, all in, against the bare inference, on real footage of people.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { Scene } from '@vedette/rules/scene/scene.ts';
import { ensureUnpacked } from '../launcher/test/system-packages.js';
import { openDetector } from '../site/analyst/detector.ts';
import { MODEL_FOLDER } from '../site/analysis/analyst-place.ts';
import { MovingRegion } from '../site/analysis/moving-region.ts';
import { analystRuntime, hasAnalystRuntime } from '../tests/harness/analyst-runtime.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const PICTURES = Number(process.env['PICTURES'] ?? 100);
/** PETS 2009 S2.L1, 768 × 576, 7 pictures a second: Debian's opencv-doc has it. Told by its annotation, 33 people cross x = 560: 18 one way, 15 the other. */
const CLIP = fileURLToPath(
  new URL('../.vedette/peers/opencv-doc/usr/share/doc/opencv-doc/examples/data/vtest.avi', import.meta.url),
);
const SIZE = { width: 640, height: 480 };
const SIDE = 320;

const say = (text: string): void => void process.stderr.write(`${text}\n`);
if (!hasAnalystRuntime) throw new Error('The runtime is missing: npm test installs it.');
ensureUnpacked('opencv-doc', say);
if (!existsSync(CLIP)) throw new Error('The clip is missing: the package opencv-doc could not be had.');

/** Of a second that are looked at, as at a camera where the machine is busy. */
const FRAMES_PER_S = 2;
const pictures = await readFrames();
const bare = await bareInference();
const detector = await openDetector(analystRuntime, MODEL_FOLDER);
const rounds: { readonly bareMs: number; readonly allMs: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const bareMs = await cpuMsOf(bare, PICTURES);
  const scene = new Scene([crossing()]);
  let at = 0;
  const allMs = await cpuMsOf(async () => {
    const detections = await detector.detect({ ...SIZE, rgb: pictures[at % pictures.length] as Buffer, region: null });
    scene.step({ atMs: (at * 1000) / FRAMES_PER_S, detections, aspect: SIZE.width / SIZE.height });
    at += 1;
  }, PICTURES);
  rounds.push({ bareMs, allMs });
  say(`round ${round + 1}: bare ${bareMs.toFixed(1)} ms, all in ${allMs.toFixed(1)} ms of processor time a picture`);
}
const { in: inward, out } = await crossings();
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const [bareMs, allMs] = [median(rounds.map((one) => one.bareMs)), median(rounds.map((one) => one.allMs))];
const residentMb = Math.round(process.memoryUsage.rss() / 1e6);
process.stdout.write(
  `${JSON.stringify({ bench: 'analyst', ratioCpu: Number((allMs / bareMs).toFixed(2)), bareMs, allMs, residentMb, crossings: { in: inward, out } })}\n`,
);

/** The clip at that rate, at the width that the site decodes. */
async function readFrames(): Promise<readonly Buffer[]> {
  const filters = `fps=${FRAMES_PER_S},scale=${SIZE.width}:${SIZE.height}:flags=area`;
  const output = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const child = spawn('ffmpeg', ['-v', 'error', '-r', '7', '-i', CLIP, '-vf', filters, ...output], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const all = await buffer(child.stdout);
  const bytes = SIZE.width * SIZE.height * 3;
  return Array.from({ length: Math.floor(all.length / bytes) }, (_, at) => all.subarray(at * bytes, (at + 1) * bytes));
}

/** People across the line over the whole clip, with the region that moves enlarged. */
async function crossings(): Promise<{ readonly in: number; readonly out: number }> {
  const scene = new Scene([crossing()]);
  const moving = new MovingRegion();
  let count = { in: 0, out: 0 };
  for (const [at, rgb] of pictures.entries()) {
    const picture = { ...SIZE, rgb, wallMs: (at * 1000) / FRAMES_PER_S };
    const region = moving.next(
      picture,
      scene.tracks.map(({ box }) => box),
    );
    const detections = await detector.detect({ ...picture, region });
    const events = scene.step({ atMs: picture.wallMs, detections, aspect: SIZE.width / SIZE.height });
    count = events.at(-1)?.count ?? count;
  }
  return count;
}

/** The runtime with the same options and an input that is ready. */
async function bareInference(): Promise<() => Promise<unknown>> {
  const runtime = createRequire(`${analystRuntime}package.json`)('onnxruntime-node');
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
  const session = await runtime.InferenceSession.create(await readFile(`${MODEL_FOLDER}model.onnx`), options);
  const input = new runtime.Tensor('float32', new Float32Array(3 * SIDE * SIDE), [1, 3, SIDE, SIDE]);
  return () => session.run({ [session.inputNames[0]]: input });
}

async function cpuMsOf(run: () => Promise<unknown>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function crossing(): AnalysisOrder {
  const points = [
    { x: 560 / 768, y: 0 },
    { x: 560 / 768, y: 1 },
  ];
  return {
    taskId: 'bench',
    algorithm: 'counting',
    regions: [{ regionId: 'line', regionName: 'Line', kind: 'line', points, direction: 'both' }],
    classes: ['person'],
    threshold: 10,
    minHeight: 0.02,
    maxHeight: 1,
    dwellS: 10,
    densityLevels: [3, 6, 10],
  };
}
