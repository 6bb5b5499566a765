// Saving the cameras of a floor plan: what is under way, what went wrong, and what somebody else saved meanwhile.
import type { FloorPlan, FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { type PlanOutcome, usePlanActions } from '../../features/floor-plan/floor-plan.query.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { usePlanDraft } from '../../features/floor-plan/use-plan-draft.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';

interface SavingState {
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly newer: FloorPlan | null;
}

type Cameras = readonly FloorPlanCamera[];

interface Saved {
  readonly outcome: PlanOutcome;
  /** Cameras that exist no more. */
  readonly dropped: number;
}

const IDLE: SavingState = { isBusy: false, failure: null, newer: null };

export function usePlanSaving() {
  const t = useT();
  const actions = usePlanActions();
  const { draft, end, begin, ...editing } = usePlanDraft();
  const [state, setState] = useState(IDLE);
  const resources = useResources();
  const saveCameras = ({ organizationId, floorPlanId, version, name }: FloorPlan, cameras: Cameras) =>
    actions.save({ organizationId, floorPlanId, version, name, cameraList: [...cameras] });
  /** A camera that was deleted while the plan was edited is left out. */
  const saveThere = async (seen: FloorPlan, cameras: Cameras): Promise<Saved> => {
    try {
      return { outcome: await saveCameras(seen, cameras), dropped: 0 };
    } catch (failure) {
      const { data = [] } = isFailure(failure, ERROR_CODES.devNotExist) ? await resources.refetch() : {};
      const there = camerasIn(data);
      const kept = cameras.filter((camera) => there.has(cameraKey(camera)));
      const dropped = cameras.length - kept.length;
      if (data.length === 0 || dropped === 0) throw failure;
      return { outcome: await saveCameras(seen, kept), dropped };
    }
  };
  /** Over the version that was seen, which is another one after somebody else saved. */
  const store = async (seen: FloorPlan): Promise<void> => {
    if (draft === null) return;
    setState({ ...IDLE, isBusy: true });
    try {
      const { outcome, dropped } = await saveThere(seen, draft.cameras);
      if (outcome.kind === 'stale') return setState({ ...IDLE, newer: outcome.newer });
      setState(IDLE);
      end();
      if (dropped > 0) showToast('info', t.plural('plans.dropped', dropped));
      else showToast('success', t('plans.saved'));
    } catch (failure) {
      setState({ ...IDLE, failure });
    }
  };
  return {
    ...state,
    ...editing,
    draft,
    begin,
    save: async () => {
      if (draft !== null) await store(draft.base);
    },
    cancel: () => {
      setState(IDLE);
      end();
    },
    keepEditing: () => setState(IDLE),
    showNewer: (newer: FloorPlan) => {
      setState(IDLE);
      begin(newer);
    },
    overwrite: (newer: FloorPlan) => void store(newer),
  };
}

function camerasIn(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(
    resources.flatMap((one) => {
      if (one.resourceType !== 'device') return [];
      const { deviceSerial } = one.device;
      return one.channelList.map(({ channelNo }) => cameraKey({ deviceSerial, channelNo }));
    }),
  );
}

export type PlanSaving = ReturnType<typeof usePlanSaving>;
