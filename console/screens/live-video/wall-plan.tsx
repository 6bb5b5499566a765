// A floor plan beside the wall: that of the organisation whose camera is selected, until the user chooses one. A camera on it plays in the selected tile.
import { IconMap2 } from '@tabler/icons-react';
import type { FloorPlanCamera, FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useNavigate } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useFloorPlan, useFloorPlans } from '../../features/floor-plan/floor-plan.query.ts';
import { useCameraFacts } from '../../features/floor-plan/plan-cameras.ts';
import { PlanCanvas } from '../../features/floor-plan/plan-canvas.tsx';
import { showInSelected } from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import style from './live-video-screen.module.css';
import { planBeside, planOptions } from './plan-beside.ts';

export interface WallPlanProps {
  /** Id of the plan that the user has chosen. */
  readonly wanted: string | null;
  readonly onWanted: (floorPlanId: string) => void;
  /** A camera of the plan goes to the wall. */
  readonly onShown?: () => void;
}

export function WallPlan(props: WallPlanProps) {
  const t = useT();
  const query = useFloorPlans();
  if (query.isPending)
    return (
      <div className={style.planHead}>
        <SkeletonLines label={t('common.loading')} rows={1} rowHeight={32} />
      </div>
    );
  if (query.data === undefined)
    return (
      <StateView
        role="alert"
        title={t('plans.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  return query.data.length === 0 ? <NoPlan /> : <ShownPlan {...props} plans={query.data} />;
}

function NoPlan() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <StateView
      icon={<IconMap2 size={22} stroke={1.5} />}
      title={t('plans.empty')}
      action={<Button onClick={() => void navigate(PATHS.floorPlans)}>{t('screen.floorPlans')}</Button>}
    />
  );
}

interface ShownPlanProps extends WallPlanProps {
  readonly plans: readonly FloorPlanEntry[];
}

function ShownPlan({ plans, wanted, onWanted, onShown }: ShownPlanProps) {
  const t = useT();
  const facts = useCameraFacts();
  const organizations = useOrganizationOptions();
  const selected = useWall((wall) => {
    const channel = wall.cells[wall.selected];
    return channel ? cameraKey(channel) : null;
  });
  const organizationId = selected === null ? undefined : facts?.get(selected)?.organizationId;
  const entry = planBeside(plans, wanted, organizationId);
  const plan = useFloorPlan(entry?.floorPlanId ?? '');
  if (entry === undefined) return null;
  const show = ({ deviceSerial, channelNo }: FloorPlanCamera): void => {
    // Otherwise the plan would change below the pointer with the organisation of the camera.
    onWanted(entry.floorPlanId);
    changeWall((wall) => showInSelected(wall, { deviceSerial, channelNo }));
    onShown?.();
  };
  return (
    <>
      <div className={style.planHead}>
        <SelectField
          label={t('screen.floorPlans')}
          isLabelHidden
          isSearchable
          value={entry.floorPlanId}
          options={planOptions(plans, organizations)}
          onValue={onWanted}
        />
      </div>
      {plan.isError && plan.data === undefined ? (
        <StateView
          role="alert"
          title={t('plans.planError')}
          detail={failureText(t, plan.error)}
          action={<Button onClick={() => void plan.refetch()}>{t('common.retry')}</Button>}
        />
      ) : (
        <PlanCanvas
          key={entry.floorPlanId}
          plan={entry}
          cameras={plan.data?.cameraList ?? NONE}
          chosen={selected}
          onChoose={show}
        />
      )}
    </>
  );
}

const NONE: readonly FloorPlanCamera[] = [];
