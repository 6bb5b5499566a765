// Recorded files of a running site are changed on its disk: nobody is shown what was spoilt or is another channel's, nothing waits, and recording goes on.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
import { aacFormat } from '../../media/recorder/synthetic-stream.fixture.ts';
import { checkFolder } from '@vedette/media/recordings/check/check-folder.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { readIndex, writeIndex } from '../../media/recordings/index-record.ts';
import { dayFolder, indexPath, mediaPath } from '@vedette/media/recordings/recording-path.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const OURS = { channelId: 'camera1', quality: 0 } as const;
const THEIRS = { channelId: 'camera2', quality: 0 } as const;
const disk = createDisk();
/** Yesterday at noon: one day's folder. */
const FIRST_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
const FILE_EVERY_MS = 120_000;
/** Of any request; a thread that waits for a FIFO never answers. */
const ANSWER_MS = 8000;

interface Changed {
  readonly media: string;
  readonly index: string;
  /** Of the other channel, from the same instant. */
  readonly otherMedia: string;
  readonly otherIndex: string;
}

function edit(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

const flipAt = (path: string, at: (bytes: Buffer) => number): void =>
  edit(path, (bytes) => bytes.writeUInt8(bytes.readUInt8(at(bytes)) ^ 0x10, at(bytes)));
const boxAt = (bytes: Buffer, type: string): number => bytes.indexOf(type, 2000, 'latin1');
const replaceBy = (path: string, make: () => void): void => {
  rmSync(path);
  make();
};
const fifo = (path: string): void => replaceBy(path, () => execFileSync('mkfifo', [path]));
const hugeRecord = (path: string): void => {
  const index = readIndex(readFileSync(path));
  if (!index) throw new Error('no index');
  const records = index.records.map((record) => ({ ...record, videoBytes: 0xffff_fff0, totalBytes: 0xffff_fff0 }));
  writeFileSync(path, writeIndex(index.header, records));
};

const CHANGES: Readonly<Record<string, (one: Changed) => void>> = {
  'a bit of a picture': ({ media }) => flipAt(media, (bytes) => boxAt(bytes, 'mdat') + 300),
  'the size of a moof': ({ media }) => flipAt(media, (bytes) => boxAt(bytes, 'moof') - 2),
  'a mdat of four gigabytes': ({ media }) =>
    edit(media, (bytes) => bytes.writeUInt32BE(0xffff_ffff, boxAt(bytes, 'mdat') - 4)),
  'a sample of four gigabytes': ({ media }) =>
    edit(media, (bytes) => bytes.fill(0xff, boxAt(bytes, 'trun') + 16, boxAt(bytes, 'trun') + 40)),
  'the init segment': ({ media }) => flipAt(media, () => 200),
  'the index': ({ index }) => flipAt(index, () => 40 + 12),
  'an index of four gigabytes': ({ index }) => hugeRecord(index),
  'an index file of a terabyte': ({ index }) => truncateSync(index, 1e12),
  'the end is gone': ({ media }) => truncateSync(media, 9000),
  'all is gone': ({ media }) => truncateSync(media, 0),
  'the media of another channel': ({ media, otherMedia }) => cpSync(otherMedia, media),
  'media and index of another channel': ({ media, index, otherMedia, otherIndex }) => {
    cpSync(otherMedia, media);
    cpSync(otherIndex, index);
  },
  'a FIFO for the media': ({ media }) => fifo(media),
  'a FIFO for the index': ({ index }) => fifo(index),
  'a link to another channel': ({ media, otherMedia }) => replaceBy(media, () => symlinkSync(otherMedia, media)),
  'a link to a device': ({ media }) => replaceBy(media, () => symlinkSync('/dev/zero', media)),
  'an index that is a link to a device': ({ index }) => replaceBy(index, () => symlinkSync('/dev/zero', index)),
  'a folder': ({ media }) => replaceBy(media, () => mkdirSync(media)),
};
const names = Object.keys(CHANGES);
/** What nobody touches, at the end. */
const UNTOUCHED = names.length;

let site: SiteProcess;
let virtual: VirtualSite;
let outside: string;
const startOf = (file: number): number => FIRST_MS + file * FILE_EVERY_MS;
const pristine = new Map<string, Buffer>();

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  const folder = site.recordings;
  mkdirSync(folder, { recursive: true });
  for (const key of [OURS, THEIRS]) {
    const store = new RecordingsStore({ disk, folder });
    const unlike = key === OURS ? { audio: aacFormat, firstDts: 77 } : { audio: null, firstDts: 900_077 };
    for (let file = 0; file <= UNTOUCHED; file += 1) {
      await recordClip({ disk, folder, store, key }, { startMs: startOf(file), seconds: 6, ...unlike });
      const path = mediaPath(folder, key, startOf(file));
      pristine.set(path, readFileSync(path));
    }
  }
  await site.serve();
  await site.start();
  await site.ok('assign', { devices: await twoCameras(), settings: site.settings });
}, 120_000);

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
  if (outside) rmSync(outside, { recursive: true, force: true });
});

async function twoCameras(): Promise<DeviceAssignment[]> {
  const devices: DeviceAssignment[] = [];
  for (const { target, user, password } of virtual.devices.filter(({ kind }) => kind === 'camera').slice(0, 2)) {
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    const channelId = devices.length === 0 ? OURS.channelId : THEIRS.channelId;
    const record = { quality: 0, retentionDays: 30 } as const;
    const channels = [{ channelNo: 1, channelId, record, backfillFrom: null }];
    devices.push({ deviceSerial, driver, native, user, password, isOperatorAddress: true, channels });
  }
  serials = devices.map(({ deviceSerial }) => deviceSerial);
  return devices;
}
let serials: string[] = [];

async function get(path: string): Promise<{ readonly status: number; readonly body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>();
  const sent = request({ socketPath: site.socketPath, path, signal: AbortSignal.timeout(ANSWER_MS) }, (answer) => {
    buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
  });
  sent.on('error', reject);
  sent.end();
  return await promise;
}

/** Asks for everything that a file can give; each answer is as it was recorded, or a refusal. Answers how many were given. */
async function playAll(channelId: string, file: number): Promise<number> {
  const key = { channelId, quality: 0 } as const;
  const own = pristine.get(mediaPath(site.recordings, key, startOf(file))) ?? Buffer.alloc(0);
  const range = { startTime: startOf(file), endTime: startOf(file) + 6000 };
  const about = { deviceSerial: serials[channelId === OURS.channelId ? 0 : 1] ?? '', channelNo: 1, range };
  const base = `/media/fragments/${await site.ticket({ kind: 'fragments', ...about })}`;
  const { segments } = JSON.parse((await get(`${base}/index.json`)).body.toString()) as {
    segments: { name: string; init: string }[];
  };
  let given = 0;
  for (const { name, init } of segments) {
    for (const part of [`${init}.mp4`, `${name}.m4s`, `${name}.key`]) {
      const { status, body } = await get(`${base}/${part}`);
      if (status !== 200) {
        expect(status, part).toBe(404);
        continue;
      }
      given += 1;
      // Of a keyframe alone the boxes are made anew.
      const recorded = part.endsWith('.key') ? body.subarray(0, 32) : body;
      expect(own.includes(recorded), `${part} of ${channelId} is as it was recorded`).toBe(true);
    }
  }
  const whole = await get(base);
  expect([200, 404]).toContain(whole.status);
  const hls = `/media/hls/${await site.ticket({ kind: 'hls', ...about })}`;
  const playlist = (await get(`${hls}/index.m3u8`)).body.toString();
  for (const [name] of playlist.matchAll(/^[\w-]+\.m4s$/gmu)) {
    const { status, body } = await get(`${hls}/${name}`);
    expect([200, 404], name).toContain(status);
    if (status === 200) expect(own.includes(body.subarray(-150)), `${name} of ${channelId}`).toBe(true);
  }
  const still = await get(`${base}/still?at=${startOf(file) + 3000}`);
  expect([200, 404]).toContain(still.status);
  return given;
}

const recordedUntil = async (channelId: string): Promise<number> => {
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 5000 };
  const { spans } = await site.ok('recordings', { channelId, quality: 0, ...range });
  return spans.at(-1)?.endTime ?? 0;
};

async function bothRecordSince(sinceMs: number): Promise<void> {
  for (const { channelId } of [OURS, THEIRS]) {
    await waitFor(`${channelId} to record`, async () => (await recordedUntil(channelId)) > sinceMs + 2000, 30_000);
  }
}

it('[FT-52] [SE-76] whatever recorded files become while the site runs: no spoilt or foreign picture, no wait, other channels and recording as ever', async () => {
  await bothRecordSince(Date.now());
  const { pid } = site;
  const whole = await playAll(OURS.channelId, UNTOUCHED);
  expect(whole).toBe(9);
  for (const [file, name] of names.entries()) {
    // Half of the indexes are known to the site by then.
    if (file % 2 === 0) expect(await playAll(OURS.channelId, file), name).toBe(whole);
    const paths = { media: mediaPath, index: indexPath };
    CHANGES[name]?.({
      media: paths.media(site.recordings, OURS, startOf(file)),
      index: paths.index(site.recordings, OURS, startOf(file)),
      otherMedia: paths.media(site.recordings, THEIRS, startOf(file)),
      otherIndex: paths.index(site.recordings, THEIRS, startOf(file)),
    });
    const isIndexKept = file % 2 === 0 && /index(?! of another)/u.test(name);
    if (isIndexKept) expect(await playAll(OURS.channelId, file), name).toBe(whole);
    else expect(await playAll(OURS.channelId, file), name).toBeLessThan(whole);
    expect(await playAll(THEIRS.channelId, file), `${name}: the other channel`).toBe(whole);
  }
  expect(await playAll(OURS.channelId, UNTOUCHED), 'what nobody touched').toBe(whole);
  expect(site.pid).toBe(pid);
  expect(site.hasEnded).toBe(false);
  await bothRecordSince(Date.now());
  const range = { startTime: startOf(0), endTime: startOf(1) };
  const { gaps } = await site.ok('recordings', { channelId: OURS.channelId, quality: 0, ...range });
  expect(gaps.map(({ reason }) => reason)).toContain('damaged');
}, 180_000);

it('[FT-52] [SE-75] a site that starts among FIFOs, links and folders under its names records at once, and touches nothing outside', async () => {
  await site.kill('SIGTERM');
  const day = dayFolder(site.recordings, OURS, FIRST_MS);
  const track = join(day, '..');
  const canary = join(outside, 'canary');
  writeFileSync(canary, 'not yours');
  rmSync(join(day, 'catalog'));
  fifo(join(dayFolder(site.recordings, THEIRS, FIRST_MS), 'catalog'));
  symlinkSync(canary, join(day, 'catalog'));
  rmSync(join(track, 'notes'), { force: true });
  execFileSync('mkfifo', [join(track, 'notes')]);
  symlinkSync(canary, `${indexPath(site.recordings, OURS, startOf(UNTOUCHED))}.new`);
  renameSync(dayFolder(site.recordings, THEIRS, FIRST_MS), join(outside, 'theirs'));
  symlinkSync(join(outside, 'theirs'), dayFolder(site.recordings, THEIRS, FIRST_MS));
  const startMs = Date.now();
  await site.start();
  await bothRecordSince(startMs);
  expect(await playAll(OURS.channelId, UNTOUCHED)).toBe(9);
  for (const file of names.keys()) await playAll(OURS.channelId, file);
  expect(readFileSync(canary, 'utf8')).toBe('not yours');
  await site.kill('SIGTERM');
  const kinds: string[] = [];
  const onFinding = (one: { readonly kinds: readonly string[] }) => kinds.push(...one.kinds);
  await checkFolder({ disk, folder: site.recordings, isRepairing: true, isInUse: false, onFinding });
  expect(kinds).toEqual(expect.arrayContaining(['unreadable', 'foreign', 'badChecksum']));
  expect(readFileSync(canary, 'utf8')).toBe('not yours');
}, 120_000);
