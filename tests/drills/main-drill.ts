// npm run drill -- NAME: takes one of two servers away, and prints one line of JSON with how long what was missing, and what was lost.
import { type Loss, SiteServerDrill } from './site-server-drill.ts';
import { TwoServers } from '../harness/two-servers.ts';
import { waitFor } from '../harness/wait-for.ts';
import { primaryKilled } from './primary-killed.ts';

/** A lease, and what a busy machine needs. */
const TAKEN_OVER_WITHIN_MS = 60_000;
const DELIVERED_WITHIN_MS = 60_000;
const ALARM_EVERY_MS = 200;
/** After the server is back: what it would still do shows by then. */
const ALARMS_AFTER = 20;
/** Of how long a site was away. */
const SITE_ROUNDS = 6;

const NAMES = ['server-killed', 'server-frozen', 'site-server-killed', 'site-server-frozen', 'primary-killed'] as const;

interface Outcome {
  readonly isPassed: boolean;
  readonly result: object;
}

interface Drill {
  readonly takeAway: (two: TwoServers) => Promise<void>;
  /** It is there again, and knows that it lost its leases. */
  readonly bringBack: (two: TwoServers) => Promise<void>;
}

function drillOf(name: string | undefined): Drill {
  const victim: { server: TwoServers['servers'][number] | null; lines: number } = { server: null, lines: 0 };
  const choose = (two: TwoServers) => {
    victim.server = two.roles.holding;
    victim.lines = victim.server.log.length;
    return victim.server;
  };
  if (name === 'server-killed') {
    return {
      takeAway: async (two) => void (await choose(two).end('SIGKILL')),
      bringBack: async () => await victim.server?.run(),
    };
  }
  if (name === 'server-frozen') {
    return {
      takeAway: async (two) => void process.kill(choose(two).processId, 'SIGSTOP'),
      bringBack: async (two) => {
        process.kill(victim.server?.processId ?? 0, 'SIGCONT');
        const count = (await two.leases()).length;
        const lost = () =>
          victim.server?.log.slice(victim.lines).filter((line) => line.includes('lease of a work was lost'));
        await waitFor('the thawed server to notice', () => lost()?.length === count);
      },
    };
  }
  throw new Error(`usage: npm run drill -- ${NAMES.join(' | ')}`);
}

/** Alarms go on all the time, told to the server that stays. */
async function run(two: TwoServers, { takeAway, bringBack }: Drill) {
  const { other } = two.roles;
  await two.raise(other, ALARMS_AFTER);
  await two.allDelivered(DELIVERED_WITHIN_MS);
  const before = await two.leases();
  await takeAway(two);
  let isOver = false;
  const storm = (async () => {
    while (!isOver) {
      await two.raise(other, 1);
      await new Promise((resolve) => setTimeout(resolve, ALARM_EVERY_MS));
    }
  })();
  const takenOverMs = await two.takenOverBy(other, before, TAKEN_OVER_WITHIN_MS).finally(() => {
    isOver = true;
  });
  await storm;
  await two.allDelivered(DELIVERED_WITHIN_MS);
  await bringBack(two);
  for (const server of two.servers) await two.raise(server, ALARMS_AFTER);
  await two.allDelivered(DELIVERED_WITHIN_MS);
  return { works: before.length, takenOverMs, alarms: two.raised, ...two.delivered };
}

async function serverDrill(name: string | undefined): Promise<Outcome> {
  const drill = drillOf(name);
  const two = await TwoServers.start();
  try {
    const result = await run(two, drill);
    return { isPassed: result.missing + result.twice === 0, result };
  } finally {
    await two.stop();
  }
}

async function databaseDrill(): Promise<Outcome> {
  const result = await primaryKilled();
  return { isPassed: result.lost + result.recordedFramesMissing === 0 && result.longestLiveGapMs < 2000, result };
}

/** Each server is lost in turn. */
async function siteDrill(loss: Loss): Promise<Outcome> {
  const drill = await SiteServerDrill.start();
  try {
    const takenMs: number[] = [];
    for (let round = 0; round < SITE_ROUNDS; round += 1) takenMs.push(await drill.lose(round % 2 === 0 ? 0 : 1, loss));
    takenMs.sort((one, other) => one - other);
    const [p50, p95] = [0.5, 0.95].map((share) => takenMs[Math.ceil(share * takenMs.length) - 1]);
    return { isPassed: true, result: { rounds: takenMs.length, p50, p95, takenMs } };
  } finally {
    await drill.stop();
  }
}

function begin(name: string | undefined): Promise<Outcome> {
  if (name === 'primary-killed') return databaseDrill();
  if (name === 'site-server-killed') return siteDrill('SIGKILL');
  return name === 'site-server-frozen' ? siteDrill('SIGSTOP') : serverDrill(name);
}

const [name] = process.argv.slice(2);
const { isPassed, result } = await begin(name);
process.exitCode = isPassed ? 0 : 1;
process.stdout.write(`${JSON.stringify({ drill: name, ...result })}\n`);
