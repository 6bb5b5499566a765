// Client versions over the real server: kept by managers, offered by number, uploaded in signed parts, downloaded by anybody.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { type CallClient, type RawAnswer, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let background: CallClient;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  await operator.ok('user/add', { username: 'backoffice', password: 'Secret-1', userType: 3 });
  background = await server.signIn('backoffice', 'Secret-1');
});
beforeEach(async () => {
  for (const { versionId } of (await operator.ok('version/list', {})).versionList)
    await operator.ok('version/delete', { versionId });
});
afterAll(async () => {
  await server?.stop();
});

type Texts = Partial<CallInput<'version/save'>>;
async function save(externalVersion: string, more: Texts = {}): Promise<VersionInfo> {
  const order = { platform: 'linux', versionName: `Shell ${externalVersion}`, externalVersion } as const;
  return (await background.ok('version/save', { ...order, ...more })).versionInfo;
}
const published = { isPublished: true, redirectUrl: 'https://vms.example/get' };
const check = async (softVersion: string, more: Partial<CallInput<'version/check'>> = {}) =>
  await server.client().ok('version/check', { softVersion, platform: 'linux', ...more });

function signed(bytes: Buffer, key: KeyObject = privateKey): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return sign(null, Buffer.from(`sha256:${sha256}`), key).toString('base64');
}

interface Part {
  readonly versionId: string;
  readonly whole: Buffer;
  readonly from?: number;
  readonly to?: number;
  readonly signature?: string;
  readonly fileName?: string;
  readonly size?: number;
  readonly token?: string | null;
  /** Sends so many bytes of the part and hangs up. */
  readonly leavesAfter?: number;
}

/** Null: it was hung up on. */
function send(
  part: Part,
): Promise<{ code: number; data: { versionInfo: VersionInfo } & Record<string, unknown> } | null> {
  const { versionId, whole, from = 0, to = whole.length, leavesAfter } = part;
  const { size = whole.length, signature = signed(whole), fileName = 'shell.deb', token } = part;
  const query = new URLSearchParams({ versionId, size: String(size), offset: String(from), fileName, signature });
  query.set('publicKey', KEY);
  const held = token === undefined ? background.accessToken : token;
  const body = whole.subarray(from, to);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath: server.socketPath,
        method: 'POST',
        path: `/api/v1/version/upload?${query}`,
        headers: {
          host: 'localhost:8443',
          'content-type': 'application/octet-stream',
          'content-length': String(body.length),
          ...(held === null ? {} : { authorization: `Bearer ${held}` }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
      },
    );
    sent.on('error', (error) => (leavesAfter === undefined ? reject(error) : resolve(null)));
    if (leavesAfter === undefined) sent.end(body);
    else sent.write(body.subarray(0, leavesAfter), () => setImmediate(() => sent.destroy()));
  });
}

const download = async (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  await server.send({ path, headers });
const files = () => readdirSync(join(server.dataFolder, 'client-versions'));

describe('versions', () => {
  it('[VE-03] [EN-14] are kept, listed by number and changed against their version', async () => {
    const older = await save('1.9.0.0');
    const texts = { mustUpgradeVersion: '1.2.0.0', contentEn: 'Faster.', contentZh: '更快。', rolloutPercent: 20 };
    const newer = await save('1.10.0.0', { ...texts, redirectUrl: 'https://vms.example/get' });
    expect(newer).toMatchObject({ ...texts, externalVersion: '1.10.0.0', path: '', bytes: 0, version: 1 });
    const { total, versionList } = await background.ok('version/list', {});
    expect(total).toBe(2);
    expect(versionList).toEqual([newer, older]);
    const change = { versionId: older.versionId, version: 1, platform: 'linux', externalVersion: '1.9.0.0' } as const;
    const changed = await operator.ok('version/save', { ...change, versionName: ' Renamed ' });
    expect(changed.versionInfo).toMatchObject({ versionName: 'Renamed', version: 2 });
    const stale = await operator.call('version/save', { ...change, versionName: 'Late' });
    expect(stale).toMatchObject({ code: 1010, data: { versionName: 'Renamed', version: 2 } });
    await operator.ok('version/delete', { versionId: older.versionId });
    expect((await operator.call('version/delete', { versionId: older.versionId })).code).toBe(1007);
    expect((await operator.call('version/save', { ...change, versionName: 'Gone' })).code).toBe(1007);
  });

  it('refuses a number twice for a platform, and addresses and numbers that are none', async () => {
    await save('1.0.0.0');
    const order = { platform: 'linux', versionName: 'Shell', externalVersion: '1.0.0.0' } as const;
    expect((await background.call('version/save', order)).code).toBe(1016);
    await background.ok('version/save', { ...order, platform: 'windows' });
    for (const [field, value] of [
      ['externalVersion', '1.0.0'],
      ['externalVersion', '1.0.0.x'],
      ['externalVersion', '9999999999.0.0.0'],
      ['mustUpgradeVersion', 'all'],
      ['redirectUrl', 'http://vms.example'],
      ['redirectUrl', 'javascript:alert(1)'],
      ['rolloutPercent', 101],
    ] as const) {
      const answer = await background.raw('version/save', { ...order, [field]: value });
      expect(answer, `${field} ${value}`).toMatchObject({ code: 1003 });
      expect(Object.keys(answer.data as object)).toEqual([field]);
    }
  });
});

describe('a client', () => {
  it('[VE-01] is told of the newest version for it, in both languages, and nothing where none is newer', async () => {
    const texts = { contentEn: 'Faster.', contentZh: '更快。' };
    await save('1.10.0.0', { ...published, ...texts });
    await save('1.9.0.0', published);
    await save('3.0.0.0');
    await save('2.0.0.0', { ...published, platform: 'windows' });
    expect(await check('1.2.0.0')).toMatchObject({
      versionName: 'Shell 1.10.0.0',
      externalVersion: '1.10.0.0',
      ...texts,
      redirectUrl: published.redirectUrl,
      mustUpgrade: false,
      bytes: 0,
    });
    expect(await check('1.10.0.0')).toMatchObject({ versionName: '', externalVersion: '', mustUpgrade: false });
    expect((await check('1.2.0.0', { platform: 'windows' })).externalVersion).toBe('2.0.0.0');
    expect((await server.client().ok('version/check', { softVersion: '1.0.0.0' })).externalVersion).toBe('');
    expect(await server.client().raw('version/check', { softVersion: '1.0' })).toMatchObject({
      code: 1003,
      data: { softVersion: 'format' },
    });
  });

  it('[VE-01] below mustUpgradeVersion must upgrade, whatever share of the clients the version has reached', async () => {
    await save('2.0.0.0', { ...published, mustUpgradeVersion: '1.5.0.0', rolloutPercent: 0 });
    expect(await check('1.4.9.9')).toMatchObject({
      externalVersion: '2.0.0.0',
      mustUpgradeVersion: '1.5.0.0',
      mustUpgrade: true,
    });
    expect(await check('1.5.0.0')).toMatchObject({ externalVersion: '', mustUpgrade: false });
  });

  it('is reached by a staged version according to its id, the same at every question', async () => {
    await save('2.0.0.0', { ...published, rolloutPercent: 40 });
    const ask = async (clientId: string) => (await check('1.0.0.0', { clientId })).externalVersion;
    const ids = Array.from({ length: 100 }, (_, at) => `client-${at}`);
    const first = await Promise.all(ids.map(ask));
    expect(await Promise.all(ids.map(ask))).toEqual(first);
    const reached = first.filter((version) => version !== '').length;
    expect(reached).toBeGreaterThan(20);
    expect(reached).toBeLessThan(60);
    expect((await check('1.0.0.0')).externalVersion, 'without an id').toBe('');
  });
});

describe('a package', () => {
  it('[VE-02] [VE-03] comes in parts, goes on after a break, and is downloaded whole and in ranges', async () => {
    const whole = randomBytes(3_000_000);
    const { versionId } = await save('2.0.0.0');
    expect(await send({ versionId, whole, to: 1_000_000 })).toMatchObject({
      code: 200,
      data: { versionInfo: { receivedBytes: 1_000_000, bytes: 0, path: '' } },
    });
    expect(await send({ versionId, whole, from: 1_000_000, leavesAfter: 500_000 })).toBeNull();
    const received = async () => (await operator.ok('version/list', {})).versionList[0]?.receivedBytes ?? 0;
    await waitFor('what came of the broken part', async () => (await received()) > 1_000_000);
    await waitFor('the broken part to be over', async () => {
      const wrong = await send({ versionId, whole, from: 7, to: 8 });
      return wrong?.code === 1010 && wrong.data['receivedBytes'] === (await received());
    });
    const { accessToken: token } = operator;
    const done = await send({ versionId, whole, from: await received(), fileName: '../../etc/壳 <b>.deb', token });
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(done).toMatchObject({
      code: 200,
      data: { versionInfo: { bytes: whole.length, sha256, publicKey: KEY, fileName: '壳 b.deb', receivedBytes: 0 } },
    });
    const info = done?.data.versionInfo;
    if (info === undefined) throw new Error('no version');
    expect((await download(info.path)).status, 'not published yet').toBe(404);
    const { version, platform, versionName, externalVersion } = info;
    await operator.ok('version/save', {
      versionId,
      version,
      platform,
      versionName,
      externalVersion,
      isPublished: true,
    });
    const offer = await server.client().ok('version/download', {
      softVersion: '1.0.0.0',
      externalVersion,
      platform: 'linux',
    });
    expect(offer).toEqual({
      path: info.path,
      fileName: '壳 b.deb',
      bytes: whole.length,
      sha256,
      signature: signed(whole),
      publicKey: KEY,
    });
    const got = await download(offer.path);
    expect(got.status).toBe(200);
    expect(got.headers['content-length']).toBe(String(whole.length));
    expect(got.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${encodeURIComponent('壳 b.deb')}`);
    expect(readFileSync(join(server.dataFolder, 'client-versions', versionId))).toEqual(whole);
    const range = await download(offer.path, { range: 'bytes=10-19' });
    expect(range.status).toBe(206);
    expect(range.headers['content-range']).toBe(`bytes 10-19/${whole.length}`);
    expect((await download(offer.path, { range: 'bytes=9999999-' })).status).toBe(416);
    const log = await operator.ok('audit/list', {});
    expect(log.auditList.filter(({ object }) => object === 'Shell 2.0.0.0 2.0.0.0').length).toBeGreaterThan(0);
  });

  it('with a wrong signature, of another size or too large is refused, and leaves nothing', async () => {
    const whole = randomBytes(5000);
    const { versionId } = await save('2.0.0.0');
    const other = generateKeyPairSync('ed25519').privateKey;
    for (const signature of [signed(whole, other), signed(randomBytes(3)), `${'A'.repeat(86)}==`]) {
      expect(await send({ versionId, whole, signature })).toMatchObject({
        code: 1003,
        data: { signature: 'notAllowed' },
      });
    }
    expect(files()).toEqual([]);
    expect(await send({ versionId, whole, signature: 'none' })).toMatchObject({
      code: 1003,
      data: { signature: 'format' },
    });
    const fiveGigabytes = 5 * 1024 ** 3;
    expect(await send({ versionId, whole, size: fiveGigabytes })).toMatchObject({
      code: 1003,
      data: { size: 'tooLong' },
    });
    expect(await send({ versionId, whole, size: 10 })).toMatchObject({ code: 1003, data: { body: 'tooLong' } });
    const large = Buffer.alloc(CLIENT_VERSION_LIMITS.partBytes + 1);
    expect(await send({ versionId, whole: large })).toMatchObject({ code: 1003, data: { body: 'tooLong' } });
    expect(await send({ versionId: 'nobody', whole })).toMatchObject({ code: 1007 });
    expect(await send({ versionId: '../../keys/master', whole })).toMatchObject({ code: 1007 });
  });

  it('[SE-74] of a publisher whose key is not among those of the installation is refused, and no longer offered', async () => {
    const whole = randomBytes(5000);
    const { versionId, version } = await save('2.0.0.0');
    const known = join(server.dataFolder, 'keys', 'publishers');
    mkdirSync(join(server.dataFolder, 'keys'), { recursive: true });
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const text = { versionId, platform: 'linux', versionName: 'Shell', externalVersion: '2.0.0.0' } as const;
    const wanted = { softVersion: '1.0.0.0', externalVersion: '2.0.0.0', platform: 'linux' } as const;
    const get = async () => (await server.client().call('version/download', wanted)).code;
    try {
      writeFileSync(known, `# of the publisher\n${other.toString('base64')}\n`);
      expect(await send({ versionId, whole })).toMatchObject({ code: 1003, data: { publicKey: 'notAllowed' } });
      expect(files()).toEqual([]);
      writeFileSync(known, `${other.toString('base64')}\n${KEY}\n`);
      const sent = await send({ versionId, whole });
      expect(sent?.code).toBe(200);
      await operator.ok('version/save', {
        ...text,
        version: sent?.data.versionInfo.version ?? version,
        isPublished: true,
      });
      const { path } = sent?.data.versionInfo ?? { path: '' };
      expect([await get(), (await download(path)).status]).toEqual([200, 200]);
      writeFileSync(known, other.toString('base64'));
      expect([await get(), (await download(path)).status, (await check('1.0.0.0')).externalVersion]).toEqual([
        1007,
        404,
        '',
      ]);
      // Whoever damaged the list has not opened it to everybody.
      writeFileSync(known, `${KEY} and more`);
      expect(await send({ versionId: (await save('3.0.0.0')).versionId, whole })).toMatchObject({ code: 1000 });
    } finally {
      rmSync(known);
    }
  });

  it('is taken of managers alone, does not change once it is published, and goes with its version', async () => {
    const whole = randomBytes(5000);
    const { versionId } = await save('2.0.0.0', published);
    await operator.ok('user/add', { username: 'owner', password: 'Secret-1', userType: 2 });
    const owner = await server.signIn('owner', 'Secret-1');
    expect(await send({ versionId, whole, token: null })).toMatchObject({ code: 1001 });
    expect(await send({ versionId, whole, token: owner.accessToken })).toMatchObject({ code: 1004 });
    expect(await send({ versionId, whole })).toMatchObject({ code: 200, data: { versionInfo: { bytes: 5000 } } });
    expect(files()).toEqual([versionId]);
    expect(await send({ versionId, whole })).toMatchObject({ code: 1003, data: { versionId: 'notAllowed' } });
    await background.ok('version/delete', { versionId });
    expect(files()).toEqual([]);
  });

  it('whose version is gone when the server starts again is removed, an unfinished one is kept', async () => {
    const whole = randomBytes(5000);
    const { versionId } = await save('2.0.0.0');
    await send({ versionId, whole, to: 100 });
    await server.end('SIGKILL');
    writeFileSync(join(server.dataFolder, 'client-versions', 'left-over'), 'x');
    await server.run();
    expect(files()).toEqual([`${versionId}.part`]);
    expect((await send({ versionId, whole, from: 100 }))?.code).toBe(200);
  });
});
