// The site is killed at random instants while twelve channels are recorded: losses are counted from the frames.
import type { ChannelAssignment, DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultRounds } from '../harness/fault-rounds.ts';
import { run } from '../harness/ffprobe.ts';
import { canLimitMemory, MemoryLimit } from '../harness/memory-limit.ts';
import { filesOf, lossAround } from '../harness/recorded-files.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS = faultRounds(4, 500);
const LOST_MAX_MS = 1000;
const RECORDING_AGAIN_MS = 5000;
/** Of pages that come after the site moved in: what it has stays where it was counted. */
const CAGE_MB = 96;

let site: SiteProcess;
let virtual: VirtualSite;
let channels: ChannelAssignment[];

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const devices = await probeAll();
  channels = devices.flatMap((device) => device.channels);
  await site.ok('assign', { devices, settings: site.settings });
}, 60_000);

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function probeAll(): Promise<DeviceAssignment[]> {
  const devices: DeviceAssignment[] = [];
  let count = 0;
  for (const { target, user, password, kind } of virtual.devices) {
    if (kind === 'offline') continue;
    const found = await site.ok('probe', { target, user, password, isOperator: true });
    devices.push({
      deviceSerial: found.deviceSerial,
      driver: found.driver,
      native: found.native,
      user,
      password,
      isOperatorAddress: true,
      channels: found.channels.map(({ channelNo }) => {
        count += 1;
        const record = { quality: 0, retentionDays: 30 } as const;
        return { channelNo, channelId: `channel${count}`, record, backfillFrom: null };
      }),
    });
  }
  return devices;
}

const channelIds = (): string[] => channels.map(({ channelId }) => channelId);

async function allRecordSince(sinceMs: number): Promise<void> {
  await waitFor(
    'every channel to be recorded',
    async () => {
      for (const { channelId } of channels) {
        const { spans } = await site.ok('recordings', {
          channelId,
          quality: 0,
          startTime: sinceMs,
          endTime: sinceMs + 1e9,
        });
        if (!spans.some((span) => span.endTime - Math.max(sinceMs, span.startTime) > 1000)) return false;
      }
      return true;
    },
    30_000,
  );
}

it(
  `[FT-17] ${ROUNDS} kills lose at most a second per stream, and recording resumes within five`,
  async () => {
    const lost: number[] = [];
    const back: number[] = [];
    await allRecordSince(Date.now());
    for (let round = 0; round < ROUNDS; round += 1) {
      const wait = 500 + Math.random() * 3000;
      const until = performance.now() + wait;
      await waitFor('the instant of the kill', () => performance.now() > until);
      await site.kill('SIGKILL');
      const killedMs = Date.now();
      await site.start();
      await allRecordSince(killedMs);
      const around = await lossAround(site.recordings, channelIds(), killedMs);
      lost.push(...around.lost);
      back.push(...around.back);
    }
    judgeLoss('site-kill', ROUNDS, lost, back);
  },
  60_000 + ROUNDS * 45_000,
);

it.skipIf(!canLimitMemory)(
  '[FT-21] a site killed for lack of memory loses at most a second per stream, and recording resumes within five',
  async () => {
    await allRecordSince(Date.now());
    const cage = new MemoryLimit(CAGE_MB);
    try {
      cage.squeeze(site.pid);
      await waitFor('the kernel to kill', () => site.hasEnded, 60_000);
    } finally {
      await cage.remove();
    }
    const killedMs = Date.now();
    await site.start();
    await allRecordSince(killedMs);
    const { lost, back } = await lossAround(site.recordings, channelIds(), killedMs);
    judgeLoss('site-out-of-memory', 1, lost, back);
  },
  120_000,
);

function judgeLoss(name: string, kills: number, lostMs: readonly number[], backMs: readonly number[]): void {
  const lost = lostMs.toSorted((a, b) => a - b);
  const back = backMs.toSorted((a, b) => a - b);
  const p99 = (values: readonly number[]): number => values[Math.ceil(values.length * 0.99) - 1] ?? 0;
  const median = (values: readonly number[]): number => values[values.length >> 1] ?? 0;
  process.stdout.write(
    `${name}: ${JSON.stringify({ kills, streams: channels.length, lostMedianMs: median(lost), lostP99Ms: p99(lost), lostMaxMs: lost.at(-1), backMedianMs: median(back), backMaxMs: back.at(-1) })}\n`,
  );
  expect(p99(lost)).toBeLessThanOrEqual(LOST_MAX_MS);
  expect(p99(back)).toBeLessThanOrEqual(RECORDING_AGAIN_MS);
}

it(
  '[FT-17] everything recorded before the kills opens in ffprobe',
  async () => {
    for (const { channelId } of channels) {
      for (const { path, index } of await filesOf(site.recordings, channelId)) {
        const pictures = index.records.reduce((sum, record) => sum + record.pictures, 0);
        const args = [
          '-v',
          'error',
          '-select_streams',
          'v',
          '-count_packets',
          '-show_entries',
          'stream=nb_read_packets',
          '-of',
          'csv=p=0',
          path,
        ];
        const { stdout, stderr } = await run('ffprobe', args);
        expect(stderr).toBe('');
        expect(Number.parseInt(stdout, 10)).toBeGreaterThanOrEqual(pictures);
      }
    }
  },
  // A file of each stream and kill.
  120_000 + ROUNDS * 5000,
);
