// One recording plan for many devices: set for each of their channels, with what became of those that refused.
import type { Device } from '@vedette/contract/entities.ts';
import type { WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { PlanOverview } from '../time-plan/plan-overview.tsx';
import { planOf, recordPresets, recordTypes } from './plan-presets.ts';
import style from './record-plan.module.css';
import { type PlanTarget, usePlanBatch } from './use-plan-batch.ts';

export interface PlanBatchDialogProps {
  readonly devices: readonly Device[];
  readonly onClose: () => void;
}

const WIDTH = 640;

export function PlanBatchDialog({ devices, onClose }: PlanBatchDialogProps) {
  const t = useT();
  const types = recordTypes(t);
  const presets = recordPresets(t);
  const [week, setWeek] = useState<WeekPlan>(() => presets[0]?.week ?? {});
  const batch = usePlanBatch(devices);
  const { state, failed } = batch;
  const isBusy = state === 'running';
  async function run(): Promise<void> {
    const result = await batch.run(planOf(week));
    if (result.done > 0) showToast('success', t.plural('recordPlan.batchDone', result.done));
    if (result.failed === 0) onClose();
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.plural('recordPlan.batchTitle', devices.length)}
      closeLabel={t('common.close')}
      width={WIDTH}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
            {failed.length > 0 && !isBusy ? t('common.retry') : t('recordPlan.batchApply')}
          </Button>
        </>
      }
    >
      <div className={style.form}>
        <p>{t('recordPlan.batchDetail')}</p>
        <PlanOverview
          title={t.plural('recordPlan.batchTitle', devices.length)}
          editLabel={t('recordPlan.edit')}
          week={week}
          types={types}
          presets={presets}
          hasHoliday
          isWide
          onWeek={setWeek}
        >
          <ul className={style.legend}>
            {types.map(({ type, label, colour }) => (
              <li key={type}>
                <span className={style.swatch} style={{ background: `var(${colour})` }} aria-hidden="true" />
                {label}
              </li>
            ))}
          </ul>
        </PlanOverview>
        {failed.length > 0 && (
          <Notice tone="error">
            {failed.map(({ target, failure }) => (
              <p key={keyOf(target)}>
                {nameOf(target)}: {failureText(t, failure)}
              </p>
            ))}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function keyOf({ device, channel }: PlanTarget): string {
  return `${device.deviceSerial}:${channel?.channelNo ?? ''}`;
}

/** The channels of a device that does not list them have no names. */
function nameOf({ device, channel }: PlanTarget): string {
  if (channel === null || channel.channelName === device.deviceName) return device.deviceName;
  return `${device.deviceName} · ${channel.channelName}`;
}
