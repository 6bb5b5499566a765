// The floor plans of the account, one plan with its cameras, its picture, and the calls that change it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { FloorPlan, FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { saveText } from '../../browser/save-text.ts';
import { CallFailure, isFailure } from '../../calls/call-failure.ts';
import { allFloorPlans } from '../../calls/paged-calls.ts';
import { useCaller } from '../../services/services.ts';
import { planFileName, planFileText } from './plan-file.ts';

const LIST_KEY = ['floorPlan/list'] as const;
const planKey = (floorPlanId: string) => ['floorPlan/get', floorPlanId] as const;

export function useFloorPlans() {
  const caller = useCaller();
  return useQuery({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => allFloorPlans(caller, { signal, showError: false }),
  });
}

export function useFloorPlan(floorPlanId: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: planKey(floorPlanId),
    queryFn: async ({ signal }) =>
      (await caller.ask('floorPlan/get', { floorPlanId }, { signal, showError: false })).floorPlan,
    enabled: floorPlanId !== '',
  });
}

/** As a data address. It stays the same until it is replaced. */
export function usePlanPicture({ floorPlanId, pictureTime }: Pick<FloorPlanEntry, 'floorPlanId' | 'pictureTime'>) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['floorPlan/picture', floorPlanId, pictureTime],
    queryFn: async ({ signal }) => {
      const { picture } = await caller.ask('floorPlan/picture', { floorPlanId }, { signal, showError: false });
      return `data:${picture.contentType};base64,${picture.data}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Gives the plan to the user as one file. */
export function useExportPlan() {
  const caller = useCaller();
  return async ({ floorPlanId }: Pick<FloorPlanEntry, 'floorPlanId'>): Promise<void> => {
    const { floorPlan } = await caller.ask('floorPlan/get', { floorPlanId }, { showError: false });
    const { picture } = await caller.ask('floorPlan/picture', { floorPlanId }, { showError: false });
    saveText(planFileName(floorPlan.name), planFileText(floorPlan, picture), 'application/json');
  };
}

export type PlanOutcome =
  | { readonly kind: 'saved'; readonly plan: FloorPlan }
  /** Somebody else saved first. */
  | { readonly kind: 'stale'; readonly newer: FloorPlan }
  | { readonly kind: 'nameTaken' };

export function usePlanActions() {
  const caller = useCaller();
  const queries = useQueryClient();
  const refetchList = () => queries.invalidateQueries({ queryKey: LIST_KEY });
  return {
    /** Rejects for all that is not an outcome. */
    save: async (input: CallInput<'floorPlan/save'>): Promise<PlanOutcome> => {
      try {
        const { floorPlan: plan } = await caller.ask('floorPlan/save', input, { showError: false });
        queries.setQueryData(planKey(plan.floorPlanId), plan);
        await refetchList();
        return { kind: 'saved', plan };
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        if (failure.code === ERROR_CODES.stale) return { kind: 'stale', newer: failure.data as FloorPlan };
        if (failure.code === ERROR_CODES.alreadyExists) return { kind: 'nameTaken' };
        throw failure;
      }
    },
    remove: async ({ organizationId, floorPlanId }: FloorPlanEntry): Promise<void> => {
      try {
        await caller.ask('floorPlan/delete', { organizationId, floorPlanId }, { showError: false });
      } catch (failure) {
        // What is gone already is deleted.
        if (!isFailure(failure, ERROR_CODES.notFound)) throw failure;
      }
      await refetchList();
    },
  };
}
