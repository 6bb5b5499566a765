// npm run bench:engine: recording, and fan-out through the public port, against ffmpeg per camera, ZLMediaKit and go2rtc where they are on PATH.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Contender, StartContender, Work } from './contenders/contender.ts';
import { onPath } from './contenders/contender.ts';
import { startFfmpegRecorders } from './contenders/ffmpeg-recorders.ts';
import { startGo2rtc } from './contenders/go2rtc.ts';
import { startOwnSite } from './contenders/own-site.ts';
import { startZlMediaKit } from './contenders/zlmediakit.ts';
import { startCameras } from './measure/cameras.ts';
import { JsonLineProcess, passes } from './measure/json-line-process.ts';
import { median, rounded } from './measure/figures.ts';

const { values } = parseArgs({
  options: {
    kbps: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'recorded,fanOut,fanOutTls,hot,hotTls,scale' },
  },
});
const seconds = Number(values.seconds);
const kbps = Number(values.kbps);
/** First keyframes, first collections and the first files are over by then, and what compiles itself as it runs is compiled: recorders run for months. */
const WARM_UP_MS = 20_000;
/** Below that the round says nothing about CPU. */
const DELIVERED = 0.95;
const NOT_MEASURED = 'not measured';

interface Scenario {
  readonly name: string;
  readonly cameras: number;
  readonly isRecorded: boolean;
  /** AAC beside the pictures, as most cameras have it. */
  readonly hasAudio: boolean;
  readonly viewers: number;
  /** Viewers share so many cameras. */
  readonly watched: number;
  /** Viewers come over TLS. */
  readonly isSecure?: true;
  readonly against: readonly ('ffmpeg' | 'zlmediakit' | 'go2rtc')[];
}

const FAN_OUT = { cameras: 100, isRecorded: false, hasAudio: false, viewers: 200, watched: 10 } as const;
const HOT = { ...FAN_OUT, cameras: 10 } as const;
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'recorded',
    cameras: 100,
    isRecorded: true,
    hasAudio: true,
    viewers: 0,
    watched: 0,
    against: ['ffmpeg', 'zlmediakit'],
  },
  { name: 'fanOut', ...FAN_OUT, against: ['zlmediakit'] },
  { name: 'fanOutTls', ...FAN_OUT, isSecure: true, against: [] },
  { name: 'hot', ...HOT, against: ['zlmediakit', 'go2rtc'] },
  { name: 'hotTls', ...HOT, isSecure: true, against: [] },
  { name: 'scale', cameras: 400, isRecorded: true, hasAudio: true, viewers: 0, watched: 0, against: [] },
];

interface Round {
  /** Percent of one core. */
  readonly cpuPercent: number;
  readonly pssMiB: number;
  /** Share of the bytes that the cameras sent for this work. */
  readonly delivered: number;
}

const zlMediaKit = onPath('MediaServer');
const go2rtc = onPath('go2rtc');
const starters: Readonly<Record<string, StartContender | null>> = {
  own: startOwnSite,
  ffmpeg: startFfmpegRecorders,
  zlmediakit: zlMediaKit === null ? null : (work) => startZlMediaKit(zlMediaKit, work),
  go2rtc: go2rtc === null ? null : (work) => startGo2rtc(go2rtc, work),
};

const result: Record<string, unknown> = { bench: 'engine', kbps, seconds, load: rounded(loadavg()[0] ?? 0) };
const wanted = values.only.split(',');
for (const scenario of SCENARIOS.filter(({ name }) => wanted.includes(name)))
  result[scenario.name] = await run(scenario);
process.stdout.write(`${JSON.stringify(result)}\n`);

/** Sides take turns, so that what else the machine does meets all of them. */
async function run(scenario: Scenario): Promise<Record<string, unknown>> {
  const rounds = new Map<string, Round[]>();
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const side of ['own', ...scenario.against]) {
      const start = starters[side];
      if (!start) continue;
      const measured = await measure(scenario, start);
      process.stderr.write(`${scenario.name} ${side} ${round}: ${JSON.stringify(measured)}\n`);
      rounds.set(side, [...(rounds.get(side) ?? []), measured]);
    }
  }
  return summary(scenario, rounds);
}

function summary(scenario: Scenario, rounds: ReadonlyMap<string, readonly Round[]>): Record<string, unknown> {
  const cpuOf = (side: string): number => median((rounds.get(side) ?? []).map(({ cpuPercent }) => cpuPercent));
  const own = rounds.get('own') ?? [];
  const told: Record<string, unknown> = {
    ownCpuPercent: cpuOf('own'),
    ownMiB: median(own.map(({ pssMiB }) => pssMiB)),
    delivered: Math.min(...own.map(({ delivered }) => delivered)),
  };
  for (const side of scenario.against) {
    const theirs = rounds.get(side);
    const isWhole = theirs?.every(({ delivered }) => delivered >= DELIVERED) ?? false;
    told[`${side}CpuPercent`] = theirs ? cpuOf(side) : NOT_MEASURED;
    told[`${side}Delivered`] = theirs ? Math.min(...theirs.map(({ delivered }) => delivered)) : NOT_MEASURED;
    told[`ratio_${side}`] = isWhole ? rounded(cpuOf('own') / cpuOf(side)) : NOT_MEASURED;
  }
  // A projection: the work grows with the cameras, as the smaller counts show.
  if (scenario.viewers === 0 && scenario.against.length === 0)
    told['camerasPerCore'] = Math.round(scenario.cameras / (cpuOf('own') / 100));
  if (Number(told['delivered']) < DELIVERED) process.exitCode = 1;
  return told;
}

async function measure(scenario: Scenario, start: StartContender): Promise<Round> {
  const simulator = await startCameras(scenario.cameras, kbps, scenario.hasAudio);
  const { isRecorded, hasAudio, isSecure = false } = scenario;
  const work: Work = { cameras: simulator.list, isRecorded, hasAudio, isSecure };
  const side = await start(work);
  try {
    await side.untilPulled();
    const viewers = scenario.viewers > 0 ? await openViewers(scenario, side) : null;
    await passes(WARM_UP_MS);
    const bytes = async (): Promise<number> =>
      viewers ? (await viewers.ask<{ bytes: number }>()).bytes : await side.recordedBytes();
    const before = { usage: side.usage(), bytes: await bytes(), at: performance.now() };
    await passes(seconds * 1000);
    const after = { usage: side.usage(), bytes: await bytes(), at: performance.now() };
    await viewers?.stop();
    const elapsedS = (after.at - before.at) / 1000;
    const streams = scenario.viewers > 0 ? scenario.viewers : scenario.cameras;
    return {
      cpuPercent: rounded(((after.usage.cpuS - before.usage.cpuS) / elapsedS) * 100),
      pssMiB: rounded(after.usage.pssMiB),
      delivered: rounded((after.bytes - before.bytes) / ((streams * kbps * 1000 * elapsedS) / 8)),
    };
  } finally {
    await side.stop();
    await simulator.stop();
  }
}

async function openViewers(scenario: Scenario, side: Contender): Promise<JsonLineProcess> {
  const watches = Array.from({ length: scenario.viewers }, (_, index) => side.watch(index % scenario.watched));
  const child = new JsonLineProcess(new URL('./viewers.ts', import.meta.url).pathname);
  child.process.stdin?.end((await Promise.all(watches)).map((watch) => JSON.stringify(watch)).join('\n'));
  await child.line();
  return child;
}
