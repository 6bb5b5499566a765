// The floor plans under the names of their organisations.
import { IconMap2 } from '@tabler/icons-react';
import type { FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import style from './floor-plans-screen.module.css';

export interface PlanListProps {
  readonly plans: readonly FloorPlanEntry[];
  readonly chosen: string;
  readonly onChoose: (floorPlanId: string) => void;
}

export function PlanList({ plans, chosen, onChoose }: PlanListProps) {
  // In the order of the names of organisations, which are those of whole paths.
  const groups = useOrganizationOptions().flatMap(({ value, label }) => {
    const own = plans.filter((plan) => plan.organizationId === value);
    return own.length === 0 ? [] : [{ value, label, own }];
  });
  return (
    <div className={style.groups}>
      {groups.map(({ value, label, own }) => (
        <section key={value} aria-label={label}>
          <h2 className={style.heading} title={label}>
            {label}
          </h2>
          <ul className={style.list}>
            {own.map(({ floorPlanId, name }) => (
              <li key={floorPlanId}>
                <button
                  type="button"
                  className={style.row}
                  aria-current={floorPlanId === chosen || undefined}
                  onClick={() => onChoose(floorPlanId)}
                >
                  <IconMap2 size={16} stroke={1.6} aria-hidden="true" />
                  <span className={style.rowName}>{name}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
