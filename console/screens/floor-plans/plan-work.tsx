// One floor plan, looked at or edited: what can be done to it, the plan itself, and the chosen camera.
import { IconPencil } from '@tabler/icons-react';
import type { FloorPlan, FloorPlanCamera, FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { type ReactNode, useState } from 'react';
import { useFloorPlan } from '../../features/floor-plan/floor-plan.query.ts';
import { useCameraFacts } from '../../features/floor-plan/plan-cameras.ts';
import { PlanCanvas, type PlanEditing } from '../../features/floor-plan/plan-canvas.tsx';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CameraPanel } from './camera-panel.tsx';
import style from './floor-plans-screen.module.css';
import { PlanMenu } from './plan-menu.tsx';
import { PlanTree } from './plan-tree.tsx';
import { StalePlan } from './stale-plan.tsx';
import { type PlanSaving, usePlanSaving } from './use-plan-saving.ts';

export interface PlanWorkProps {
  readonly entry: FloorPlanEntry | undefined;
  /** Left of the plan, unless it is edited: cameras to be placed stand there then. */
  readonly side: ReactNode;
  /** Stands where the plan would, without one. */
  readonly instead: ReactNode;
  readonly onRemoved: () => void;
}

const MIDDLE = { x: 0.5, y: 0.5 };

export function PlanWork({ entry, side, instead, onRemoved }: PlanWorkProps) {
  const query = useFloorPlan(entry?.floorPlanId ?? '');
  const saving = usePlanSaving();
  const [chosen, setChosen] = useState<string | null>(null);
  const { draft, change, remove, place } = saving;
  const cameras = draft?.cameras ?? query.data?.cameraList ?? NONE;
  const work: Work = {
    query,
    saving,
    cameras,
    chosen,
    choose: (camera) => setChosen(camera && cameraKey(camera)),
    editing: draft === null ? undefined : { change, remove, place },
  };
  return (
    <>
      <aside className={`${layout.side} ${style.side}`}>
        {work.editing === undefined ? side : <Placing work={work} editing={work.editing} />}
      </aside>
      <div className={layout.middle}>
        {entry === undefined ? instead : <Middle entry={entry} work={work} onRemoved={onRemoved} />}
      </div>
      <ChosenCamera work={work} />
      <StalePlan saving={saving} />
    </>
  );
}

interface Work {
  readonly query: ReturnType<typeof useFloorPlan>;
  readonly saving: PlanSaving;
  readonly cameras: readonly FloorPlanCamera[];
  readonly chosen: string | null;
  readonly choose: (camera: ChannelPlace | null) => void;
  readonly editing: PlanEditing | undefined;
}

const NONE: readonly FloorPlanCamera[] = [];

/** A camera that is chosen by a key stands in the middle, and is moved from there. */
function Placing({ work, editing }: { readonly work: Work; readonly editing: PlanEditing }) {
  const onPlace = (channel: ChannelPlace): void => {
    editing.place([channel], MIDDLE);
    work.choose(channel);
  };
  return <PlanTree cameras={work.cameras} onPlace={onPlace} />;
}

function ChosenCamera({ work: { cameras, chosen, choose, editing } }: { readonly work: Work }) {
  const facts = useCameraFacts();
  const camera = cameras.find((one) => cameraKey(one) === chosen);
  if (camera === undefined) return null;
  return (
    <CameraPanel camera={camera} facts={facts?.get(cameraKey(camera))} editing={editing} onClose={() => choose(null)} />
  );
}

interface MiddleProps {
  readonly entry: FloorPlanEntry;
  readonly work: Work;
  readonly onRemoved: () => void;
}

function Middle({ entry, work, onRemoved }: MiddleProps) {
  const { query, saving, cameras, chosen, choose, editing } = work;
  return (
    <>
      <Head entry={entry} plan={query.data} total={cameras.length} saving={saving} onRemoved={onRemoved} />
      {saving.failure !== null && <Failure failure={saving.failure} />}
      <div className={style.work}>
        {query.isError && query.data === undefined ? (
          <PlanFailure failure={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <PlanCanvas
            plan={entry}
            cameras={cameras}
            chosen={chosen}
            onChoose={choose}
            onLeave={() => choose(null)}
            editing={editing}
          />
        )}
      </div>
    </>
  );
}

function Failure({ failure }: { readonly failure: unknown }) {
  const t = useT();
  return <Notice tone="error">{failureText(t, failure)}</Notice>;
}

function PlanFailure({ failure, onRetry }: { readonly failure: unknown; readonly onRetry: () => void }) {
  const t = useT();
  return (
    <StateView
      role="alert"
      title={t('plans.planError')}
      detail={failureText(t, failure)}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

interface HeadProps {
  readonly entry: FloorPlanEntry;
  readonly plan: FloorPlan | undefined;
  readonly total: number;
  readonly saving: PlanSaving;
  readonly onRemoved: () => void;
}

function Head({ entry, plan, total, saving, onRemoved }: HeadProps) {
  const t = useT();
  const leave = useUnsaved(saving.isChanged);
  const isEditing = saving.draft !== null;
  return (
    <PageHeader level={2} title={entry.name} fact={plan !== undefined && <CameraCount total={total} />}>
      {isEditing && (
        <>
          <Button onClick={() => leave(saving.cancel)}>{t('plans.cancel')}</Button>
          <Button look="primary" disabled={!saving.isChanged} isBusy={saving.isBusy} onClick={() => void saving.save()}>
            {t('plans.save')}
          </Button>
        </>
      )}
      {!isEditing && entry.isEditable && plan !== undefined && (
        <Button icon={<IconPencil size={16} stroke={1.7} aria-hidden="true" />} onClick={() => saving.begin(plan)}>
          {t('plans.edit')}
        </Button>
      )}
      {!isEditing && <PlanMenu entry={entry} plan={plan} onRemoved={onRemoved} />}
    </PageHeader>
  );
}

function CameraCount({ total }: { readonly total: number }) {
  const t = useT();
  return total === 0 ? t('plans.noCameras') : t.plural('plans.cameras', total);
}
