// CDN providers and pushes over the real server: only addresses that it gave are pushed to, each stream once, for as long as the right of its starter lasts.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { MonthQuota, QuotaExceeded } from '@vedette/contract/quotas.ts';
import { signedUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { CDN_PROVIDER } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
let deviceSerial: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  ({ deviceSerial } = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});
beforeEach(async () => {
  for (const { liveId } of (await lives(operator)).liveList) await operator.ok('cdn/live/stop', { liveId });
  for (const { providerId } of (await operator.ok('cdn/provider/list', {})).providerList)
    await operator.ok('cdn/provider/delete', { providerId });
});

const dev = () => ({ deviceSerial, channelNo: 1 });
const lives = (client: CallClient) => client.ok('cdn/video/list', {});
const save = async (more: Partial<CallInput<'cdn/provider/save'>> = {}) =>
  (await operator.ok('cdn/provider/save', { ...CDN_PROVIDER, ...more })).provider;
const addressFor = async (client: CallClient, quality: 0 | 1 | 2 = 0) =>
  (await client.ok('cdn/live/get', { ...dev(), quality })).url;

describe('a CDN provider', () => {
  it('keeps its key to itself, and asks for it again for another host', async () => {
    const signed = { signing: 'tencent', signingKey: 'SecretOfProvider' } as const;
    const { providerId, version } = await save(signed);
    expect(JSON.stringify(await operator.ok('cdn/provider/list', {}))).not.toContain(signed.signingKey);
    const url = await addressFor(operator);
    expect(url).toMatch(/^rtmp:\/\/push\.example\/live\/[A-Za-z0-9-]+-0\?txSecret=[0-9a-f]{32}&txTime=[0-9A-F]{8}$/);
    const changed = { ...CDN_PROVIDER, signing: 'tencent', providerId, version, providerName: 'Renamed' } as const;
    expect((await operator.ok('cdn/provider/save', changed)).provider).toMatchObject({ version: 2 });
    const moved = { ...changed, version: 2, publishAddress: 'rtmp://elsewhere.example/live/{stream}' };
    expect(await operator.raw('cdn/provider/save', moved)).toMatchObject({
      code: 1003,
      data: { signingKey: 'required' },
    });
    expect(await operator.raw('cdn/provider/save', changed)).toMatchObject({ code: 1010, data: { version: 2 } });
  });

  it.each([
    { publishAddress: 'http://push.example/live/{stream}' },
    { publishAddress: 'rtmp://push.example/live/stream' },
    { publishAddress: 'rtmp://push.example/{stream}' },
    { publishAddress: 'rtmp://{stream}.example/live/a' },
    { publishAddress: 'rtmp://push.example/live/{stream}{stream}' },
    { publishAddress: 'rtmp://user:word@push.example/live/{stream}' },
    { publishAddress: 'rtmp://push.example/live/a?key={stream}' },
    { hlsAddress: 'rtmp://play.example/live/{stream}' },
    { validMinutes: 0 },
  ])('is not saved with %j', async (more) => {
    const answer = await operator.raw('cdn/provider/save', { ...CDN_PROVIDER, ...more });
    expect(answer).toMatchObject({ code: 1003, data: { [Object.keys(more)[0] ?? '']: expect.anything() } });
  });

  it('is tested from the site, and is not deleted while a stream is pushed to it', async () => {
    const { providerId } = await save({ signing: 'nginx', signingKey: 'k' });
    site.pushProbe = { reason: 'refused' };
    expect(await operator.ok('cdn/provider/test', { providerId })).toEqual({ reason: 'refused' });
    expect(site.probes.at(-1)?.url).toMatch(/^rtmp:\/\/push\.example\/live\/test-0\?md5=/);
    await operator.ok('cdn/live/start', { url: await addressFor(operator) });
    expect((await operator.raw('cdn/provider/delete', { providerId })).code).toBe(1016);
  });
});

describe('a CDN provider that takes WHIP or SRT', () => {
  const WHIP = { kind: 'whip', publishAddress: 'https://whip.example/live/{stream}' } as const;
  const SRT = { kind: 'srt', publishAddress: 'srt://srt.example:9000?streamid=#!::r=live/{stream},m=publish' } as const;
  const TOKEN = { signing: 'bearer', signingKey: 'TokenOfProvider' } as const;
  const PASSPHRASE = { signing: 'passphrase', signingKey: 'PassphraseOfProvider' } as const;

  it.each([
    {
      place: WHIP,
      secret: TOKEN,
      protocol: 5,
      address: /^https:\/\/whip\.example\/live\/[A-Za-z0-9]+-1$/,
    },
    {
      place: SRT,
      secret: PASSPHRASE,
      protocol: 6,
      address: /^srt:\/\/srt\.example:9000\?streamid=#!::r=live\/[A-Za-z0-9]+-1,m=publish$/,
    },
  ] as const)('[LV-07] is started and tested by protocol $protocol, and only the site learns its key', async (given) => {
    const { place, secret, protocol, address } = given;
    const { providerId } = await save({ ...place, ...secret });
    expect(JSON.stringify(await operator.ok('cdn/provider/list', {}))).not.toContain(secret.signingKey);
    expect((await operator.raw('cdn/live/get', { ...dev(), protocol: 3 })).code).toBe(1006);
    const { url } = await operator.ok('cdn/live/get', { ...dev(), quality: 1, protocol });
    expect(url).toMatch(address);
    const { liveId } = await operator.ok('cdn/live/start', { url });
    expect(site.pushOrders.at(-1)).toMatchObject({ liveId, url, secret: secret.signingKey });
    const { liveList, providerList } = await lives(operator);
    expect(providerList).toMatchObject([{ kind: place.kind }]);
    expect(liveList).toMatchObject([{ liveId, quality: 1, state: 'starting' }]);
    expect(JSON.stringify(liveList)).not.toContain(secret.signingKey);
    site.pushProbe = { reason: 'credentials' };
    expect(await operator.ok('cdn/provider/test', { providerId })).toEqual({ reason: 'credentials' });
    expect(site.probes.at(-1)).toMatchObject({ secret: secret.signingKey });
    await operator.ok('cdn/live/stop', { liveId });
    expect(site.pushes).toEqual([]);
  });

  it('keeps its token for its host and for TLS alone', async () => {
    const { providerId, version } = await save({ ...WHIP, ...TOKEN });
    const kept = { ...CDN_PROVIDER, ...WHIP, signing: TOKEN.signing, providerId } as const;
    expect((await operator.ok('cdn/provider/save', { ...kept, version })).provider.version).toBe(2);
    for (const publishAddress of ['https://other.example/live/{stream}', 'http://whip.example/live/{stream}'])
      expect(await operator.raw('cdn/provider/save', { ...kept, version: 2, publishAddress })).toMatchObject({
        code: 1003,
        data: { signingKey: 'required' },
      });
    await operator.ok('cdn/provider/save', { ...kept, version: 2, signing: 'none' });
    await operator.ok('cdn/live/start', {
      url: (await operator.ok('cdn/live/get', { ...dev(), protocol: 5 })).url,
    });
    expect(site.pushOrders.at(-1)).not.toHaveProperty('secret');
  });

  it.each([
    [{ ...WHIP, publishAddress: 'rtmp://whip.example/live/{stream}' }, 'publishAddress'],
    [{ ...WHIP, publishAddress: 'https://user:word@whip.example/{stream}' }, 'publishAddress'],
    [{ ...WHIP, publishAddress: 'https://whip.example/x?stream={stream}' }, 'publishAddress'],
    [{ ...WHIP, publishAddress: '' }, 'publishAddress'],
    [{ ...WHIP, signing: 'bearer' }, 'signingKey'],
    [{ ...WHIP, ...PASSPHRASE }, 'signing'],
    [{ ...WHIP, signing: 'tencent', signingKey: 'k' }, 'signing'],
    [{ signing: 'bearer', signingKey: 'k' }, 'signing'],
    [{ ...SRT, publishAddress: 'srt://srt.example?streamid={stream}' }, 'publishAddress'],
    [{ ...SRT, publishAddress: 'srt://{stream}.example:9000' }, 'publishAddress'],
    [{ ...SRT, publishAddress: 'srt://srt.example:9000?streamid={stream}&mode=listener' }, 'publishAddress'],
    [{ ...SRT, publishAddress: 'srt://srt.example:9000?streamid={stream}&passphrase=secretsecret' }, 'publishAddress'],
    [{ ...SRT, publishAddress: 'https://srt.example/{stream}' }, 'publishAddress'],
    [{ ...SRT, signing: 'passphrase', signingKey: 'short' }, 'signingKey'],
    [{ ...SRT, signing: 'passphrase', signingKey: 'x'.repeat(80) }, 'signingKey'],
    [{ ...SRT, ...TOKEN }, 'signing'],
  ] as const)('is not saved with %j', async (more, field) => {
    const answer = await operator.raw('cdn/provider/save', { ...CDN_PROVIDER, ...more });
    expect(answer).toMatchObject({ code: 1003, data: { [field]: expect.anything() } });
  });
});

describe('a monthly quota of streams to CDNs', () => {
  const limitTo = (quota: MonthQuota, limit: number | null) =>
    operator.ok('cost/quota/set', { userType: 'super', quotaList: [{ quota, limit }] });

  it.each([
    'monthCdnBytes',
    'monthCdnMinutes',
  ] as const)('%s refuses a further one, and nothing else', async (quota) => {
    await save();
    const url = await addressFor(operator);
    await operator.ok('cdn/live/start', { url });
    await limitTo(quota, 0);
    // What runs goes on.
    expect((await operator.call('cdn/live/start', { url })).code).toBe(200);
    const data: QuotaExceeded = { quota, limit: 0, used: 0 };
    const second = await addressFor(operator, 1);
    expect(await operator.call('cdn/live/start', { url: second })).toMatchObject({ code: 1011, data });
    expect((await lives(operator)).liveList).toHaveLength(1);
    expect((await operator.call('media/url', { ...dev(), quality: 0 })).code).toBe(200);
    await limitTo(quota, null);
    expect((await operator.call('cdn/live/start', { url: second })).code).toBe(200);
  });

  it('is not that of watching', async () => {
    await save();
    await limitTo('monthEgressBytes', 0);
    expect((await operator.call('media/url', { ...dev(), quality: 0 })).code).toBe(1011);
    expect((await operator.call('cdn/live/start', { url: await addressFor(operator) })).code).toBe(200);
    await limitTo('monthEgressBytes', null);
  });
});

describe('our own origin', () => {
  const ORIGIN = { providerName: 'Origin', kind: 'origin', validMinutes: 60 } as const;
  const origin = async (baseAddress = '') =>
    (await operator.ok('cdn/provider/save', { ...ORIGIN, baseAddress })).provider;

  it('[LV-07] [RS-02] gives addresses by protocols 1, 2 and 4, and serves the stream whose address is started', async () => {
    await origin('https://cdn.example/video');
    expect((await operator.raw('cdn/live/get', { ...dev(), protocol: 3 })).code).toBe(1006);
    for (const [protocol, name] of [
      [1, 'm3u8'],
      [2, 'm3u8'],
      [4, 'flv'],
    ] as const) {
      const { url } = await operator.ok('cdn/live/get', { ...dev(), quality: 1, protocol });
      expect(url).toMatch(
        new RegExp(`^https://cdn\\.example/video/media/cdn/[0-9a-f]{8}-[\\w-]{27}/[A-Za-z0-9]+-1/live\\.${name}$`),
      );
      const { liveId } = await operator.ok('cdn/live/start', { url });
      const order = site.originOrders.at(-1);
      expect(order).toMatchObject({ liveId, stream: url.split('/').at(-2) });
      const token = url.split('/').at(-3) ?? '';
      expect(signedUntil(order?.key ?? '', order?.stream ?? '', token)).toBeGreaterThan(Date.now() / 1000 + 3500);
      const { liveList, providerList } = await lives(operator);
      expect(providerList).toMatchObject([{ kind: 'origin' }]);
      expect(liveList).toMatchObject([{ liveId, quality: 1, rtmpUrl: '', state: 'starting' }]);
      expect([liveList[0]?.hlsUrl, liveList[0]?.flvUrl]).toContain(url);
      await operator.ok('cdn/live/stop', { liveId });
      expect(site.pushes).toEqual([]);
    }
  });

  it('gives the same address to everyone, at the address of the caller where no CDN is named', async () => {
    await origin();
    const ask = async () => (await operator.ok('cdn/live/get', { ...dev(), protocol: 2 })).url;
    expect(await ask()).toMatch(/^http:\/\/[^/]+\/media\/cdn\//);
    expect(await ask()).toBe(await ask());
  });

  it('starts no address that was altered, expired, or is of another stream', async () => {
    const { providerId } = await origin();
    const { url } = await operator.ok('cdn/live/get', { ...dev(), protocol: 1 });
    const [stream = '', token = ''] = url.split('/').toReversed().slice(1);
    const expired = `${Math.floor(Date.now() / 1000 - 1).toString(16)}${token.slice(8)}`;
    for (const other of [
      url.replace(stream, `${stream.slice(0, -1)}1`),
      url.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      url.replace(token, expired),
    ])
      expect(await operator.raw('cdn/live/start', { url: other })).toMatchObject({
        code: 1003,
        data: { url: 'notAllowed' },
      });
    expect((await operator.raw('cdn/provider/test', { providerId })).code).toBe(1006);
  });

  it.each([
    [{ kind: 'origin', publishAddress: CDN_PROVIDER.publishAddress }, 'publishAddress'],
    [{ kind: 'origin', signing: 'nginx', signingKey: 'k' }, 'signing'],
    [{ kind: 'origin', baseAddress: 'ftp://cdn.example' }, 'baseAddress'],
    [{ kind: 'origin', baseAddress: 'https://user:word@cdn.example' }, 'baseAddress'],
    [{ kind: 'origin', baseAddress: 'https://cdn.example/' }, 'baseAddress'],
    [{ kind: 'push' }, 'publishAddress'],
    [{ ...CDN_PROVIDER, kind: 'push', baseAddress: 'https://cdn.example' }, 'baseAddress'],
  ] as const)('is not saved with %j', async (given, field) => {
    const answer = await operator.raw('cdn/provider/save', { providerName: 'Origin', validMinutes: 60, ...given });
    expect(answer).toMatchObject({ code: 1003, data: { [field]: expect.anything() } });
  });

  it('is there once, stays an origin, and keeps its key when it is changed', async () => {
    const { providerId, version } = await origin();
    expect((await operator.raw('cdn/provider/save', ORIGIN)).code).toBe(1016);
    const { url } = await operator.ok('cdn/live/get', { ...dev(), protocol: 1 });
    await operator.ok('cdn/provider/save', { ...ORIGIN, providerId, version, providerName: 'Renamed' });
    expect((await operator.ok('cdn/live/get', { ...dev(), protocol: 1 })).url).toBe(url);
    const other = await operator.raw('cdn/provider/save', { ...CDN_PROVIDER, providerId, version: version + 1 });
    expect(other).toMatchObject({ code: 1003, data: { kind: 'notAllowed' } });
  });
});

describe('a stream on a CDN', () => {
  it.each([
    'none',
    'aliyun',
    'tencent',
    'nginx',
  ] as const)('[LV-07] [EN-13] is got, started, listed and stopped (%s)', async (signing) => {
    await save({ signing, ...(signing !== 'none' && { signingKey: 'key' }) });
    expect((await lives(operator)).total).toBe(0);
    const url = await addressFor(operator, 1);
    const { liveId } = await operator.ok('cdn/live/start', { url });
    const order = site.pushOrders.at(-1);
    expect(order).toMatchObject({ liveId, url });
    const { liveList } = await lives(operator);
    expect(liveList).toMatchObject([{ liveId, quality: 1, ...dev(), state: 'starting', userName: 'operator' }]);
    expect(liveList[0]?.rtmpUrl).toMatch(/^rtmp:\/\/play\.example\/live\/[A-Za-z0-9-]+-1$/);
    const played = await operator.ok('cdn/live/get', { ...dev(), quality: 1, protocol: 2 });
    expect(played.url).toBe(liveList[0]?.hlsUrl);
    site.pushes = site.pushes.map((push) => ({ ...push, state: 'live', bitsPerSecond: 512_000 }));
    expect((await lives(operator)).liveList).toMatchObject([{ state: 'live', bitsPerSecond: 512_000 }]);
    await operator.ok('cdn/live/stop', { liveId });
    expect(site.pushes).toEqual([]);
    expect((await lives(operator)).total).toBe(0);
    expect((await operator.raw('cdn/live/stop', { liveId })).code).toBe(1007);
  });

  it('[GO-22] leaves in the log of the owner how long it went out, and from how many addresses it was fetched', async () => {
    await save();
    const { liveId } = await operator.ok('cdn/live/start', { url: await addressFor(operator) });
    site.pushes = site.pushes.map((push) => ({ ...push, state: 'live', addressCount: 3 }));
    await operator.ok('cdn/live/stop', { liveId });
    const { auditList } = await operator.ok('audit/list', { deviceSerial: dev().deviceSerial, kind: 'write' });
    expect(auditList[0]).toMatchObject({ call: 'cdn/live/stop', detail: { addressCount: 3, itemList: [dev()] } });
    const { startTime = 0, endTime = 0 } = auditList[0]?.detail?.footage ?? {};
    expect(endTime).toBeGreaterThanOrEqual(startTime);
    expect(Date.now() - startTime).toBeLessThan(60_000);
  });

  it('is pushed once, whoever asks, and anew once its site knows nothing of it', async () => {
    await save();
    const url = await addressFor(operator);
    const [first, second] = await Promise.all([
      operator.ok('cdn/live/start', { url }),
      operator.ok('cdn/live/start', { url }),
    ]);
    expect(second.liveId).toBe(first.liveId);
    expect(site.pushOrders.filter(({ liveId }) => liveId === first.liveId)).toHaveLength(1);
    site.pushes = [];
    expect((await lives(operator)).liveList).toMatchObject([{ state: 'stopped', reason: 'lost' }]);
    expect((await operator.ok('cdn/live/start', { url })).liveId).toBe(first.liveId);
    await runSql(server, 'update cdn_live set started_at = started_at - 20000');
    const anew = await operator.ok('cdn/live/start', { url });
    expect(anew.liveId).not.toBe(first.liveId);
    expect((await lives(operator)).liveList.map(({ liveId }) => liveId)).toEqual([anew.liveId]);
  });

  it('is at no address that the server did not give', async () => {
    await save({ signing: 'aliyun', signingKey: 'key' });
    const url = await addressFor(operator);
    for (const other of [`${url}0`, url.replace('push.example', 'elsewhere.example'), 'rtmp://127.0.0.1/live/x', 'x'])
      expect(await operator.raw('cdn/live/start', { url: other })).toMatchObject({
        code: 1003,
        data: { url: 'notAllowed' },
      });
  });

  it('says that a provider is missing, or plays nothing by a protocol', async () => {
    expect((await operator.raw('cdn/live/get', dev())).code).toBe(1007);
    const { mediaCapacity } = await operator.ok('channel/capacity', dev());
    expect(mediaCapacity.supportCdn).toBe(false);
    await save({ flvAddress: '' });
    expect((await operator.raw('cdn/live/get', { ...dev(), protocol: 4 })).code).toBe(1006);
    expect((await operator.ok('channel/capacity', dev())).mediaCapacity.supportCdn).toBe(true);
  });

  it('leaves nothing where its site refuses it', async () => {
    await save();
    site.refusals.set('pushStart', { code: 1006, data: null });
    expect((await operator.raw('cdn/live/start', { url: await addressFor(operator) })).code).toBe(1006);
    site.refusals.delete('pushStart');
    expect((await lives(operator)).total).toBe(0);
    expect(await runSql(server, "select ticket_id from media_ticket where kind = 'push'")).toEqual([]);
  });

  it('ends when the right of its starter ends, and not when the starter signs out', async () => {
    await save();
    const items = [dev()];
    await operator.ok('user/add', { username: 'partner', password: 'Secret-1', userType: 2 });
    const partner = await server.signIn('partner', 'Secret-1');
    expect((await partner.raw('cdn/live/get', dev())).code).toBe(1009);
    const { shareId } = await operator.ok('share/add', {
      account: 'partner',
      items,
      permission: ['videoView', 'Reshare'],
    });
    await partner.ok('share/accept', { shareId });
    const { code } = await operator.ok('cdn/code/create', { minutes: 60, streams: 1 });
    await partner.ok('cdn/code/activate', { code });
    const { liveId } = await partner.ok('cdn/live/start', { url: await addressFor(partner, 2) });
    const ticket = [...site.tickets.values()].find(({ kind, quality }) => kind === 'push' && quality === 2);
    expect(ticket).toBeDefined();
    await partner.ok('account/logout', {});
    const again = await server.signIn('partner', 'Secret-1');
    expect((await lives(again)).liveList.map((live) => live.liveId)).toEqual([liveId]);
    expect(site.revoked.some(({ ticketId }) => ticketId === ticket?.ticketId)).toBe(false);
    const endedAt = Date.now();
    await operator.ok('share/delete', { shareId, shareType: 2 });
    const revoked = await waitFor('the push to end', () =>
      site.revoked.find(({ ticketId }) => ticketId === ticket?.ticketId),
    );
    expect(revoked.at - endedAt).toBeLessThan(2000);
  });
});

describe('[VA-05] a CDN code', () => {
  it('has 16 capitals and digits, opens a package once, and is stored by its hash', async () => {
    await operator.ok('user/add', { username: 'owner', password: 'Secret-1', userType: 2 });
    const owner = await server.signIn('owner', 'Secret-1');
    const { code } = await operator.ok('cdn/code/create', { minutes: 90, streams: 2 });
    expect(code).toMatch(/^[A-Z0-9]{16}$/);
    expect((await owner.raw('cdn/code/create', { minutes: 1, streams: 1 })).code).toBe(1004);
    expect((await lives(owner)).resource).toEqual({ minutes: 0, usedMinutes: 0, streams: 0 });
    const { resource } = await owner.ok('cdn/code/activate', { code });
    expect(resource).toEqual({ minutes: 90, usedMinutes: 0, streams: 2 });
    expect((await lives(owner)).resource).toEqual(resource);
    expect((await owner.raw('cdn/code/activate', { code })).code).toBe(1016);
    expect((await operator.raw('cdn/code/activate', { code })).code).toBe(1016);
    expect((await owner.raw('cdn/code/activate', { code: 'UNKNOWN000000000' })).code).toBe(1007);
    const stored = JSON.stringify(await runSql(server, 'select * from cdn_package'));
    expect(stored).not.toContain(code);
    expect((await lives(operator)).resource).toBeNull();
  });

  it('is needed to push, for so many streams, and what it opened ends when its minutes are used', async () => {
    await save();
    await operator.ok('user/add', { username: 'holder', password: 'Secret-1', userType: 2 });
    const holder = await server.signIn('holder', 'Secret-1');
    const own = (await holder.ok('device/add', { target: 'rtsp://198.51.100.7/1', deviceName: 'Door' })).device;
    const start = async (quality: 0 | 1 | 2) => {
      const asked = { deviceSerial: own.deviceSerial, channelNo: 1, quality };
      return await holder.raw('cdn/live/start', { url: (await holder.ok('cdn/live/get', asked)).url });
    };
    expect((await start(0)).code).toBe(1011);
    const { code } = await operator.ok('cdn/code/create', { minutes: 10, streams: 1 });
    await holder.ok('cdn/code/activate', { code });
    expect((await start(0)).code).toBe(200);
    expect((await start(1)).code).toBe(1011);
    await runSql(server, 'update cdn_live set metered_at = metered_at - 4 * 60000');
    await waitFor('four minutes to be charged', async () => (await lives(holder)).resource?.usedMinutes === 4);
    expect(site.pushes).toHaveLength(1);
    await runSql(server, 'update cdn_live set metered_at = metered_at - 6 * 60000');
    await waitFor('the push to end', () => site.pushes.length === 0);
    expect(await lives(holder)).toMatchObject({ total: 0, resource: { minutes: 10, usedMinutes: 10 } });
    expect((await start(0)).code).toBe(1011);
  });
});
