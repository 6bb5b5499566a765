// The processor time of an ffmpeg is counted once, when its output ends or before it is killed.
import { ffmpegStarter, findFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { expect, it, vi } from 'vitest';
import { meteredFfmpeg } from './metered-ffmpeg.ts';

const path = findFfmpeg('ffmpeg', process.env['PATH'] ?? '') ?? '';
const picture = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=1280x720:r=25:d=${seconds}`,
  '-f',
  'rawvideo',
  '-',
];

it('counts what a process took whose output was read, and one that was killed', async () => {
  let spentMs = 0;
  const start = meteredFfmpeg(ffmpegStarter(path, ''), (cpuMs) => (spentMs += cpuMs));
  const whole = start(picture(2));
  whole.output.resume();
  await whole.ended;
  expect(spentMs).toBeGreaterThan(0);
  const counted = spentMs;
  whole.kill();
  expect(spentMs).toBe(counted);
  const endless = start(picture(3600));
  let bytes = 0;
  endless.output.on('data', (part: Buffer) => (bytes += part.length));
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(200_000_000), 30_000);
  expect(spentMs).toBe(counted);
  endless.kill();
  expect(spentMs).toBeGreaterThan(counted);
  await endless.ended;
});
