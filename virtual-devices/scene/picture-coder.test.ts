// Proves that the H.264 writer's reconstruction is what a decoder shows, and freezes its bytes for machines without ffmpeg.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coeffToken, runBefore, totalZeros, totalZerosChromaDc } from './cavlc-tables.ts';
import type { VideoShape } from './h264-headers.ts';
import { PictureCoder } from './picture-coder.ts';
import { createPlanes, type Planes } from './planes.ts';

const WIDTH = 112;
const HEIGHT = 90;
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

/** Two groups of pictures of noise, ramps and mosaic: the second group takes its slices from the cache. */
function encode(qp: number): { stream: Buffer; pictures: Buffer } {
  const shape: VideoShape = { width: WIDTH, height: HEIGHT, rate: 10, qp };
  const coder = new PictureCoder({ shape });
  const planes = createPlanes(WIDTH, HEIGHT);
  const random = randomFrom(qp);
  fillTestPicture(planes, random);
  const slices = Array.from({ length: coder.mbHeight }, (_, row) => ({
    first: row * coder.mbWidth,
    count: coder.mbWidth,
    key: row < 3 ? `row ${row}` : undefined,
  }));
  const stream: Buffer[] = [];
  const pictures: Buffer[] = [];
  const take = (nals: Uint8Array[]) => {
    for (const nal of nals) stream.push(START_CODE, Buffer.from(nal));
    pictures.push(cropped(coder.reconstruction));
  };
  for (let group = 0; group < 2; group++) {
    take(coder.keyPicture(planes, slices));
    for (let picture = 0; picture < 4; picture++) {
      const changed = Array.from({ length: coder.mbWidth * coder.mbHeight }, (_, i) => i).filter(() => random() < 0.3);
      for (let i = 0; i < planes.y.length; i++) planes.y[i] = random() * 255;
      take(coder.changePicture(planes, changed));
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
  expect(digest).toMatchInlineSnapshot(`"394f815cc2e4c810be2afebc14bc1f83cf24fdf7da584dd3ccbda8ca649c81fe"`);
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
