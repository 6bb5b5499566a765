// Cameras of a floor plan while it is edited: placed, moved, removed, and compared with what is stored.
import type { FloorPlan, FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePlanDraft, withPlaced } from './use-plan-draft.ts';

const MIDDLE = { x: 0.5, y: 0.5 };
const first = placed('A');
const plan: FloorPlan = {
  floorPlanId: 'p',
  organizationId: 'o',
  name: 'Ground floor',
  width: 200,
  height: 100,
  pictureTime: 1,
  isEditable: true,
  version: 1,
  changedAt: 1,
  cameraList: [first],
};

let root: Root;
let draft: ReturnType<typeof usePlanDraft>;

function Shown({ onDraft }: { readonly onDraft: (now: typeof draft) => void }) {
  onDraft(usePlanDraft());
  return null;
}

function placed(deviceSerial: string): FloorPlanCamera {
  return { deviceSerial, channelNo: 1, x: 0.1, y: 0.2, direction: 30, viewAngle: 60 };
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.createElement('div'));
  act(() => root.render(<Shown onDraft={(now) => (draft = now)} />));
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

it('is changed only while it differs from the stored plan', () => {
  expect([draft.draft, draft.isChanged]).toEqual([null, false]);
  act(() => draft.begin(plan));
  expect([draft.draft?.cameras, draft.isChanged]).toEqual([[first], false]);
  act(() => draft.change({ ...first, direction: 45 }));
  expect([draft.draft?.cameras[0]?.direction, draft.isChanged]).toEqual([45, true]);
  act(() => draft.change(first));
  expect(draft.isChanged).toBe(false);
  act(() => draft.remove(first));
  expect([draft.draft?.cameras, draft.isChanged]).toEqual([[], true]);
  act(() => draft.end());
  expect([draft.draft, draft.isChanged]).toEqual([null, false]);
});

it('takes no change while nothing is edited', () => {
  act(() => draft.place([{ deviceSerial: 'B', channelNo: 1 }], MIDDLE));
  expect(draft.draft).toBeNull();
});

it('places several cameras side by side, and moves one that stands there already without turning it', () => {
  act(() => draft.begin(plan));
  act(() => draft.place([{ deviceSerial: 'B', channelNo: 2 }, first], MIDDLE));
  const [moved, fresh] = draft.draft?.cameras ?? [];
  expect(moved).toEqual({ ...first, x: 0.54, y: 0.5 });
  expect(fresh).toEqual({ deviceSerial: 'B', channelNo: 2, ...MIDDLE, direction: 0, viewAngle: 90 });
});

it('keeps cameras on the picture, and no more than a plan may have', () => {
  const many = Array.from({ length: FLOOR_PLAN_LIMITS.cameras }, (_, no) => placed(`S${no}`));
  expect(withPlaced(many, [{ deviceSerial: 'B', channelNo: 1 }], MIDDLE)).toEqual(many);
  expect(withPlaced([], [placed('A'), placed('B')], { x: 0.99, y: 0 }).map(({ x }) => x)).toEqual([0.99, 1]);
});
