// Server and PostgreSQL are killed while cameras are recorded: no frame is missing, and the console recovers.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { findProcess } from '../harness/processes.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

type Dev = { deviceSerial: string; channelNo: number };

let product: Product;
let site: VirtualSite;
let operator: ApiClient;
let channels: Dev[];

beforeAll(async () => {
  [product, site] = await Promise.all([Product.start(), startVirtualSite()]);
  operator = await product.setUp();
  const cameras = site.devices.filter((device) => device.kind === 'camera').slice(0, 3);
  channels = await addAll(operator, cameras);
  await Promise.all(channels.map((dev) => recordedFor(dev, Date.now(), 3000)));
}, 180_000);

afterAll(async () => {
  await Promise.all([product?.stop(), site?.stop()]);
});

async function recordedFor(dev: Dev, since: number, ms: number): Promise<void> {
  await waitFor(
    `${ms} ms of recording`,
    async () => {
      const { recordList } = await operator.ok('record/query', {
        ...dev,
        startTime: since,
        endTime: Date.now() + 5000,
      });
      return recordList.some((item) => item.endTime - Math.max(since, item.startTime) >= ms);
    },
    40_000,
  );
}

async function answersAgain(): Promise<void> {
  await waitFor('the server to answer', async () => (await operator.call('token/check', {})).code === 200, 30_000);
}

async function framesBetween(dev: Dev, startTime: number, endTime: number) {
  const { url } = await operator.ok('record/hls', { ...dev, startTime, endTime });
  return countedFrames(new URL(url, product.url).href);
}

async function killOnce(part: string): Promise<number> {
  const killedAt = Date.now();
  const victim = await findProcess(product.process.pid ?? 0, part);
  process.kill(victim.pid, 'SIGKILL');
  await answersAgain();
  const backMs = Date.now() - killedAt;
  await Promise.all(channels.map((dev) => recordedFor(dev, Date.now(), 4000)));
  for (const dev of channels) {
    const frames = await framesBetween(dev, killedAt - 2000, Date.now());
    expect(frames.length).toBeGreaterThan(40);
    expect(counterBreaks(frames)).toEqual([]);
  }
  return backMs;
}

it.each([
  { title: '[FT-18] the server', part: 'main-server.ts', kills: faultRounds(1, 500) },
  { title: '[FT-23] PostgreSQL', part: 'bin/postgres', kills: faultRounds(1, 20) },
])(
  '$title is killed: 0 frames lost, and it answers again',
  async ({ part, kills }) => {
    const back: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) back.push(await killOnce(part));
    back.sort((a, b) => a - b);
    process.stdout.write(
      `server-kill: ${JSON.stringify({ part, kills, framesLost: 0, backMedianMs: back[back.length >> 1], backMaxMs: back.at(-1) })}\n`,
    );
  },
  120_000 * Math.max(faultRounds(1, 500), 1),
);
