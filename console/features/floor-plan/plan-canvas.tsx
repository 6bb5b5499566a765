// A floor plan as it is looked at and edited: the picture, the cones of its cameras, and a mark for each camera.
import { IconMinus, IconPlus, IconZoomReset } from '@tabler/icons-react';
import type { FloorPlanCamera, FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { type DragEvent, type KeyboardEvent, useMemo } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Skeleton, StateView } from '../../ui/feedback/state-view.tsx';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { channelDrag } from '../resource-tree/channel-drag.ts';
import { type CameraEditing, CameraMark, type CameraMarkProps, TurnHandle } from './camera-mark.tsx';
import style from './floor-plan.module.css';
import { usePlanPicture } from './floor-plan.query.ts';
import { useCameraFacts } from './plan-cameras.ts';
import { type PlanZoom, usePlanZoom, ZOOM_STEP } from './use-plan-zoom.ts';
import { conePath } from './view-cone.ts';

export interface PlanEditing extends CameraEditing {
  /** Channels from the tree are let go over a place of the picture. */
  readonly place: (channels: readonly ChannelPlace[], at: { readonly x: number; readonly y: number }) => void;
}

export interface PlanCanvasProps {
  readonly plan: FloorPlanEntry;
  readonly cameras: readonly FloorPlanCamera[];
  /** A `cameraKey`, or null. */
  readonly chosen: string | null;
  readonly onChoose: (camera: FloorPlanCamera) => void;
  /** Escape: no camera is chosen any more. */
  readonly onLeave?: () => void;
  readonly editing?: PlanEditing | undefined;
}

export function PlanCanvas({ plan, cameras, chosen, onChoose, onLeave, editing }: PlanCanvasProps) {
  const t = useT();
  const zoom = usePlanZoom();
  const picture = usePlanPicture(plan);
  const facts = useCameraFacts();
  // Of device types that this page hides, as everywhere.
  const known = useMemo(
    () => (facts === undefined ? [] : cameras.filter((camera) => facts.has(cameraKey(camera)))),
    [cameras, facts],
  );
  const marks = known.map(
    (camera): CameraMarkProps => ({
      camera,
      facts: facts?.get(cameraKey(camera)),
      size: plan,
      isChosen: cameraKey(camera) === chosen,
      onChoose: () => onChoose(camera),
      placeOf: zoom.placeOf,
      editing,
    }),
  );
  if (picture.isError)
    return (
      <StateView
        role="alert"
        title={t('plans.pictureError')}
        detail={failureText(t, picture.error)}
        action={<Button onClick={() => void picture.refetch()}>{t('common.retry')}</Button>}
      />
    );
  return (
    <div className={style.canvas}>
      <div
        ref={zoom.stage}
        className={style.stage}
        role="group"
        aria-label={t('plans.plan', { name: plan.name })}
        data-scaled={zoom.scale > 1 || undefined}
        onPointerDown={zoom.startPan}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onLeave?.();
          else zoomByKey(event, zoom);
        }}
        {...(editing !== undefined && dropTarget(editing, zoom))}
      >
        <div
          ref={zoom.sheet}
          className={style.sheet}
          style={{ '--ratio': plan.width / plan.height, '--scale': zoom.scale } as React.CSSProperties}
        >
          {picture.data === undefined ? (
            <Skeleton height={240} />
          ) : (
            <ShownImage className={style.picture} src={picture.data} alt={plan.name} draggable={false} />
          )}
          <svg className={style.cones} viewBox={`0 0 ${plan.width} ${plan.height}`} aria-hidden="true">
            {marks.map(({ camera, isChosen }) => (
              <path
                key={cameraKey(camera)}
                className={style.cone}
                d={conePath(camera, plan)}
                data-chosen={isChosen || undefined}
              />
            ))}
          </svg>
          {marks.map((mark) => (
            <CameraMark key={cameraKey(mark.camera)} {...mark} />
          ))}
          {marks.map((mark) => mark.isChosen && <TurnHandle key={cameraKey(mark.camera)} {...mark} />)}
        </div>
      </div>
      <div className={style.zoom} role="group" aria-label={t('plans.zoom')}>
        <IconButton label={t('plans.zoomIn')} shortcut="+" tipSide="left" onClick={() => zoom.zoomBy(ZOOM_STEP)}>
          <IconPlus size={16} stroke={1.8} />
        </IconButton>
        <IconButton label={t('plans.zoomOut')} shortcut="-" tipSide="left" onClick={() => zoom.zoomBy(1 / ZOOM_STEP)}>
          <IconMinus size={16} stroke={1.8} />
        </IconButton>
        <IconButton label={t('plans.showWhole')} shortcut="0" tipSide="left" onClick={zoom.showWhole}>
          <IconZoomReset size={16} stroke={1.8} />
        </IconButton>
      </div>
    </div>
  );
}

function zoomByKey(event: KeyboardEvent, { zoomBy, showWhole }: PlanZoom): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key } = event;
  if (key === '+' || key === '=') zoomBy(ZOOM_STEP);
  else if (key === '-') zoomBy(1 / ZOOM_STEP);
  else if (key === '0') showWhole();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function dropTarget(editing: PlanEditing, { placeOf }: PlanZoom) {
  return {
    onDragOver: (event: DragEvent) => {
      if (channelDrag.read(event.dataTransfer) !== undefined) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const channels = channelDrag.read(event.dataTransfer);
      if (channels === undefined) return;
      event.preventDefault();
      editing.place(channels, placeOf(event));
    },
  };
}
