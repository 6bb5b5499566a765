// Proves that decoders show a camera's pictures as they were composed: strip, clock, moving things, day and night.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CameraVideo } from './camera-video.ts';
import type { Scene } from './painting/scene.ts';
import { carPark } from './scenes/car-park.ts';
import { dock } from './scenes/dock.ts';
import { gate } from './scenes/gate.ts';
import { lobby } from './scenes/lobby.ts';
import { roof } from './scenes/roof.ts';
import { serverRoom } from './scenes/server-room.ts';
import { street } from './scenes/street.ts';
import { warehouse } from './scenes/warehouse.ts';
import { readStripFromLuma } from './painting/strip.ts';

const scenes: Readonly<Record<string, Scene>> = { carPark, dock, gate, lobby, roof, serverRoom, street, warehouse };
const shape = { width: 320, height: 180, rate: 10, qp: 27 };

function cameraOf(scene: Scene): CameraVideo {
  return new CameraVideo({ scene, variant: 0, shape, name: 'Test', streamName: 'third', utcOffset: () => 0 });
}

const LUMA = shape.width * shape.height;

/** The luma of each picture as ffmpeg shows it. */
function decode(nals: readonly Uint8Array[]): Buffer[] {
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'h264', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-fps_mode', 'passthrough', '-'],
    {
      input: Buffer.concat(nals.flatMap((nal) => [Buffer.of(0, 0, 0, 1), nal])),
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  expect(stderr.toString()).toBe('');
  const size = LUMA * 1.5;
  return Array.from({ length: stdout.length / size }, (_, i) => stdout.subarray(i * size, i * size + LUMA));
}

/** Luma errors of a decoded picture against the composed one. */
function errorsOf(decoded: Uint8Array, composed: Uint8Array): { mean: number; most: number } {
  const errors = decoded.map((luma, i) => Math.abs(luma - (composed[i] as number)));
  return { mean: errors.reduce((sum, error) => sum + error, 0) / LUMA, most: Math.max(...errors) };
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

describe.skipIf(!hasFfmpeg).each(Object.entries(scenes))('%s', (_name, scene) => {
  test.each(['10:00:00', '18:10:00', '23:00:00'])('at %s decoders show every picture as it was composed', (hour) => {
    const camera = cameraOf(scene);
    const start = Date.parse(`2026-11-21T${hour}Z`);
    const nals: Uint8Array[] = [];
    const composed: Uint8Array[] = [];
    for (let frame = 0; frame < 75; frame++) {
      nals.push(...camera.picture(start + frame * 300, frame, frame % 30 === 0));
      composed.push(camera.composed.y.slice(0, LUMA));
    }
    const decoded = decode(nals);
    expect(decoded).toHaveLength(75);
    for (const [frame, luma] of decoded.entries()) {
      expect(readStripFromLuma(luma, shape.width, shape.width)).toEqual({ frame, wallMs: start + frame * 300 });
      const { mean, most } = errorsOf(luma, composed[frame] as Uint8Array);
      expect(mean).toBeLessThan(3);
      // What moved and what stayed behind: a macroblock of another instant is farther off.
      expect(most).toBeLessThan(48);
    }
  });
});

test('the same instant gives the same frame, whatever was shown before', () => {
  const at = Date.parse('2026-11-21T10:20:09Z');
  const fresh = cameraOf(gate);
  fresh.picture(at, 7, true);
  const used = cameraOf(gate);
  for (let i = 0; i < 12; i++) used.picture(at - 60_000 + i * 900, i, i === 0);
  used.picture(at, 7, true);
  expect(Buffer.from(used.composed.y).equals(Buffer.from(fresh.composed.y))).toBe(true);
});
