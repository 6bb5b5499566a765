// Repeated attacks while sixteen cameras are recorded; losses by kills and freezes meanwhile are counted.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { probeHostile } from '../abuse/hostile-answers.ts';
import { openUnauthenticatedSites } from '../abuse/site-memory.ts';
import { openSockets } from '../abuse/socket-floods.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { findProcess } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { lossAround } from '../harness/recorded-files.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const CAMERAS = 16;
const ROUNDS = faultRounds(1, 50);
const LOST_MAX_MS = 1000;
const SOCKETS = 50;
/** The attackers share two cores with what they attack. */
const EVERY_MS = 500;

type Channel = { readonly deviceSerial: string; readonly channelNo: number };

let product: Product;
let cameras: VirtualSite;
let operator: ApiClient;
let channels: readonly Channel[];
let channelIds: readonly string[];
const volleys = { answers: 0, frames: 0, floods: 0 };
let isOver = false;
let attacks: Promise<unknown>;

beforeAll(async () => {
  [product, cameras] = await Promise.all([Product.start(), startVirtualSite(['--cameras', String(CAMERAS)])]);
  operator = await product.setUp();
  channels = await addAll(operator, cameras.devices);
  await allRecordSince(Date.now());
  const entries = await readdir(join(product.data, 'recordings'), { withFileTypes: true });
  channelIds = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  attacks = Promise.all([
    again(async () => {
      await probeHostile(operator, 1);
      volleys.answers += 1;
    }),
    again(async () => {
      await openUnauthenticatedSites(product.url, 10);
      volleys.frames += 1;
    }),
    again(async () => {
      (await openSockets(product.url, SOCKETS)).close();
      volleys.floods += 1;
    }),
  ]);
}, 180_000);

afterAll(async () => {
  isOver = true;
  await attacks;
  await Promise.all([product?.stop(), cameras?.stop()]);
});

/** What fails while the product is away is tried again. */
async function again(volley: () => Promise<void>): Promise<void> {
  while (!isOver) {
    const untilMs = performance.now() + EVERY_MS;
    await volley().catch(() => undefined);
    await waitFor('the next volley', () => isOver || performance.now() > untilMs);
  }
}

async function allRecordSince(sinceMs: number): Promise<void> {
  const open = new Set(channels);
  await waitFor(
    'every channel to be recorded',
    async () => {
      for (const channel of open) {
        const range = { startTime: sinceMs, endTime: Date.now() + 5000 };
        const { recordList } = await operator.ok('record/query', { ...channel, ...range });
        if (recordList.some(({ startTime, endTime }) => endTime - Math.max(sinceMs, startTime) > 1000))
          open.delete(channel);
      }
      if (open.size > 0) throw new Error(`${open.size} are not`);
      return true;
    },
    60_000,
  );
}

const pidOf = async (part: string): Promise<number> => (await findProcess(product.process.pid ?? 0, part)).pid;

/** The server killed and its database frozen, then the site killed; when the latter was. */
async function strike(): Promise<number> {
  const postgres = await pidOf('bin/postgres');
  process.kill(postgres, 'SIGSTOP');
  try {
    process.kill(await pidOf('main-server.ts'), 'SIGKILL');
    const { floods } = volleys;
    await waitFor('another flood', () => volleys.floods > floods, 30_000);
    process.kill(await pidOf('main-site.ts'), 'SIGKILL');
    return Date.now();
  } finally {
    process.kill(postgres, 'SIGCONT');
  }
}

it(
  `[FT-17] [FT-18] [SE-85] ${ROUNDS} kills of site and server with a frozen database under attack lose at most a second of each of ${CAMERAS} recordings`,
  async () => {
    const lost: number[] = [];
    const back: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { answers, frames } = volleys;
      await waitFor('a volley of each kind', () => volleys.answers > answers && volleys.frames > frames, 60_000);
      const killedMs = await strike();
      await allRecordSince(killedMs);
      const around = await lossAround(join(product.data, 'recordings'), channelIds, killedMs);
      lost.push(...around.lost);
      back.push(...around.back);
    }
    const [lostMaxMs, backMaxMs] = [Math.max(...lost), Math.max(...back)];
    const figures = { kills: ROUNDS, streams: channelIds.length, lostMaxMs, backMaxMs };
    process.stdout.write(`kill-under-attack: ${JSON.stringify({ ...figures, ...volleys })}\n`);
    expect(channelIds).toHaveLength(CAMERAS);
    expect(lostMaxMs).toBeLessThanOrEqual(LOST_MAX_MS);
  },
  120_000 + ROUNDS * 90_000,
);
