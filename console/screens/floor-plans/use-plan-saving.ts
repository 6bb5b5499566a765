// Saving the cameras of a floor plan: what is under way, what went wrong, and what somebody else saved meanwhile.
import type { FloorPlan } from '@vedette/contract/calls/floor-plan.ts';
import { useState } from 'react';
import { usePlanActions } from '../../features/floor-plan/floor-plan.query.ts';
import { usePlanDraft } from '../../features/floor-plan/use-plan-draft.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';

interface SavingState {
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly newer: FloorPlan | null;
}

const IDLE: SavingState = { isBusy: false, failure: null, newer: null };

export function usePlanSaving() {
  const t = useT();
  const actions = usePlanActions();
  const { draft, end, begin, ...editing } = usePlanDraft();
  const [state, setState] = useState(IDLE);
  /** Over the version that was seen, which is another one after somebody else saved. */
  const store = async (seen: FloorPlan): Promise<void> => {
    if (draft === null) return;
    const { organizationId, floorPlanId, version, name } = seen;
    setState({ ...IDLE, isBusy: true });
    try {
      const outcome = await actions.save({
        organizationId,
        floorPlanId,
        version,
        name,
        cameraList: [...draft.cameras],
      });
      if (outcome.kind === 'stale') return setState({ ...IDLE, newer: outcome.newer });
      setState(IDLE);
      end();
      showToast('success', t('plans.saved'));
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

export type PlanSaving = ReturnType<typeof usePlanSaving>;
