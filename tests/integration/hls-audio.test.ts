// Live HLS of a camera with G.711: AAC with the camera's own beeps at their time; without ffmpeg its video alone.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { run, verifyMedia } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const SAMPLE_RATE = 16_000;
/** Of the start of a beep in the decoded audio: a beep swells over 10 ms. */
const NEAR_MS = 120;

let site: SiteProcess;
let virtual: VirtualSite;

afterEach(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function get(path: string): Promise<Buffer> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  return Buffer.concat(parts);
}

/** A site with one camera that sends H.264 and A-law. */
async function begin(env: Readonly<Record<string, string>> = {}): Promise<string> {
  [site, virtual] = await Promise.all([SiteProcess.create(env), startVirtualSite()]);
  await site.serve();
  await site.start();
  const { target, user, password } = virtual.devices.find(({ kind }) => kind === 'camera') as VirtualDevice;
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const channels = [{ channelNo: 1, channelId: 'camera1', record: null, backfillFrom: null }];
  const device = { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
  await site.ok('assign', { devices: [device], settings: site.settings });
  return await site.ticket({ kind: 'hls', deviceSerial, channelNo: 1 });
}

interface Clip {
  readonly bytes: Buffer;
  /** Capture time of its first frame, ms. */
  readonly wallMs: number;
}

/** The first segments of the playlist, once there are so many. */
async function clip(ticket: string, count: number): Promise<Clip> {
  const listed = await waitFor(
    `${count} segments`,
    async () => {
      const text = (await get(`/media/hls/${ticket}/index.m3u8`)).toString();
      return text.match(/^live-\d+\.m4s$/gm)?.length === count && text;
    },
    30_000,
  );
  const names = [...(listed.match(/init-\d+\.mp4/g) ?? []), ...(listed.match(/^live-\d+\.m4s$/gm) ?? [])];
  const parts: Buffer[] = [];
  for (const name of names) parts.push(await get(`/media/hls/${ticket}/${name}`));
  const time = /PROGRAM-DATE-TIME:(.*)$/m.exec(listed)?.[1] ?? '';
  return { bytes: Buffer.concat(parts), wallMs: Date.parse(time) };
}

/** Seconds from the first frame to the first audio. */
async function audioLead({ bytes }: Clip): Promise<number> {
  const startOf = async (stream: string): Promise<number> => {
    const entries = ['-select_streams', stream, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', '-'];
    const { stdout } = await run('ffprobe', ['-v', 'error', ...entries], bytes);
    return Number(stdout.split('\n')[0]);
  };
  return (await startOf('a')) - (await startOf('v'));
}

/** Capture times of the beeps, ms. */
async function beeps(of: Clip): Promise<number[]> {
  const args = ['-v', 'error', '-i', '-', '-map', '0:a', '-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le', '-'];
  const { bytes } = await run('ffmpeg', args, of.bytes);
  const startMs = of.wallMs + (await audioLead(of)) * 1000;
  const found: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const ms = startMs + (at / 2 / SAMPLE_RATE) * 1000;
    if (Math.abs(bytes.readInt16LE(at)) > 1000 && ms - (found.at(-1) ?? 0) > 500) found.push(ms);
  }
  return found;
}

it('plays as AAC, each beep at the full second of the camera', async () => {
  const ticket = await begin();
  const live = await clip(ticket, 4);
  expect(await verifyMedia('-', live.bytes)).toMatchObject({ codecs: ['h264', 'aac'], errors: '' });
  const heard = await beeps(live);
  expect(heard.length).toBeGreaterThanOrEqual(6);
  for (const ms of heard) {
    const sinceSecond = ((ms + 500) % 1000) - 500;
    expect(Math.abs(sinceSecond), `a beep at ${sinceSecond} ms`).toBeLessThan(NEAR_MS);
  }
}, 60_000);

it('without ffmpeg the video plays alone', async () => {
  const ticket = await begin({ PATH: '' });
  const live = await clip(ticket, 2);
  expect(await verifyMedia('-', live.bytes)).toMatchObject({ codecs: ['h264'], errors: '' });
}, 60_000);
