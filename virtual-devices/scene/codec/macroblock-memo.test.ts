// Proves that pictures coded with a memo are byte for byte those coded without one, also when it forgets all the time.
import { expect, test } from 'vitest';
import { CameraVideo } from '../camera-video.ts';
import { MacroblockMemo } from './macroblock-memo.ts';
import { dock } from '../scenes/dock.ts';
import { lobby } from '../scenes/lobby.ts';

const shape = { width: 320, height: 180, rate: 1, qp: 36 };
const start = Date.parse('2026-11-21T17:50:00Z');

function pictures(scene: typeof lobby, memo?: MacroblockMemo): Buffer[] {
  const camera = new CameraVideo({
    scene,
    variant: 0,
    shape,
    name: 'Test',
    streamName: 'recorded',
    utcOffset: () => 0,
    ...(memo === undefined ? {} : { memo }),
  });
  return Array.from({ length: 240 }, (_, i) => Buffer.concat(camera.picture(start + i * 1000, i, i % 10 === 0)));
}

test.each([4096, 16])('a memo of %i entries, shared by two cameras, changes no byte', (entries) => {
  const memo = new MacroblockMemo(entries);
  for (const scene of [lobby, dock, lobby]) {
    const plain = pictures(scene);
    const remembered = pictures(scene, memo);
    expect(remembered.every((picture, i) => picture.equals(plain[i] as Buffer))).toBe(true);
  }
});
