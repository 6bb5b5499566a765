// Proves that the H.264 writer's reconstruction is what a decoder shows, and freezes its bytes for machines without ffmpeg.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coeffToken, runBefore, totalZeros, totalZerosChromaDc } from './cavlc-tables.ts';
import type { VideoShape } from './h264-headers.ts';
import type { Motion } from './motion-field.ts';
import type { MacroblockChange } from './picture-changes.ts';
import { PictureCoder } from './picture-coder.ts';
import { createPlanes, type Planes } from './planes.ts';

const WIDTH = 112;
const HEIGHT = 90;
const STILL: Motion = { x: 0, y: 0 };
const START_CODE = Buffer.of(0, 0, 0, 1);

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function fillTestPicture(planes: Planes, random: () => number): void {
  for (let i = 0; i < planes.y.length; i++) {
    const x = i % planes.stride;
    const row = Math.floor(i / planes.stride);
    planes.y[i] = x < 40 ? (x * 2 + row) & 255 : x < 80 ? ((x >> 2) * 37 + (row >> 2) * 91) & 255 : random() * 255;
  }
  for (let i = 0; i < planes.u.length; i++) {
    planes.u[i] = i % 3 === 0 ? random() * 255 : 100;
    planes.v[i] = (i * 7) & 255;
  }
}

function cropped(planes: Planes): Buffer {
  const rows: Buffer[] = [];
  const take = (plane: Uint8Array, stride: number, width: number, height: number) => {
    for (let y = 0; y < height; y++) rows.push(Buffer.from(plane.subarray(y * stride, y * stride + width)));
  };
  take(planes.y, planes.stride, WIDTH, HEIGHT);
  take(planes.u, planes.stride / 2, WIDTH / 2, HEIGHT / 2);
  take(planes.v, planes.stride / 2, WIDTH / 2, HEIGHT / 2);
  return Buffer.concat(rows);
}

/** Rows of macroblocks whose slices of the first group come again in the second. */
const KNOWN_ROWS = 3;
const MOTIONS: readonly Motion[] = [
  { x: 2, y: 0 },
  { x: 16, y: -4 },
  { x: -30, y: 8 },
];

interface Samples {
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

function copyOf({ y, u, v }: Samples): Samples {
  return { y: y.slice(), u: u.slice(), v: v.slice() };
}

/** Puts a block of one picture elsewhere into another. */
function putBlock(to: Samples, from: Samples, stride: number, x: number, y: number, motion: Motion): void {
  const put = (target: Uint8Array, source: Uint8Array, scale: number) => {
    const line = stride / scale;
    for (let row = y / scale; row < (y + 16) / scale; row++) {
      const at = row * line + x / scale;
      const shift = (motion.y / scale) * line + motion.x / scale;
      target.set(source.subarray(at - shift, at - shift + 16 / scale), at);
    }
  };
  put(to.y, from.y, 1);
  put(to.u, from.u, 2);
  put(to.v, from.v, 2);
}

/** A third of the macroblocks, of which half moved from where the picture has samples. */
function randomChanges(coder: PictureCoder, random: () => number): MacroblockChange[] {
  const { mbWidth, mbHeight } = coder;
  const addresses = Array.from({ length: mbWidth * mbHeight }, (_, i) => i).filter(() => random() < 0.3);
  return addresses.map((address) => {
    const motion = MOTIONS[Math.floor(random() * MOTIONS.length * 2)];
    const [x, y] = [(address % mbWidth) * 16, Math.floor(address / mbWidth) * 16];
    const isInside =
      motion !== undefined &&
      x - motion.x >= 0 &&
      y - motion.y >= 0 &&
      x - motion.x + 16 <= mbWidth * 16 &&
      y - motion.y + 16 <= mbHeight * 16;
    return { address, motion: isInside ? motion : null };
  });
}

function putMoved(shown: Planes, before: Samples, mbWidth: number, changes: readonly MacroblockChange[]): void {
  for (const { address, motion } of changes) {
    const [x, y] = [(address % mbWidth) * 16, Math.floor(address / mbWidth) * 16];
    if (motion !== null) putBlock(shown, before, shown.stride, x, y, motion);
  }
}

/** Two groups of pictures of noise, ramps and mosaic: the second group takes some of its slices from the cache. */
function encode(qp: number): { stream: Buffer; pictures: Buffer } {
  const shape: VideoShape = { width: WIDTH, height: HEIGHT, rate: 10, qp };
  const coder = new PictureCoder({ shape });
  const planes = createPlanes(WIDTH, HEIGHT);
  const random = randomFrom(qp);
  fillTestPicture(planes, random);
  const slices = Array.from({ length: coder.mbHeight }, (_, row) => ({
    first: row * coder.mbWidth,
    count: coder.mbWidth,
    key: row < KNOWN_ROWS ? `row ${row}` : undefined,
  }));
  const stream: Buffer[] = [];
  const pictures: Buffer[] = [];
  const shown = coder.reconstruction;
  const take = (nals: Uint8Array[]) => {
    for (const nal of nals) stream.push(START_CODE, Buffer.from(nal));
    pictures.push(cropped(shown));
  };
  let firstKey: Samples | null = null;
  for (let group = 0; group < 2; group++) {
    const key = coder.keyPicture(planes, slices);
    for (let address = 0; firstKey !== null && address < KNOWN_ROWS * coder.mbWidth; address++)
      putBlock(
        shown,
        firstKey,
        shown.stride,
        (address % coder.mbWidth) * 16,
        Math.floor(address / coder.mbWidth) * 16,
        STILL,
      );
    take(key);
    firstKey ??= copyOf(shown);
    for (let picture = 0; picture < 4; picture++) {
      const changes = randomChanges(coder, random);
      for (let i = 0; i < planes.y.length; i++) planes.y[i] = random() * 255;
      const before = copyOf(shown);
      const nals = coder.changePicture(planes, changes);
      putMoved(shown, before, coder.mbWidth, changes);
      take(nals);
    }
  }
  return { stream: Buffer.concat(stream), pictures: Buffer.concat(pictures) };
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test.skipIf(!hasFfmpeg)('ffmpeg decodes every sample as the coder reconstructed it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-scene-'));
  try {
    for (const qp of [18, 28, 40, 51]) {
      const { stream, pictures } = encode(qp);
      const file = join(folder, `${qp}.264`);
      writeFileSync(file, stream);
      const decoded = spawnSync(
        'ffmpeg',
        ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-fps_mode', 'passthrough', '-'],
        { maxBuffer: 64 * 1024 * 1024 },
      );
      expect(decoded.stderr.toString()).toBe('');
      expect(decoded.stdout.length).toBe(pictures.length);
      expect(decoded.stdout.equals(pictures)).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the bytes are those that ffmpeg once decoded', () => {
  const digest = createHash('sha256').update(encode(28).stream).digest('hex');
  expect(digest).toMatchInlineSnapshot(`"32fc21e5197c8fb79fb33ae68b9bd6ae6eda3d148779fcc01dc1295ede6319f7"`);
});

test('no code is the beginning of another', () => {
  const tables = [...coeffToken.map((table) => table.flat()), ...totalZeros, ...totalZerosChromaDc, ...runBefore];
  for (const table of tables) {
    const texts = table
      .filter((code) => code > 0)
      .map((code) => (code & 0xffff).toString(2).padStart(code >>> 16, '0'));
    for (const text of texts) expect(texts.filter((other) => other.startsWith(text))).toEqual([text]);
  }
});
