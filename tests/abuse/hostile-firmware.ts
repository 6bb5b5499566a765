// A tenant uploads firmware that is anything but: sizes that lie, bodies without end, names and contents that mean something elsewhere, many at once.
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { findProcess } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type AttackTarget, type AttackResult, meanwhile, tooSlow } from './attack.ts';
import { formHead, FORM_END, type RawUpload, rawUpload } from './multipart-socket.ts';
import { newTenant, type Tenant } from './tenants.ts';

const MEGABYTE = 1024 * 1024;
const AT_ONCE = 24;
/** Of a gigabyte that is offered. */
const ENDLESS_TAKEN_MAX = UPLOAD_LIMITS.bytes + 24 * MEGABYTE;
const SAFE_NAME = /^[^<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]{0,128}$/u;

const NAMES = [
  '../../../../etc/cron.d/x',
  '..\\..\\windows\\system32\\x',
  '%2e%2e%2fx',
  'a\0.bin',
  'CON',
  'nul.bin',
  '.',
  '..',
  '~root/.ssh/authorized_keys',
  'x'.repeat(255),
  'fw\u202Enib.exe',
  '\u2066\u200Fzero\u200B\u2028width',
  '<svg onload=alert(1)>.svg',
  'page.html',
  "a'; DROP TABLE firmware_package; --",
  '$(touch x) `touch x` | x',
  '\uFEFF__proto__',
  'fw.bin\t.php',
];

const VERSIONS = [
  '<script>alert(1)</script>',
  '1.0\nSet-Cookie: a=b',
  '1.0\u0007\u001B[2J',
  '1\u202E0.9',
  '1\u200B0',
  'x'.repeat(65),
  '',
];

/** Each is kept as bytes, and never opened, shown or unpacked. */
const CONTENTS: Readonly<Record<string, Buffer>> = {
  'page.html': Buffer.from('<!doctype html><script>fetch("/api/v1/user/list")</script>'),
  'image.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'bomb.gz': gzipSync(Buffer.alloc(64 * MEGABYTE)),
  'slip.zip': Buffer.from(
    '504b03041400000000000000210000000000000000000000000010000000' + Buffer.from('../../../evil.sh').toString('hex'),
    'hex',
  ),
  'link.tar': Buffer.concat([Buffer.from('link'.padEnd(156, '\0')), Buffer.from('2/etc/passwd'), Buffer.alloc(344)]),
  'script.sh': Buffer.from('#!/bin/sh\nid > /tmp/firmware-ran\n'),
};

interface Bench {
  readonly place: AttackTarget;
  readonly tenant: Tenant;
  readonly broken: string[];
}

export async function hostileFirmware(place: AttackTarget): Promise<AttackResult> {
  const tenant = await newTenant(place);
  const bench: Bench = { place, tenant, broken: [] };
  const folder = await firmwareFolder(place);
  const before = await held(place, folder);
  const { p95Ms, memoryMB } = await meanwhile(place, 'main-server.ts', async () => {
    await wrongSizes(bench);
    await aborts(bench);
    await endless(bench);
    await names(bench);
    await contents(bench);
    await manyAtOnce(bench, folder);
    await beyondQuota(bench);
  });
  for (const { packageId } of (await tenant.client.ok('device/upgrade/package/list', {})).packageList) {
    await tenant.client.ok('device/upgrade/package/delete', { packageId });
  }
  await leftBehind(bench, folder, before);
  bench.broken.push(...tooSlow(p95Ms));
  const tried = `${place.count} uploads broken off, 4 bodies without end, ${NAMES.length} names, ${VERSIONS.length} versions, ${Object.keys(CONTENTS).length} contents, ${AT_ONCE} at once`;
  return { name: 'hostile-firmware', tried, ownerSaw: {}, memoryMB, p95Ms, broken: bench.broken };
}

function upload({ place, tenant }: Bench, given: Omit<RawUpload, 'token'>) {
  return rawUpload(place.url, { token: tenant.client.accessToken ?? '', ...given });
}

const whole = (data: Buffer, name?: string, version?: string): Omit<RawUpload, 'token'> => {
  const body = [formHead(name, version), data, FORM_END];
  return { body, declared: body.reduce((sum, { length }) => sum + length, 0) };
};

async function wrongSizes(bench: Bench): Promise<void> {
  const { body, declared } = whole(randomBytes(50_000));
  const bytes = declared ?? 0;
  const cases: Readonly<Record<string, Omit<RawUpload, 'token'>>> = {
    'more declared than sent': { body, declared: bytes + 10_000, leaves: true },
    'less declared than sent': { body, declared: bytes - 10_000 },
    'nothing declared, nothing sent': { body: [], declared: 0 },
    'more declared than is ever taken': { body: [formHead()], declared: 10 * 1024 ** 3 },
    'ten thousand parts': { body: tenThousandParts(), declared: null },
    'a part whose head does not end': {
      body: [Buffer.from(`--x\r\nA: ${'b'.repeat(200_000)}`)],
      declared: 900_000,
      leaves: true,
    },
  };
  for (const [what, given] of Object.entries(cases)) {
    const { status } = await upload(bench, given);
    if (status === 200) bench.broken.push(`${what} was taken`);
  }
}

function* tenThousandParts(): Generator<Buffer> {
  for (let part = 0; part < 10_000; part += 1) yield formHead(`part${part}`);
  yield FORM_END;
}

async function aborts(bench: Bench): Promise<void> {
  const { declared } = whole(Buffer.alloc(300_000));
  const lane = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const body = [formHead(), randomBytes(Math.floor(Math.random() * 250_000))].slice(0, 1 + (round % 5 ? 1 : 0));
      await upload(bench, { body, declared, leaves: true });
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => lane(Math.ceil(bench.place.count / 8))));
}

async function endless(bench: Bench): Promise<void> {
  const starts: Readonly<Record<string, Buffer>> = {
    'a file': formHead(),
    'what comes before the form': Buffer.from('no boundary yet'),
    'the head of a part': Buffer.from(
      `--vedette-upload-boundary\r\nContent-Disposition: form-data; name="file"; filename="`,
    ),
    'what comes after the form': Buffer.concat([...whole(Buffer.from('x')).body]),
  };
  for (const [what, start] of Object.entries(starts)) {
    const { sent, status } = await upload(bench, { declared: null, body: forEver(start) });
    if (sent > ENDLESS_TAKEN_MAX)
      bench.broken.push(`${what} without end: ${Math.round(sent / MEGABYTE)} MB were taken`);
    if (status === 200 && what !== 'what comes after the form') bench.broken.push(`${what} without end was taken`);
  }
}

function* forEver(start: Buffer): Generator<Buffer> {
  yield start;
  const part = Buffer.alloc(256 * 1024, 'x');
  for (let sent = 0; sent < 1024 * MEGABYTE; sent += part.length) yield part;
}

async function names(bench: Bench): Promise<void> {
  for (const name of NAMES) await upload(bench, whole(Buffer.from(name), name.replaceAll('"', '')));
  for (const version of VERSIONS) {
    const { status } = await upload(bench, whole(Buffer.from('v'), 'v.bin', version));
    if (status !== 400) bench.broken.push(`the version ${JSON.stringify(version)} was answered ${status}`);
  }
  const { packageList } = await bench.tenant.client.ok('device/upgrade/package/list', {});
  for (const { fileName, version } of packageList) {
    if (!SAFE_NAME.test(fileName)) bench.broken.push(`the name ${JSON.stringify(fileName)} is shown`);
    if (!/^[\w.]+$/u.test(version)) bench.broken.push(`the version ${JSON.stringify(version)} is shown`);
  }
}

async function contents(bench: Bench): Promise<void> {
  const { place, tenant } = bench;
  for (const [name, data] of Object.entries(CONTENTS)) {
    const { status } = await upload(bench, whole(data, name));
    if (status !== 200) bench.broken.push(`${name} was answered ${status}`);
    const { packageList } = await tenant.client.ok('device/upgrade/package/list', {});
    const kept = packageList.find(({ fileName }) => fileName === name);
    if (kept?.sha256 !== createHash('sha256').update(data).digest('hex'))
      bench.broken.push(`${name} is not kept as it came`);
    for (const path of ['upload/firmware', 'firmware', 'data/firmware', 'upload']) {
      const answer = await fetch(`${place.url}/${path}/${kept?.packageId}`, {
        headers: { authorization: `Bearer ${tenant.client.accessToken}` },
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (body.includes(data)) bench.broken.push(`${name} is given at /${path}`);
    }
  }
}

/** Halves of many files: those beyond one batch wait unread. */
async function manyAtOnce(bench: Bench, folder: string | null): Promise<void> {
  const { promise: seen, resolve: leave } = Promise.withResolvers<void>();
  const { declared } = whole(Buffer.alloc(MEGABYTE));
  let most = 0;
  const uploads = Array.from({ length: AT_ONCE }, async () => {
    const halves = rawUpload(bench.place.url, {
      token: bench.tenant.client.accessToken ?? '',
      declared,
      body: [formHead(), Buffer.alloc(MEGABYTE / 2)],
      until: seen,
    });
    await halves;
  });
  if (folder !== null) {
    await waitFor('halves on the disk', async () => (await partsIn(folder)) > 0);
    for (let look = 0; look < 40; look += 1) {
      await fetch(`${bench.place.url}/no-such-page`);
      most = Math.max(most, await partsIn(folder));
    }
  }
  leave();
  await Promise.all(uploads);
  if (most > UPLOAD_LIMITS.batch) bench.broken.push(`${most} files of one account came at the same time`);
}

const partsIn = async (folder: string): Promise<number> =>
  (await readdir(folder)).filter((name) => name.endsWith('.part')).length;

async function beyondQuota(bench: Bench): Promise<void> {
  const { place, tenant } = bench;
  const { packageList } = await tenant.client.ok('device/upgrade/package/list', {});
  const used = packageList.reduce((sum, { bytes }) => sum + bytes, 0);
  await place.owner.ok('quota/set', {
    userId: tenant.userId,
    quotaList: [{ quota: 'firmwareBytes', limit: used + 3 * MEGABYTE }],
  });
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, n) => upload(bench, whole(Buffer.alloc(MEGABYTE, n), `same.bin`))),
  );
  const taken = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ code }) => code === 1011).length;
  if (taken !== 3 || refused !== 1) bench.broken.push(`${taken} of three files were taken, ${refused} of one refused`);
}

async function firmwareFolder({ launcherPid }: AttackTarget): Promise<string | null> {
  if (launcherPid === null) return null;
  const { pid } = await findProcess(launcherPid, 'main-server.ts');
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
  const data = environment.find((one) => one.startsWith('VEDETTE_DATA='))?.slice('VEDETTE_DATA='.length);
  return data === undefined ? null : join(data, 'firmware');
}

interface Held {
  readonly files: number;
  readonly bytes: number;
  readonly handles: number;
}

/** Null elsewhere than on this machine. */
async function held({ launcherPid }: AttackTarget, folder: string | null): Promise<Held | null> {
  if (launcherPid === null || folder === null) return null;
  const { pid } = await findProcess(launcherPid, 'main-server.ts');
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const links = await readdir(`/proc/${pid}/fd`);
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0), handles: links.length };
}

async function leftBehind({ place, broken }: Bench, folder: string | null, before: Held | null): Promise<void> {
  if (before === null) return;
  const isBack = async (): Promise<boolean> => {
    const now = await held(place, folder);
    return (
      now !== null && now.files === before.files && now.bytes === before.bytes && now.handles <= before.handles + 5
    );
  };
  await waitFor('disk and file handles as before', isBack, 20_000).catch(async () => {
    broken.push(`left behind: ${JSON.stringify(await held(place, folder))}, before ${JSON.stringify(before)}`);
  });
}
