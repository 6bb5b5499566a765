// The drill primary-killed: a whole installation on two PostgreSQL servers, of which the primary is killed while cameras are watched and recorded.
import { AcknowledgedWrites } from '../harness/acknowledged-writes.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { ReplicatedPostgres } from '../harness/replicated-postgres.ts';
import { addAll, startVirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

type Channel = { readonly deviceSerial: string; readonly channelNo: number };

const CAMERAS = 3;
const WRITES_BEFORE = 100;
const WRITES_AFTER = 50;
const BACK_WITHIN_MS = 60_000;
/** Whoever watches over the servers needs some time to promote the standby. */
const PROMOTED_AFTER_MS = Number(process.env['PROMOTED_AFTER_MS'] ?? 3000);
const RECORDED_AFTER_MS = 4000;

export interface PrimaryKilled {
  readonly acknowledged: number;
  /** Acknowledged, and not in the database that goes on. */
  readonly lost: number;
  readonly refused: number;
  /** Longest time between two acknowledged writes, with that until the promotion. */
  readonly writesBackMs: number;
  readonly promotedAfterMs: number;
  /** Longest time between two pictures' worth of live video at a viewer, from before the kill to the end. */
  readonly longestLiveGapMs: number;
  readonly recordedFramesMissing: number;
  readonly recordedFrames: number;
}

export async function primaryKilled(): Promise<PrimaryKilled> {
  const postgres = await ReplicatedPostgres.start();
  const [product, site] = await Promise.all([
    Product.start({ env: { DATABASE_URL: postgres.url } }),
    startVirtualSite(),
  ]);
  try {
    const operator = await product.setUp();
    const channels = await addAll(operator, site.devices.filter(({ kind }) => kind === 'camera').slice(0, CAMERAS));
    await Promise.all(
      channels.map(async (channel) => await recordedFor({ operator, channel, since: Date.now(), ms: 3000 })),
    );
    return await drill({ postgres, operator, channels, url: product.url });
  } finally {
    await Promise.all([product.stop(), site.stop()]);
    await postgres.stop();
  }
}

interface Scene {
  readonly postgres: ReplicatedPostgres;
  readonly operator: ApiClient;
  readonly channels: readonly Channel[];
  readonly url: string;
}

async function drill({ postgres, operator, channels, url }: Scene): Promise<PrimaryKilled> {
  const viewers = await Promise.all(
    channels.map(async (channel) => {
      const { ticket } = await operator.ok('media/url', channel);
      return await LiveViewer.open(url, ticket);
    }),
  );
  await waitFor('live video', () => viewers.every(({ fragments }) => fragments.length > 3));
  const writes = new AcknowledgedWrites((organizationName) => operator.call('org/add', { organizationName }));
  await waitFor('writes before', () => writes.count >= WRITES_BEFORE, BACK_WITHIN_MS);
  const killedAt = Date.now();
  await postgres.primary.kill();
  await new Promise((resolve) => setTimeout(resolve, PROMOTED_AFTER_MS));
  await postgres.standby.promote();
  const before = writes.count;
  await waitFor('writes after', () => writes.count >= before + WRITES_AFTER, BACK_WITHIN_MS);
  const { acknowledged, longestGapMs, refused } = await writes.end();
  const since = Date.now();
  await Promise.all(
    channels.map(async (channel) => await recordedFor({ operator, channel, since, ms: RECORDED_AFTER_MS })),
  );
  const gaps = viewers.map((viewer) => longestGap(viewer, killedAt - 1000));
  for (const viewer of viewers) viewer.close();
  const stored = await postgres.standby.query('select organization_name as name from organization');
  const names = new Set(stored.map(({ name }) => name));
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((name) => !names.has(name)).length,
    refused,
    writesBackMs: longestGapMs,
    promotedAfterMs: PROMOTED_AFTER_MS,
    longestLiveGapMs: Math.max(...gaps),
    ...(await recordedFrames({ operator, channels, url, killedAt })),
  };
}

function longestGap({ fragments }: LiveViewer, since: number): number {
  const times = [...fragments.map(({ arrivedAt }) => arrivedAt).filter((at) => at >= since), Date.now()];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

interface Recording {
  readonly operator: ApiClient;
  readonly channel: Channel;
  readonly since: number;
  readonly ms: number;
}

async function recordedFor({ operator, channel, since, ms }: Recording): Promise<void> {
  await waitFor(
    `${ms} ms of recording`,
    async () => {
      const { recordList } = await operator.ok('record/query', {
        ...channel,
        startTime: since,
        endTime: Date.now() + 5000,
      });
      return recordList.some((item) => item.endTime - Math.max(since, item.startTime) >= ms);
    },
    BACK_WITHIN_MS,
  );
}

/** By the counter that is drawn into each picture. */
async function recordedFrames({
  operator,
  channels,
  url,
  killedAt,
}: Omit<Scene, 'postgres'> & { readonly killedAt: number }) {
  let frames = 0;
  let breaks = 0;
  for (const channel of channels) {
    const asked = { ...channel, startTime: killedAt - 2000, endTime: Date.now() };
    const played = await countedFrames(new URL((await operator.ok('record/hls', asked)).url, url).href);
    frames += played.length;
    breaks += counterBreaks(played).length;
  }
  return { recordedFrames: frames, recordedFramesMissing: breaks };
}
