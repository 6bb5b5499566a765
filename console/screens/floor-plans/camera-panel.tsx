// The chosen camera of a floor plan: its live picture, or while editing its direction and angle of view.
import { IconHistory, IconTrash, IconVideo } from '@tabler/icons-react';
import type { FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { QUALITY } from '@vedette/contract/enumerations.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useNavigate } from 'react-router';
import { AlarmIcon } from '../../features/alarm/alarm-icon.tsx';
import { alarmTypeText } from '../../features/alarm/alarm-words.ts';
import { LiveView } from '../../features/device-config/live-view.tsx';
import { deviceTone, statusText } from '../../features/device-inspector/device-words.ts';
import type { CameraEditing } from '../../features/floor-plan/camera-mark.tsx';
import { type PlanCameraFacts, UNKNOWN_CAMERA } from '../../features/floor-plan/plan-cameras.ts';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { lastingAlarm, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useDeviceStatus } from '../../realtime/status-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { RangeField } from '../../ui/fields/range-field.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import style from './floor-plans-screen.module.css';

export interface CameraPanelProps {
  readonly camera: FloorPlanCamera;
  readonly facts: PlanCameraFacts | undefined;
  readonly editing: CameraEditing | undefined;
  readonly onClose: () => void;
}

export function CameraPanel(props: CameraPanelProps) {
  const { camera, facts, editing, onClose } = props;
  const t = useT();
  return (
    <Inspector title={facts?.name ?? camera.deviceSerial} closeLabel={t('common.close')} onClose={onClose}>
      <div className={style.panel}>
        {editing === undefined ? <Watching {...props} /> : <Turning camera={camera} editing={editing} />}
      </div>
    </Inspector>
  );
}

function Watching({ camera, facts }: CameraPanelProps) {
  const t = useT();
  const navigate = useNavigate();
  const { deviceSerial, channelNo } = camera;
  const status = useDeviceStatus(deviceSerial, facts?.status ?? UNKNOWN_CAMERA.status);
  const alarm = useAlarmStore((state) => lastingAlarm(state, deviceSerial, channelNo));
  return (
    <>
      {facts?.canWatch === true ? (
        <LiveView
          key={cameraKey(camera)}
          deviceSerial={deviceSerial}
          channelNo={channelNo}
          quality={QUALITY.second}
          label={facts.name}
        />
      ) : (
        <p className={style.faint}>{t('plans.noLive')}</p>
      )}
      <StatusDot tone={deviceTone(status)} label={statusText(t, status)} />
      {alarm !== null && (
        <p className={style.alarm}>
          <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
          {alarmTypeText(t, alarm.type)}
        </p>
      )}
      <div className={style.actions}>
        {facts?.canWatch === true && (
          <Button
            icon={<IconVideo size={16} stroke={1.7} aria-hidden="true" />}
            onClick={() => void navigate(channelAddress(PATHS.liveVideo, camera))}
          >
            {t('plans.openLive')}
          </Button>
        )}
        {facts?.canReplay === true && (
          <Button
            icon={<IconHistory size={16} stroke={1.7} aria-hidden="true" />}
            onClick={() => void navigate(channelAddress(PATHS.container, camera))}
          >
            {t('plans.openPlayback')}
          </Button>
        )}
      </div>
    </>
  );
}

function Turning({ camera, editing }: { readonly camera: FloorPlanCamera; readonly editing: CameraEditing }) {
  const t = useT();
  const { least, most } = FLOOR_PLAN_LIMITS.viewAngle;
  const isWithin = (value: number, from: number, to: number): boolean =>
    Number.isInteger(value) && value >= from && value <= to;
  return (
    <>
      <RangeField
        label={t('plans.direction')}
        value={camera.direction}
        min={0}
        max={359}
        step={1}
        unit="°"
        onValue={(direction) => isWithin(direction, 0, 359) && editing.change({ ...camera, direction })}
      />
      <RangeField
        label={t('plans.viewAngle')}
        value={camera.viewAngle}
        min={least}
        max={most}
        step={1}
        unit="°"
        onValue={(viewAngle) => isWithin(viewAngle, least, most) && editing.change({ ...camera, viewAngle })}
      />
      <p className={style.faint}>{t('plans.keysHint')}</p>
      <div className={style.actions}>
        <Button
          look="quiet"
          icon={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
          onClick={() => editing.remove(camera)}
        >
          {t('plans.remove')}
        </Button>
      </div>
    </>
  );
}
