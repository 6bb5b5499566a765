// A site serves the stream of a virtual camera as an origin: Low-Latency HLS by the rules, HTTP-FLV as ffmpeg plays it, and refusals.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { signUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

describe('an origin of live streams', () => {
  let site: SiteProcess;
  let virtual: VirtualSite;
  let camera: Omit<DeviceAssignment, 'channels'>;
  let base: string;

  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite(['--cameras', '1'])]);
    await site.serve();
    await site.start();
    const found = virtual.devices.find((device) => device.kind === 'camera');
    if (!found) throw new Error('no camera');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
    const channels = [{ channelNo: 1, channelId: 'camera1', record: null, backfillFrom: null }];
    const settings = { ...site.settings, cameraNetworks: ['127.0.0.0/8'] };
    await site.ok('assign', { devices: [{ ...camera, channels }], settings });
    base = `http://127.0.0.1:${(await site.gateway()).port}/media/cdn`;
  }, 150_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
  });
  afterEach(async () => {
    for (const { liveId } of (await site.ok('pushes', {})).pushes) await site.ok('pushStop', { liveId });
  });

  const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;
  async function start(stream: string, ticketId?: string): Promise<string> {
    const grant = { kind: 'push', deviceSerial: camera.deviceSerial, channelNo: 1 } as const;
    const ticket = await site.ticket({ ...grant, ...(ticketId !== undefined && { ticketId }) });
    await site.ok('originStart', { liveId: `live-${stream}`, ticket, stream, key: `key of ${stream}` });
    return addressOf(stream);
  }
  const addressOf = (stream: string, key = `key of ${stream}`, untilS = inAnHour()): string =>
    `${base}/${signUntil(key, stream, untilS)}/${stream}`;

  it('is decoded by ffmpeg from both formats', async () => {
    const address = await start('camera1-0');
    for (const name of ['live.m3u8', 'live.flv']) {
      const args = ['-v', 'error', '-i', `${address}/${name}`, '-map', '0:v', '-frames:v', '60', '-f', 'framemd5', '-'];
      const { stdout } = await run('ffmpeg', args);
      expect(
        stdout.split('\n').filter((line) => /^\d/u.test(line)),
        name,
      ).toHaveLength(60);
    }
  }, 120_000);

  it('answers a blocked reload with the part that it waited for', async () => {
    const address = await start('camera1-1');
    const first = await (await fetch(`${address}/live.m3u8`)).text();
    const last = [...first.matchAll(/#EXTINF/gu)].length - 1;
    const next = Number(/MEDIA-SEQUENCE:(\d+)/u.exec(first)?.[1]) + last + 2;
    const answer = await fetch(`${address}/live.m3u8?_HLS_msn=${next}&_HLS_part=0`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=12');
    expect(await answer.text()).toContain('#EXT-X-PART:');
    await waitFor('it to be live', async () => (await site.ok('pushes', {})).pushes[0]?.state === 'live');
  }, 120_000);
});
