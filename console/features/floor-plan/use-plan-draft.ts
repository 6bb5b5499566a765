// The cameras of a floor plan while they are placed and turned, until they are saved or given up.
import type { FloorPlan, FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useState } from 'react';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { movedTo } from './view-cone.ts';

interface Draft {
  /** What it is a change of. */
  readonly base: FloorPlan;
  readonly cameras: readonly FloorPlanCamera[];
}

/** Cameras that are let go together stand side by side, by parts of the picture. */
const APART = 0.04;

export function usePlanDraft() {
  const [draft, setDraft] = useState<Draft | null>(null);
  const edit = (work: (cameras: readonly FloorPlanCamera[]) => readonly FloorPlanCamera[]): void =>
    setDraft((before) => before && { ...before, cameras: work(before.cameras) });
  const isChanged = draft !== null && JSON.stringify(draft.cameras) !== JSON.stringify(draft.base.cameraList);
  return {
    draft,
    isChanged,
    begin: (base: FloorPlan) => setDraft({ base, cameras: base.cameraList }),
    end: () => setDraft(null),
    change: (camera: FloorPlanCamera) =>
      edit((cameras) => cameras.map((one) => (cameraKey(one) === cameraKey(camera) ? camera : one))),
    remove: (camera: ChannelPlace) => edit((cameras) => cameras.filter((one) => cameraKey(one) !== cameraKey(camera))),
    place: (channels: readonly ChannelPlace[], at: { readonly x: number; readonly y: number }) =>
      edit((cameras) => withPlaced(cameras, channels, at)),
  };
}

/** What stands there already moves; those that do not fit any more are left out. */
export function withPlaced(
  cameras: readonly FloorPlanCamera[],
  channels: readonly ChannelPlace[],
  at: { readonly x: number; readonly y: number },
): readonly FloorPlanCamera[] {
  const byKey = new Map(cameras.map((camera) => [cameraKey(camera), camera]));
  for (const [no, { deviceSerial, channelNo }] of channels.entries()) {
    const fresh = { deviceSerial, channelNo, ...at, direction: 0, viewAngle: FLOOR_PLAN_LIMITS.viewAngle.usual };
    const camera = byKey.get(cameraKey(fresh)) ?? fresh;
    byKey.set(cameraKey(camera), movedTo(camera, { x: at.x + no * APART, y: at.y }));
  }
  return [...byKey.values()].slice(0, FLOOR_PLAN_LIMITS.cameras);
}
