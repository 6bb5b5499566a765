// Proves the uncompressed H.265 against an independent decoder: every sample comes back as it went in.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { H265Coder } from './h265-coder.ts';
import { createPlanes } from './planes.ts';

const [WIDTH, HEIGHT] = [320, 180];

it('a decoder shows exactly what was coded, key and trailing pictures alike', () => {
  const coder = new H265Coder({ width: WIDTH, height: HEIGHT, rate: 10, qp: 26 });
  const planes = createPlanes(WIDTH, HEIGHT);
  const sent: Buffer[] = [];
  const shown: Buffer[] = [];
  for (let n = 0; n < 5; n++) {
    // Zeros in a row, so that bytes must be escaped.
    for (const plane of [planes.y, planes.u, planes.v])
      plane.forEach((_, i) => (plane[i] = i % 97 < 9 ? 0 : i * (n + 3)));
    for (const nal of coder.picture(planes, n % 3 === 0)) sent.push(Buffer.of(0, 0, 0, 1), Buffer.from(nal));
    for (let y = 0; y < HEIGHT; y++)
      shown.push(Buffer.from(planes.y.slice(y * planes.stride, y * planes.stride + WIDTH)));
    for (const plane of [planes.u, planes.v])
      for (let y = 0; y < HEIGHT / 2; y++) {
        const at = (y * planes.stride) / 2;
        shown.push(Buffer.from(plane.slice(at, at + WIDTH / 2)));
      }
  }
  const args = '-v error -f hevc -i - -fps_mode passthrough -f rawvideo -pix_fmt yuv420p -'.split(' ');
  const decoded = spawnSync('ffmpeg', args, { input: Buffer.concat(sent), maxBuffer: 1e8 });
  expect(decoded.stderr.toString()).toBe('');
  expect(decoded.stdout.equals(Buffer.concat(shown))).toBe(true);
});
