// Proves that a camera's coded pictures show what was composed: strip, clock, moving things, day and night.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CameraPicture } from './camera-picture.ts';
import type { Planes } from './planes.ts';
import type { Scene } from './scene.ts';
import { carPark } from './scenes/car-park.ts';
import { dock } from './scenes/dock.ts';
import { gate } from './scenes/gate.ts';
import { lobby } from './scenes/lobby.ts';
import { roof } from './scenes/roof.ts';
import { serverRoom } from './scenes/server-room.ts';
import { street } from './scenes/street.ts';
import { warehouse } from './scenes/warehouse.ts';
import { readStripFromLuma } from './strip.ts';

const scenes: Readonly<Record<string, Scene>> = { carPark, dock, gate, lobby, roof, serverRoom, street, warehouse };
const shape = { width: 320, height: 180, rate: 10, qp: 27 };

function cameraOf(scene: Scene): CameraPicture {
  return new CameraPicture({ scene, variant: 0, shape, name: 'Test', streamName: 'third', utcOffset: () => 0 });
}

/** Mean luma error of a coded picture against the composed one. */
function errorOf(a: Planes, b: Planes): number {
  let sum = 0;
  for (let i = 0; i < a.y.length; i++) sum += Math.abs((a.y[i] as number) - (b.y[i] as number));
  return sum / a.y.length;
}

describe.each(Object.entries(scenes))('%s', (_name, scene) => {
  test.each(['10:00:00', '18:10:00', '23:00:00'])('at %s every picture carries its counter and its clock', (hour) => {
    const camera = cameraOf(scene);
    const start = Date.parse(`2026-11-21T${hour}Z`);
    for (let frame = 0; frame < 25; frame++) {
      const wallMs = start + frame * 700;
      camera.picture(wallMs, frame, frame % 10 === 0);
      const { y, stride } = camera.coder.reconstruction;
      expect(readStripFromLuma(y, stride, 320)).toEqual({ frame, wallMs });
      expect(errorOf(camera.coder.reconstruction, camera.composed)).toBeLessThan(3);
    }
  });
});

test('the same instant gives the same picture, whatever was shown before', () => {
  const at = Date.parse('2026-11-21T10:20:09Z');
  const fresh = cameraOf(gate);
  fresh.picture(at, 7, true);
  const used = cameraOf(gate);
  for (let i = 0; i < 12; i++) used.picture(at - 60_000 + i * 900, i, i === 0);
  used.picture(at, 7, true);
  expect(Buffer.from(used.composed.y).equals(Buffer.from(fresh.composed.y))).toBe(true);
});

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test.skipIf(!hasFfmpeg)('ffmpeg shows what the coder reconstructed', () => {
  const camera = cameraOf(street);
  const start = Date.parse('2026-11-21T10:20:05Z');
  const stream: Buffer[] = [];
  for (let frame = 0; frame < 30; frame++) {
    const nals = camera.picture(start + frame * 100, frame, frame % 20 === 0);
    for (const nal of nals) stream.push(Buffer.of(0, 0, 0, 1), Buffer.from(nal));
  }
  const decoded = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'h264', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'gray', '-fps_mode', 'passthrough', '-'],
    { input: Buffer.concat(stream), maxBuffer: 64 * 1024 * 1024 },
  );
  expect(decoded.stderr.toString()).toBe('');
  expect(decoded.stdout.length).toBe(30 * 320 * 180);
  for (let frame = 0; frame < 30; frame++) {
    // `gray` is full range: the strip's levels move apart, which its threshold bears.
    const picture = decoded.stdout.subarray(frame * 320 * 180, (frame + 1) * 320 * 180);
    expect(readStripFromLuma(picture, 320, 320)).toEqual({ frame, wallMs: start + frame * 100 });
  }
});
