// Floor plans: the list on the left, the chosen plan with its cameras in the middle, the chosen camera on the right.
import { IconMap2, IconPlus } from '@tabler/icons-react';
import type { FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useLastingAlarms } from '../../features/alarm/tile-alarm.tsx';
import { useFloorPlans } from '../../features/floor-plan/floor-plan.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import style from './floor-plans-screen.module.css';
import { PlanForm } from './plan-form.tsx';
import { PlanList } from './plan-list.tsx';
import { PlanWork } from './plan-work.tsx';
import { useManagedOrganizations } from './use-managed-organizations.ts';

export function FloorPlansScreen() {
  const query = useFloorPlans();
  const managed = useManagedOrganizations();
  const { chosen, show } = useChosenPlan(query.data ?? NONE);
  const [isAdding, setAdding] = useState(false);
  useLastingAlarms();
  const onAdd = managed.length > 0 ? () => setAdding(true) : undefined;
  return (
    <main className={`${layout.screen} ${style.screen}`}>
      <PlanWork
        key={chosen?.floorPlanId}
        entry={chosen}
        onRemoved={() => show('')}
        side={<Side query={query} chosen={chosen} onChoose={show} onAdd={onAdd} />}
        instead={<Instead query={query} onAdd={onAdd} />}
      />
      {isAdding && (
        <PlanForm
          plan={null}
          organizations={managed}
          onClose={() => setAdding(false)}
          onSaved={({ floorPlanId }) => {
            setAdding(false);
            show(floorPlanId);
          }}
        />
      )}
    </main>
  );
}

const NONE: readonly FloorPlanEntry[] = [];

/** The one that the address names, else the first. */
function useChosenPlan(plans: readonly FloorPlanEntry[]) {
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('plan');
  const chosen = wanted === null ? plans[0] : plans.find((plan) => plan.floorPlanId === wanted);
  const show = (plan: string): void => setAddress(plan === '' ? {} : { plan }, { replace: true });
  return { chosen, show };
}

interface PlansProps {
  readonly query: ReturnType<typeof useFloorPlans>;
  /** Undefined where the account may add none. */
  readonly onAdd: (() => void) | undefined;
}

interface SideProps extends PlansProps {
  readonly chosen: FloorPlanEntry | undefined;
  readonly onChoose: (floorPlanId: string) => void;
}

function Side({ query, chosen, onChoose, onAdd }: SideProps) {
  const t = useT();
  return (
    <>
      <div className={style.sideHead}>
        <h1>{t('screen.floorPlans')}</h1>
        {onAdd !== undefined && (
          <IconButton label={t('plans.add')} size="small" onClick={onAdd}>
            <IconPlus size={17} stroke={1.7} />
          </IconButton>
        )}
      </div>
      {query.isPending ? (
        <div className={style.loading}>
          <SkeletonLines label={t('common.loading')} rows={6} rowHeight={32} />
        </div>
      ) : (
        <PlanList plans={query.data ?? NONE} chosen={chosen?.floorPlanId ?? ''} onChoose={onChoose} />
      )}
    </>
  );
}

/** Of a plan: none can be shown. */
function Instead({ query, onAdd }: PlansProps) {
  const t = useT();
  if (query.isPending) return null;
  if (query.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('plans.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (query.data.length > 0) return <StateView title={t('plans.gone')} detail={t('plans.choose')} />;
  return (
    <StateView
      icon={<IconMap2 size={22} stroke={1.5} />}
      title={t('plans.empty')}
      detail={t(onAdd === undefined ? 'plans.emptyAsk' : 'plans.emptyDetail')}
      action={
        onAdd !== undefined && (
          <Button look="primary" onClick={onAdd}>
            {t('plans.add')}
          </Button>
        )
      }
    />
  );
}
