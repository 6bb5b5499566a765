// The form of a floor plan: what was entered, what is wrong with it, and how it is saved.
import type { FloorPlan, FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { type PlanOutcome, usePlanActions } from '../../features/floor-plan/floor-plan.query.ts';
import { useCameraFacts } from '../../features/floor-plan/plan-cameras.ts';
import { useT } from '../../language/use-t.ts';
import type { SelectOption } from '../../ui/fields/select-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { type HeldFile, readHeldFile } from './held-file.ts';

export interface PlanFormInput {
  /** The one that is changed; null for a new one. */
  readonly plan: FloorPlan | null;
  /** Where a new one may stand; the first is chosen. */
  readonly organizations: readonly SelectOption[];
  readonly onSaved: (plan: FloorPlan) => void;
}

interface FormState {
  readonly name: string;
  readonly organizationId: string;
  readonly file: HeldFile | null;
  readonly nameProblem: string | null;
  readonly failure: string | null;
  readonly isBusy: boolean;
}

export const LONGEST_NAME = 64;

export function usePlanForm({ plan, organizations, onSaved }: PlanFormInput) {
  const t = useT();
  const actions = usePlanActions();
  const camerasOf = useCamerasOf(plan);
  const [form, setForm] = useState<FormState>(() => emptyForm(plan, organizations));
  const change = (part: Partial<FormState>): void => setForm((before) => ({ ...before, failure: null, ...part }));
  const take = async (chosen: File): Promise<void> => {
    change({ isBusy: true });
    try {
      const file = await readHeldFile(chosen, plan === null);
      setForm((before) => ({ ...before, file, isBusy: false, name: before.name || file.name.slice(0, LONGEST_NAME) }));
    } catch {
      change({ isBusy: false, failure: t('plans.fileBad') });
    }
  };
  const show = (outcome: PlanOutcome, leftOut: number): void => {
    if (outcome.kind === 'nameTaken') return change({ isBusy: false, nameProblem: t('plans.nameTaken') });
    if (outcome.kind === 'stale') return change({ isBusy: false, failure: t('plans.staleTitle') });
    if (leftOut > 0) showToast('info', t.plural('plans.leftOut', leftOut));
    else showToast('success', t('plans.saved'));
    onSaved(outcome.plan);
  };
  const submit = async (): Promise<void> => {
    const { name, organizationId, file } = form;
    if (deviceNameProblem(name) !== null) return change({ nameProblem: t('plans.nameProblem') });
    if (plan === null && file === null) return change({ failure: t('plans.fileMissing') });
    change({ isBusy: true });
    const { cameraList, leftOut } = camerasOf(file);
    try {
      const outcome = await actions.save({
        organizationId,
        ...(plan !== null && { floorPlanId: plan.floorPlanId, version: plan.version }),
        name: name.trim(),
        ...(file !== null && { picture: file.picture }),
        cameraList,
      });
      show(outcome, leftOut);
    } catch (failure) {
      change({ isBusy: false, failure: failureText(t, failure) });
    }
  };
  return { form, change, take, submit };
}

function emptyForm(plan: FloorPlan | null, organizations: readonly SelectOption[]): FormState {
  const { name, organizationId } = plan ?? { name: '', organizationId: organizations[0]?.value ?? '' };
  return { name, organizationId, file: null, nameProblem: null, failure: null, isBusy: false };
}

/** The cameras that are saved: those of the plan, or of the file for a new one. */
function useCamerasOf(plan: FloorPlan | null) {
  const known = useCameraFacts();
  return (file: HeldFile | null): { readonly cameraList: FloorPlanCamera[]; readonly leftOut: number } => {
    if (plan !== null) return { cameraList: plan.cameraList, leftOut: 0 };
    const wanted = file?.cameras ?? [];
    // A file of another installation names cameras that are not here.
    const cameraList = wanted.filter((camera) => known?.has(cameraKey(camera)));
    return { cameraList, leftOut: wanted.length - cameraList.length };
  };
}
