// Sightings as they are reported: an object is told with the part of its way outside of masks, and not at all where it stays in one.
import { PassThrough } from 'node:stream';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { order, region, SQUARE } from '@vedette/rules/scene/made-order.fake.ts';
import { framesOf, walk } from '@vedette/rules/scene/made-scene.fake.ts';
import { Scene } from '@vedette/rules/scene/scene.ts';
import { expect, it } from 'vitest';
import { SightingReports } from './sighting-reports.ts';

/** It makes no pictures. */
const ffmpeg: StartFfmpeg = () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.resume();
  output.end();
  return { pid: 1, input, output, ended: Promise.resolve({ code: 1, stderrTail: '' }), kill: () => undefined };
};

async function reportsOf(orders: readonly AnalysisOrder[], way: ReturnType<typeof walk>): Promise<SightingReport[]> {
  const reported: SightingReport[] = [];
  const place = { deviceSerial: 'D1', channelNo: 1 };
  const reports = new SightingReports({ place, ffmpeg, report: (one) => reported.push(one) }, orders);
  const scene = new Scene(orders);
  const [width, height] = [160, 90];
  for (const { atMs, detections } of framesOf([{ path: way }], 14, 4)) {
    scene.step({ atMs, detections });
    reports.seen({ width, height, rgb: Buffer.alloc(width * height * 3), wallMs: atMs }, scene.living);
  }
  reports.end();
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  return reported;
}

const across = walk([0.05, 0.6], [0.95, 0.6], [0, 12]);
const mask = region('mask', SQUARE);

it('[RS-03] whoever walks through a mask is told of outside of it alone, and whoever stays in one not at all', async () => {
  const [whole] = await reportsOf([order('intrusion', [])], across);
  expect(whole?.path.length).toBeGreaterThan(20);
  const parts = await reportsOf([order('intrusion', [mask])], across);
  expect(parts).toHaveLength(1);
  const feet = parts.flatMap(({ path }) => path.map(([, x, , boxWidth]) => x + boxWidth / 2));
  expect(feet.length).toBeGreaterThan(10);
  expect(feet.filter((x) => x > 0.31 && x < 0.69)).toEqual([]);
  expect(await reportsOf([order('intrusion', [mask])], walk([0.35, 0.6], [0.65, 0.6], [0, 12]))).toEqual([]);
});
