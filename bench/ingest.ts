// npm run bench:ingest: many virtual cameras pulled, muxed and cached by our engine, against one `ffmpeg -c copy` per camera.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { parseArgs } from 'node:util';
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
/** Connections, first key frames and the first collections are over by then. */
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

const simulator = spawn(
  process.execPath,
  [file('../virtual-devices/main-virtual-devices.ts'), '--scale', String(cameras), '--bitrate', values.kbps],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const ready = JSON.parse(await firstLine(lines(simulator))) as {
  devices: { target: string; user: string; password: string }[];
};
const urls = ready.devices.map(({ target, user, password }) => target.replace('://', `://${user}:${password}@`));

const own: Round[] = [];
const ffmpeg: Round[] = [];
for (let round = 1; round <= Number(values.rounds); round++) {
  own.push(report(`round ${round} own`, await measure(startOwn)));
  ffmpeg.push(report(`round ${round} ffmpeg`, await measure(startFfmpeg)));
}
simulator.kill();
await once(simulator, 'exit');
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
  const child = spawn(process.execPath, [file('./ingest-own.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(urls.join('\n'));
  const output = lines(child);
  await firstLine(output);
  const ask = async (): Promise<{ playing: number; bytes: number }> => {
    const answer = firstLine(output);
    child.kill('SIGUSR2');
    return JSON.parse(await answer) as { playing: number; bytes: number };
  };
  while ((await ask()).playing < urls.length) await passes(250);
  await passes(WARM_UP_MS);
  return { usage: () => treeUsage(child.pid ?? 0), bytes: async () => (await ask()).bytes, stop: () => ended(child) };
}

/** The process that holds the children and reads their pipes is left out: it is the bench's, not ffmpeg's. */
async function startFfmpeg(): Promise<Side> {
  const holder = spawn(process.execPath, [file('./ingest-ffmpeg.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.end(urls.join('\n'));
  const output = lines(holder);
  await firstLine(output);
  await passes(WARM_UP_MS);
  const ask = async (): Promise<{ bytes: number }> => {
    const answer = firstLine(output);
    holder.kill('SIGUSR2');
    return JSON.parse(await answer) as { bytes: number };
  };
  return {
    usage: () => treeUsage(holder.pid ?? 0, false),
    bytes: async () => (await ask()).bytes,
    stop: () => ended(holder),
  };
}

function file(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

function lines(child: ChildProcess): Interface {
  if (!child.stdout) throw new Error('no standard output');
  return createInterface({ input: child.stdout });
}

async function firstLine(from: Interface): Promise<string> {
  return ((await once(from, 'line')) as [string])[0];
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function passes(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function report(title: string, round: Round): Round {
  process.stderr.write(`${title}: ${JSON.stringify(round)}\n`);
  return round;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
