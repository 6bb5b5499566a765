// The processor time of an ffmpeg is counted when its output ends, before it is killed, and each second while it runs.
import { ffmpegStarter, findFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { expect, it, vi } from 'vitest';
import { MeteredFfmpeg } from './metered-ffmpeg.ts';

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
  const ffmpeg = new MeteredFfmpeg(ffmpegStarter(path, ''), (cpuMs) => (spentMs += cpuMs));
  const { start } = ffmpeg;
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
  ffmpeg.count(0);
  const running = spentMs;
  expect(running).toBeGreaterThan(counted);
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(400_000_000), 30_000);
  ffmpeg.count(999);
  expect(spentMs).toBe(running);
  endless.kill();
  expect(spentMs).toBeGreaterThan(running);
  await endless.ended;
});
