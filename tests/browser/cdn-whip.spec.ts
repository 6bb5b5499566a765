// A site pushes the streams of virtual cameras by WHIP to Chromium, which decodes them; and to servers that refuse, send on, stall, and let no media through; by SRT nobody is called whom the network policy refuses.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { SitePush } from '@vedette/contract/site/site-cdn.ts';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from '../harness/browser.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { WhipReceiver } from '../harness/whip-receiver.ts';

const TOKEN = 'token-of-the-test';
const UNUSED = 'http://127.0.0.1:9';

let site: SiteProcess;
let virtual: VirtualSite;
let browser: Browser;
let receiver: WhipReceiver;
let camera: Omit<DeviceAssignment, 'channels'>;

beforeAll(async () => {
  [site, virtual, browser] = await Promise.all([
    SiteProcess.create(),
    startVirtualSite(['--cameras', '1']),
    openBrowser(),
  ]);
  await site.serve();
  await site.start();
  const found = virtual.devices.find(({ kind }) => kind === 'camera');
  if (!found) throw new Error('no camera');
  const { target, user, password } = found;
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
  const channels = [{ channelNo: 1, channelId: 'camera1', record: null, backfillFrom: null }];
  const settings = { ...site.settings, cameraNetworks: ['127.0.0.0/8'] };
  await site.ok('assign', { devices: [{ ...camera, channels }], settings });
  await format({ sound: 'pcma' });
  const { page } = await openPage(browser);
  receiver = await WhipReceiver.start(page, TOKEN);
}, 240_000);
afterAll(async () => {
  await receiver?.stop();
  await browser?.close();
  await Promise.all([site?.stop(), virtual?.stop()]);
});
afterEach(async () => {
  receiver.intercept = () => false;
  receiver.rewrite = (sdp) => sdp;
  for (const { liveId } of (await site.ok('pushes', {})).pushes) await site.ok('pushStop', { liveId });
  receiver.asked.length = 0;
});

const state = async (liveId: string): Promise<SitePush | undefined> =>
  (await site.ok('pushes', {})).pushes.find((push) => push.liveId === liveId);
const isLive = (liveId: string) =>
  waitFor(`${liveId} to be live`, async () => (await state(liveId))?.state === 'live', 60_000);

async function start(liveId: string, { secret = TOKEN, ticketId = liveId } = {}): Promise<void> {
  const { deviceSerial } = camera;
  const ticket = await site.ticket({ kind: 'push', deviceSerial, channelNo: 1, ticketId });
  await site.ok('pushStart', { liveId, ticket, url: `${receiver.url}/whip/gate`, secret });
}

/** What the camera sends from now on. */
async function format(given: { readonly video?: 'h264' | 'h265'; readonly sound: 'pcma' | 'pcmu' | 'aac' }) {
  const body = JSON.stringify({ ...given, hangsUp: true });
  const url = `${virtual.controlUrl}/devices/VDCAM0001/format`;
  expect((await fetch(url, { method: 'POST', body })).ok).toBe(true);
}

const probe = async (secret = TOKEN) =>
  (await site.ok('pushProbe', { url: `${receiver.url}/whip/test`, secret })).reason;

describe('a push by WHIP', () => {
  it('is decoded by Chromium with its sound, metered, and ends with its right within two seconds', async () => {
    await start('whole', { ticketId: 'withdrawn' });
    await isLive('whole');
    const media = await waitFor('frames', async () => {
      const found = await receiver.media();
      return found !== null && found.framesDecoded > 30 && found.audioPackets > 30 && found;
    });
    expect(media).toMatchObject({ videoCodec: 'video/H264', audioCodec: 'audio/PCMA', state: 'connected' });
    expect(media.width).toBeGreaterThan(100);
    const running = await waitFor('bytes', async () => {
      const push = await state('whole');
      return push !== undefined && push.bitsPerSecond > 0 && push;
    });
    expect(running).toMatchObject({ state: 'live', reason: null });
    expect(receiver.asked[0]).toEqual({ method: 'POST', url: '/whip/gate', authorization: `Bearer ${TOKEN}` });
    const endedAt = performance.now();
    await site.ok('revoke', { ticketIds: ['withdrawn'], code: 1004 });
    await waitFor('the end to be told', () => receiver.deletions.length > 0);
    expect(performance.now() - endedAt).toBeLessThan(2000);
    const last = await receiver.media();
    expect(receiver.asked.at(-1)).toMatchObject({ method: 'DELETE', url: '/whip/gate/session' });
    expect(await state('whole')).toMatchObject({ state: 'stopped', reason: 'rightEnded', bitsPerSecond: 0 });
    // Chromium sees after five seconds that nothing comes any more.
    await waitFor('it to see the end', async () => (await receiver.media())?.state !== 'connected');
    // Fifty a second would have come; its figures are some milliseconds old.
    expect(((await receiver.media())?.audioPackets ?? 0) - (last?.audioPackets ?? 0)).toBeLessThan(10);
    expect(site.log.join('\n')).not.toContain(TOKEN);
  }, 120_000);

  it('leaves AAC out and sends the video, and goes on when the camera changes to PCMU', async () => {
    await format({ sound: 'aac' });
    await start('sounds');
    await isLive('sounds');
    await waitFor('frames without sound', async () => {
      const found = await receiver.media();
      return found !== null && found.framesDecoded > 10 && found.audioPackets === 0;
    });
    await format({ sound: 'pcmu' });
    const media = await waitFor('sound', async () => {
      const found = await receiver.media();
      return found !== null && found.audioPackets > 10 && found;
    });
    expect(media.audioCodec).toBe('audio/PCMU');
    await format({ sound: 'pcma' });
  }, 120_000);

  it('says that a server takes no H.265, and goes on when the camera sends H.264', async () => {
    await format({ video: 'h265', sound: 'pcma' });
    await start('h265');
    await waitFor('it to be told', async () => (await state('h265'))?.reason === 'codec', 30_000);
    expect((await state('h265'))?.state).toBe('retrying');
    await format({ video: 'h264', sound: 'pcma' });
    await isLive('h265');
    await waitFor('frames', async () => ((await receiver.media())?.framesDecoded ?? 0) > 10);
  }, 120_000);

  it('goes on by itself after the server ended the connection', async () => {
    await start('again');
    await isLive('again');
    await receiver.end();
    await waitFor('it to be noticed', async () => (await state('again'))?.state === 'retrying', 30_000);
    await isLive('again');
    await waitFor('frames again', async () => ((await receiver.media())?.framesDecoded ?? 0) > 10);
    expect(receiver.deletions.length).toBeGreaterThan(0);
  }, 120_000);

  it('goes where 307 and 308 send it on the same host, with its token', async () => {
    receiver.intercept = ({ url }, response) => {
      if (url === '/whip/elsewhere') return false;
      response.writeHead(url === '/whip/gate' ? 307 : 308, {
        location: url === '/whip/gate' ? '/whip/next' : 'elsewhere',
      });
      response.end();
      return true;
    };
    await start('moved');
    await isLive('moved');
    expect(receiver.asked.map(({ url }) => url)).toEqual(['/whip/gate', '/whip/next', '/whip/elsewhere']);
  }, 120_000);

  it.each([
    ['credentials', { secret: 'another-token' }, {}],
    ['refused', {}, { status: 404 }],
    ['refused', {}, { status: 500 }],
    ['redirected', {}, { status: 302, location: '/whip/other' }],
    ['redirected', {}, { status: 307, location: '/whip/gate' }],
    ['redirected', {}, { status: 307, location: 'ftp://127.0.0.1/x' }],
    ['address', {}, { status: 307, location: 'http://169.254.169.254/latest' }],
    ['address', {}, { status: 308, location: 'http://[::1]:8080/whip' }],
    ['unreachable', {}, { status: 307, location: `${UNUSED}/whip` }],
    ['answer', {}, { status: 200, body: 'fine' }],
    ['answer', {}, { status: 201, body: 'fine' }],
    ['answer', {}, { status: 201, body: 'v=0\r\nm=audio 9 X 0\r\n' }],
    ['answer', {}, { status: 201, body: `v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 H264/90000\r\n` }],
    ['answer', {}, { status: 201, body: 'v=0\r\n'.padEnd(100_000, 'x') }],
    ['codec', {}, { status: 201, body: 'v=0\r\nm=video 0 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 H264/90000\r\n' }],
  ] as const)(
    'says %s to %j %j, and a probe says the same',
    async (reason, given, said) => {
      if ('status' in said)
        receiver.intercept = (_request, response) => {
          const location = 'location' in said ? { location: said.location } : {};
          response.writeHead(said.status, { 'content-type': 'application/sdp', ...location });
          response.end('body' in said ? said.body : undefined);
          return true;
        };
      const secret = 'secret' in given ? given.secret : TOKEN;
      expect(await probe(secret)).toBe(reason);
      await start('refused', { secret });
      await waitFor('it to be told', async () => (await state('refused'))?.reason === reason);
      expect((await state('refused'))?.state).toBe('retrying');
    },
    60_000,
  );

  it('sends no token to another host', async () => {
    const other = await WhipReceiver.start((await openPage(browser)).page, TOKEN);
    receiver.intercept = (_request, response) => {
      response.writeHead(307, { location: `${other.url}/whip/gate` }).end();
      return true;
    };
    expect(await probe()).toBe('credentials');
    expect(other.asked).toMatchObject([{ method: 'POST', authorization: undefined }]);
    await other.stop();
  }, 60_000);

  it('says that no connection for media came about, and ends the session', async () => {
    // Nobody answers there.
    receiver.rewrite = (sdp) =>
      sdp
        .replaceAll(/^a=candidate:.*$/gmu, 'a=candidate:1 1 udp 2113937151 10.255.255.1 40000 typ host')
        .replaceAll(/^a=ice-pwd:.*$/gmu, 'a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa');
    await start('stuck');
    await waitFor('it to be told', async () => (await state('stuck'))?.reason === 'noMediaPath', 30_000);
    expect(receiver.deletions).toContain('/whip/gate/session');
  }, 60_000);

  it('sends no media to addresses that the policy refuses', async () => {
    receiver.rewrite = (sdp) =>
      sdp.replaceAll(/^a=candidate:.*$/gmu, 'a=candidate:1 1 udp 2113937151 169.254.169.254 80 typ host');
    expect(await probe()).toBe('address');
  }, 60_000);

  it('gives up a server that does not answer', async () => {
    receiver.intercept = () => true;
    await start('silent');
    await waitFor('it to be told', async () => (await state('silent'))?.reason === 'timeout', 30_000);
    expect(await probe()).toBe('timeout');
  }, 60_000);

  it('is probed without media, and leaves no session', async () => {
    expect(await probe()).toBeNull();
    expect(receiver.deletions).toEqual(['/whip/test/session']);
    expect((await site.ok('pushProbe', { url: 'http://169.254.1.1/whip' })).reason).toBe('address');
  }, 60_000);
});

describe('a push by SRT', () => {
  it.each([
    'srt://169.254.1.1:9000?streamid=x',
    'srt://[fe80::1]:9000?streamid=x',
    'srt://0.0.0.0:9000?streamid=x',
  ])('calls nobody whom the network policy refuses: %s', async (url) => {
    expect((await site.ok('pushProbe', { url, secret: 'passphrase-of-the-test' })).reason).toBe('address');
  });

  it('is refused at an address with options that we do not know', async () => {
    await expect(site.ok('pushProbe', { url: 'srt://10.0.0.1:9000?mode=listener' })).rejects.toThrow('1003');
  });
});
