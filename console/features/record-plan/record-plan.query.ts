// The recording plan of a channel: asked for, and changed under the version it was seen at.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordPlan } from '@vedette/contract/calls/record-plan.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CallFailure } from '../../calls/call-failure.ts';
import { useCaller } from '../../services/services.ts';

export interface PlanChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** What a user changes of it. */
export type PlanChange = Omit<RecordPlan, 'version' | 'timeZone'>;

export type PlanSaved =
  | { readonly kind: 'saved'; readonly plan: RecordPlan }
  /** Somebody was quicker: nothing was changed. */
  | { readonly kind: 'newer'; readonly plan: RecordPlan };

const keyOf = ({ deviceSerial, channelNo }: PlanChannel) => ['record/plan/get', deviceSerial, channelNo];

export function useRecordPlan(channel: PlanChannel) {
  const caller = useCaller();
  return useQuery({
    queryKey: keyOf(channel),
    queryFn: ({ signal }) => caller.ask('record/plan/get', { ...channel }, { signal, showError: false }),
    // A form is open on it: it changes when its user says so.
    refetchOnWindowFocus: false,
  });
}

export function useSavePlan(channel: PlanChannel): (change: PlanChange, version: number) => Promise<PlanSaved> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (change, version) => {
    const known = (plan: RecordPlan): void => void client.setQueryData(keyOf(channel), plan);
    try {
      const plan = await caller.ask('record/plan/set', { ...channel, ...change, version }, { showError: false });
      known(plan);
      return { kind: 'saved', plan };
    } catch (failure) {
      if (!(failure instanceof CallFailure) || failure.code !== ERROR_CODES.stale) throw failure;
      const plan = await caller.ask('record/plan/get', { ...channel }, { showError: false });
      known(plan);
      return { kind: 'newer', plan };
    }
  };
}
