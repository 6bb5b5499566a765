// Exported floor plans: what is written is read again, and nothing else is taken for one.
import type { FloorPlan, FloorPlanFile } from '@vedette/contract/calls/floor-plan.ts';
import { expect, it } from 'vitest';
import { planFileName, planFileText, readPlanFile } from './plan-file.ts';

const camera = { deviceSerial: 'A', channelNo: 1, x: 0.25, y: 0.5, direction: 90, viewAngle: 60 };
const picture: FloorPlanFile['picture'] = { contentType: 'image/png', data: 'iVBORw0KGgo=' };
const plan: FloorPlan = {
  floorPlanId: 'p',
  organizationId: 'o',
  name: 'Ground floor',
  width: 200,
  height: 100,
  pictureTime: 1,
  isEditable: true,
  version: 4,
  changedAt: 1,
  cameraList: [camera],
};

function readChanged(part: Record<string, unknown>): FloorPlanFile | null {
  return readPlanFile(JSON.stringify({ ...(JSON.parse(planFileText(plan, picture)) as object), ...part }));
}

it('is written with the picture and the cameras, and without what belongs to this installation', () => {
  const text = planFileText(plan, picture);
  expect(readPlanFile(text)).toEqual({
    format: 'vedette-floor-plan',
    version: 1,
    name: 'Ground floor',
    picture,
    cameraList: [camera],
  });
  expect(text).not.toContain('organizationId');
});

it('is refused where it is broken, of another format or version, or holds what no plan may hold', () => {
  expect(readChanged({})).not.toBeNull();
  expect(['', '{', '[]', 'null', '{"format":"vedette-floor-plan"}'].map(readPlanFile)).toEqual(Array(5).fill(null));
  expect(readChanged({ format: 'other' })).toBeNull();
  expect(readChanged({ version: 2 })).toBeNull();
  expect(readChanged({ cameraList: [{ ...camera, x: 1.5 }] })).toBeNull();
  expect(readChanged({ picture: { contentType: 'image/svg+xml', data: 'PHN2Zy8+' } })).toBeNull();
});

it('has a file name that every system takes', () => {
  expect(planFileName('Ground floor')).toBe('Ground floor.floor-plan.json');
  expect(planFileName('一楼 / A:1')).toBe('一楼  A1.floor-plan.json');
  expect(planFileName('../..')).toBe('plan.floor-plan.json');
});
