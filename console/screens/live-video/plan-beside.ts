// Which floor plan stands beside the wall, and which can be chosen. Pure.
import type { FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import type { SelectOption } from '../../ui/fields/select-field.tsx';

/** The one that was chosen, else the first of the organisation that is looked at, else the first of all. */
export function planBeside(
  plans: readonly FloorPlanEntry[],
  wanted: string | null,
  organizationId: string | undefined,
): FloorPlanEntry | undefined {
  return (
    plans.find((plan) => plan.floorPlanId === wanted) ??
    plans.find((plan) => plan.organizationId === organizationId) ??
    plans[0]
  );
}

/** In the order of the organisations, whose names tell floors of several buildings apart. */
export function planOptions(plans: readonly FloorPlanEntry[], organizations: readonly SelectOption[]): SelectOption[] {
  const isOnePlace = new Set(plans.map((plan) => plan.organizationId)).size <= 1;
  return organizations.flatMap(({ value, label }) =>
    plans
      .filter((plan) => plan.organizationId === value)
      .map(({ floorPlanId, name }) => ({ value: floorPlanId, label: isOnePlace ? name : `${label} / ${name}` })),
  );
}
