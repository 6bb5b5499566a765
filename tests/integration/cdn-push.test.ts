// A site pushes the stream of a virtual camera to Debian's nginx with its RTMP module, which records it, plays it, is restarted and refuses.
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { SitePush } from '@vedette/contract/site/site-cdn.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run, verifyMedia } from '../harness/ffprobe.ts';
import { hasNginx, NginxProcess, RTMP_MODULE } from '../harness/nginx-process.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

describe.skipIf(!hasNginx() || !existsSync(RTMP_MODULE))('a push to nginx', () => {
  let site: SiteProcess;
  let virtual: VirtualSite;
  let camera: Omit<DeviceAssignment, 'channels'>;
  let nginx: NginxProcess;

  beforeAll(async () => {
    [site, virtual, nginx] = await Promise.all([
      SiteProcess.create(),
      startVirtualSite(['--cameras', '1']),
      NginxProcess.create(configuration),
    ]);
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
    await mkdir(join(nginx.folder, 'recorded'), { mode: 0o777 });
    await nginx.start();
  }, 150_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop(), nginx?.remove()]);
  });
  afterEach(async () => {
    for (const { liveId } of await pushes()) await site.ok('pushStop', { liveId });
  });

  const pushes = async (): Promise<readonly SitePush[]> => (await site.ok('pushes', {})).pushes;
  const state = async (liveId: string) => (await pushes()).find((push) => push.liveId === liveId);
  const address = (stream: string): string => `rtmp://127.0.0.1:${nginx.port}/live/${stream}`;
  const recordings = async (stream: string): Promise<string[]> => {
    const folder = join(nginx.folder, 'recorded');
    return (await readdir(folder)).filter((name) => name.startsWith(stream)).map((name) => join(folder, name));
  };
  const isLive = async (liveId: string) => (await state(liveId))?.state === 'live';

  async function start(liveId: string, grant: { ticketId?: string; until?: number } = {}): Promise<void> {
    const ticket = await site.ticket({ kind: 'push', deviceSerial: camera.deviceSerial, channelNo: 1, ...grant });
    await site.ok('pushStart', { liveId, ticket, url: address(liveId) });
  }

  it('is recorded and played as the camera sent it, with times that never go back', async () => {
    await start('whole');
    await waitFor('the push to be live', () => isLive('whole'));
    // Played while it runs, as a viewer at the CDN does.
    const args = ['-v', 'error', '-i', address('whole'), '-map', '0:v', '-frames:v', '60', '-f', 'framemd5', '-'];
    const { stdout, stderr } = await run('ffmpeg', args);
    expect(stderr).toBe('');
    const rows = stdout.split('\n').filter((line) => /^\d/u.test(line));
    expect(rows).toHaveLength(60);
    expect(new Set(rows.map((line) => line.split(',').at(-1))).size).toBeGreaterThan(20);
    await site.ok('pushStop', { liveId: 'whole' });
    const [file = ''] = await waitFor('the recording', async () => {
      const found = await recordings('whole');
      return found.length > 0 && found;
    });
    const report = await verifyMedia(file);
    expect(report).toMatchObject({ errors: '', codecs: expect.arrayContaining(['h264']) });
    expect(report.frames).toBeGreaterThanOrEqual(60);
    const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=dts_time', '-of', 'csv=p=0', file];
    const times = (await run('ffprobe', probe)).stdout.split('\n').filter(Boolean).map(Number.parseFloat);
    expect(times.length).toBe(report.frames);
    expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true);
  }, 120_000);

  it('goes on by itself when the server was away, and ends within two seconds of its right', async () => {
    await start('away', { ticketId: 'withdrawn' });
    await waitFor('the push to be live', () => isLive('away'));
    await nginx.stop();
    const away = await waitFor('it to be noticed', async () => {
      const push = await state('away');
      return push?.state === 'retrying' && push;
    });
    expect(['closed', 'unreachable']).toContain(away.reason);
    await nginx.start();
    await waitFor('the push to be live again', () => isLive('away'));
    const endedAt = performance.now();
    await site.ok('revoke', { ticketIds: ['withdrawn'], code: 1004 });
    await waitFor('the push to end', async () => (await state('away'))?.state === 'stopped');
    expect(performance.now() - endedAt).toBeLessThan(2000);
    expect(await state('away')).toMatchObject({ reason: 'rightEnded', bitsPerSecond: 0 });
  }, 120_000);

  it('says that it is refused, and that an address is closed to it', async () => {
    await start('first');
    await waitFor('the push to be live', () => isLive('first'));
    const ticket = await site.ticket({ kind: 'push', deviceSerial: camera.deviceSerial, channelNo: 1 });
    await site.ok('pushStart', { liveId: 'second', ticket, url: address('first') });
    await waitFor('the refusal', async () => (await state('second'))?.state === 'retrying');
    expect(await isLive('first')).toBe(true);
    expect(await site.ok('pushProbe', { url: address('free') })).toEqual({ reason: null });
    expect(await site.ok('pushProbe', { url: 'rtmp://169.254.1.1/live/x' })).toEqual({ reason: 'address' });
    const used = await site.ticket({ kind: 'live', deviceSerial: camera.deviceSerial, channelNo: 1 });
    await expect(site.ok('pushStart', { liveId: 'x', ticket: used, url: address('x') })).rejects.toThrow('1004');
  }, 120_000);
});

function configuration(folder: string, port: number): string {
  return `
    load_module ${RTMP_MODULE};
    events { worker_connections 64; }
    rtmp {
      access_log off;
      server {
        listen 127.0.0.1:${port};
        application live {
          live on;
          wait_key on;
          record all;
          record_path ${folder}/recorded;
        }
      }
    }
  `;
}
