// npm run bench:ingest: many virtual cameras pulled, muxed and cached by our engine, against one `ffmpeg -c copy` per camera.
import { parseArgs } from 'node:util';
import { siteFlags } from '../launcher/installation/site-runtime.js';
import { signedUrl, startCameras } from './measure/cameras.ts';
import { JsonLineProcess, passes } from './measure/json-line-process.ts';
import { median, rounded } from './measure/figures.ts';
import { type TreeUsage, treeUsage } from './measure/process-tree.ts';

const { values } = parseArgs({
  options: {
    cameras: { type: 'string', default: '100' },
    kbps: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
});
const cameras = Number(values.cameras);
const seconds = Number(values.seconds);
const expectedBytes = (cameras * Number(values.kbps) * 1000 * seconds) / 8;
/** Connections, first keyframes and the first collections are over by then. */
const WARM_UP_MS = 5000;
/** Both sides must deliver so much of the bytes sent; else the round says nothing. */
const DELIVERED = 0.99;

interface Round {
  /** Percent of one core. */
  readonly cpuPercent: number;
  readonly pssMiB: number;
  readonly delivered: number;
}

interface Side {
  readonly usage: () => TreeUsage;
  /** Bytes received since it started. */
  bytes(): Promise<number>;
  stop(): Promise<void>;
}

const simulator = await startCameras(cameras, Number(values.kbps));
const urls = simulator.list.map(signedUrl);

const own: Round[] = [];
const ffmpeg: Round[] = [];
for (let round = 1; round <= Number(values.rounds); round++) {
  own.push(report(`round ${round} own`, await measure(startOwn)));
  ffmpeg.push(report(`round ${round} ffmpeg`, await measure(startFfmpeg)));
}
await simulator.stop();
const result = {
  bench: 'ingest',
  cameras,
  kbps: Number(values.kbps),
  seconds,
  ownCpuPercent: median(own.map((round) => round.cpuPercent)),
  ffmpegCpuPercent: median(ffmpeg.map((round) => round.cpuPercent)),
  ownMiB: median(own.map((round) => round.pssMiB)),
  ffmpegMiB: median(ffmpeg.map((round) => round.pssMiB)),
  delivered: Math.min(...[...own, ...ffmpeg].map((round) => round.delivered)),
};
const ratios = {
  ratioCpu: rounded(result.ownCpuPercent / result.ffmpegCpuPercent),
  ratioMemory: rounded(result.ownMiB / result.ffmpegMiB),
};
process.stdout.write(`${JSON.stringify({ ...result, ...ratios })}\n`);
process.exitCode = result.delivered >= DELIVERED ? 0 : 1;

async function measure(start: () => Promise<Side>): Promise<Round> {
  const side = await start();
  const before = { usage: side.usage(), bytes: await side.bytes(), at: performance.now() };
  await passes(seconds * 1000);
  const bytes = (await side.bytes()) - before.bytes;
  const elapsedS = (performance.now() - before.at) / 1000;
  const after = side.usage();
  await side.stop();
  return {
    cpuPercent: rounded(((after.cpuS - before.usage.cpuS) / elapsedS) * 100),
    pssMiB: rounded(after.pssMiB),
    delivered: rounded(bytes / ((expectedBytes / seconds) * elapsedS)),
  };
}

async function startOwn(): Promise<Side> {
  const child = await startSide('./ingest-own.ts', siteFlags);
  while ((await child.ask<{ playing: number }>()).playing < urls.length) await passes(250);
  await passes(WARM_UP_MS);
  return { usage: () => treeUsage(child.pid), bytes: () => bytesOf(child), stop: () => child.stop() };
}

/** The process that holds the children and reads their pipes is left out: it is the bench's, not ffmpeg's. */
async function startFfmpeg(): Promise<Side> {
  const holder = await startSide('./ingest-ffmpeg.ts');
  await passes(WARM_UP_MS);
  return { usage: () => treeUsage(holder.pid, false), bytes: () => bytesOf(holder), stop: () => holder.stop() };
}

async function startSide(script: string, flags: readonly string[] = []): Promise<JsonLineProcess> {
  const child = new JsonLineProcess(file(script), [], flags);
  child.process.stdin?.end(urls.join('\n'));
  await child.line();
  return child;
}

async function bytesOf(child: JsonLineProcess): Promise<number> {
  return (await child.ask<{ bytes: number }>()).bytes;
}

function file(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

function report(title: string, round: Round): Round {
  process.stderr.write(`${title}: ${JSON.stringify(round)}\n`);
  return round;
}
