// A site serves the stream of a virtual camera as an origin: Low-Latency HLS by the rules, HTTP-FLV as ffmpeg plays it, and refusals.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { signUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import { brokenRules } from '@vedette/protocols/hls/playlist-rules.fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS_OF_RELOADS = 10;

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
    const { segment } = nextOf(await text(`${address}/live.m3u8`));
    const answer = await fetch(`${address}/live.m3u8?_HLS_msn=${segment + 1}&_HLS_part=0`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=12');
    expect(await answer.text()).toContain('#EXT-X-PART:');
    await waitFor('it to be live', async () => (await site.ok('pushes', {})).pushes[0]?.state === 'live');
  }, 120_000);

  it('[LV-07] keeps the rules of Low-Latency HLS while it goes on, with delta updates', async () => {
    const address = await start('camera1-2');
    const texts = [await text(`${address}/live.m3u8`)];
    for (let round = 0; round < 12; round += 1) {
      const { segment, part } = nextOf(texts.at(-1) ?? '');
      texts.push(await text(`${address}/live.m3u8?_HLS_msn=${segment}&_HLS_part=${part}&_HLS_skip=YES`));
    }
    for (const one of texts) expect(brokenRules(one), one).toEqual([]);
    const hints = texts.map((one) => /PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/u.exec(one)?.[1]);
    expect(new Set(hints).size).toBe(hints.length);
    // What was hinted at is there with the next part, for whoever asked before.
    const hinted = await fetch(`${address}/${hints.at(-1)}`);
    expect([hinted.status, hinted.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    expect((await hinted.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  }, 120_000);

  it('refuses tokens that were altered, expired, or are of another stream, and whatever is not there', async () => {
    const address = await start('camera1-0');
    const status = async (url: string): Promise<number> => (await fetch(url)).status;
    expect(await status(`${address}/live.m3u8`)).toBe(200);
    const other = addressOf('camera1-0', 'another key');
    const expired = addressOf('camera1-0', undefined, Math.floor(Date.now() / 1000) - 1);
    const ofOther = addressOf('camera2-0').replace('camera2-0', 'camera1-0');
    for (const wrong of [other, expired, ofOther]) expect(await status(`${wrong}/live.m3u8`), wrong).toBe(401);
    expect(await status(`${addressOf('camera2-0')}/live.m3u8`)).toBe(404);
    const playlist = await text(`${address}/live.m3u8`);
    const { segment } = nextOf(playlist);
    for (const query of ['_HLS_msn=-1', `_HLS_msn=${segment + 9}`, '_HLS_msn=99999999999999999999', '_HLS_part=1'])
      expect(await status(`${address}/live.m3u8?${query}`), query).toBe(400);
    const name = /URI="([^"]+p\d+\.m4s)"/u.exec(playlist)?.[1] ?? '';
    expect(await status(`${address}/${name}`)).toBe(200);
    for (const gone of [name.replace(/p\d+/u, 'p99999'), name.replace(/^\w+/u, 'zz'), name.replace(/p\d+/u, 's1'), 'x'])
      expect(await status(`${address}/${gone}`), gone).toBe(404);
    expect((await fetch(`${address}/live.m3u8`, { method: 'POST' })).status).toBe(405);
  }, 120_000);

  it('holds so many blocked reloads of one address, and answers the others at once', async () => {
    const address = await start('camera1-0');
    let answers: number[] = [];
    const held = (): number => answers.filter((status) => status === 200).length;
    // Those that a busy machine sends once the part is there are answered at once.
    for (let round = 0; round < ROUNDS_OF_RELOADS && held() !== 100; round += 1) {
      const { segment } = nextOf(await text(`${address}/live.m3u8`));
      const next = `${address}/live.m3u8?_HLS_msn=${segment + 1}&_HLS_part=0`;
      answers = await Promise.all(Array.from({ length: 300 }, async () => (await fetch(next)).status));
      expect(new Set(answers)).toEqual(new Set([200, 503]));
    }
    expect(held()).toBe(100);
  }, 120_000);

  it('ends within two seconds of the right of its starter, for those who wait and those who watch', async () => {
    const address = await start('camera1-1', 'withdrawn');
    const { segment } = nextOf(await text(`${address}/live.m3u8`));
    const watched = await fetch(`${address}/live.flv`);
    const bytes = watched.arrayBuffer();
    const waiting = fetch(`${address}/live.m3u8?_HLS_msn=${segment + 2}`);
    await waitFor('it to be live', async () => (await site.ok('pushes', {})).pushes[0]?.state === 'live');
    const endedAt = performance.now();
    await site.ok('revoke', { ticketIds: ['withdrawn'], code: 1004 });
    expect((await waiting).status).toBe(404);
    expect(Buffer.from(await bytes).toString('latin1', 0, 3)).toBe('FLV');
    expect(performance.now() - endedAt).toBeLessThan(2000);
    expect((await fetch(`${address}/live.m3u8`)).status).toBe(404);
    expect((await site.ok('pushes', {})).pushes).toMatchObject([{ state: 'stopped', reason: 'rightEnded' }]);
  }, 120_000);
});

const text = async (url: string): Promise<string> => (await fetch(url)).text();

/** What a player asks for next. */
function nextOf(playlist: string): { segment: number; part: number } {
  const first = Number(/MEDIA-SEQUENCE:(\d+)/u.exec(playlist)?.[1]);
  const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/u.exec(playlist)?.[1] ?? 0);
  const whole = [...playlist.matchAll(/#EXTINF/gu)].length;
  const open = playlist.slice(playlist.lastIndexOf('#EXTINF'));
  return { segment: first + skipped + whole, part: [...open.matchAll(/#EXT-X-PART:/gu)].length };
}
