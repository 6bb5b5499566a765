// In the head of the inbox while alarms are chosen: how many, and what can be done with all of them.
import { IconCheck, IconChecks } from '@tabler/icons-react';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { useAlarmActions } from '../../features/alarm/alarm.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import style from './alarm-msg-screen.module.css';
import type { Chosen } from './use-chosen.ts';

export interface ChosenWorkProps {
  readonly chosen: Chosen;
  readonly actions: Pick<ReturnType<typeof useAlarmActions>, 'acknowledge' | 'close'>;
  readonly onAcknowledge: (alarms: readonly Alarm[]) => void;
  readonly onClose: (alarms: readonly Alarm[]) => void;
}

export function ChosenWork({ chosen: { list, clear }, actions, onAcknowledge, onClose }: ChosenWorkProps) {
  const t = useT();
  return (
    <>
      <span className={style.chosen}>{t.plural('alarms.chosen', list.length)}</span>
      <Button onClick={clear}>{t('alarms.clearChosen')}</Button>
      <Button
        look="primary"
        icon={<IconCheck size={16} stroke={2} />}
        isBusy={actions.acknowledge.isPending}
        onClick={() => onAcknowledge(list)}
      >
        {t.plural('alarms.acknowledgeChosen', list.length)}
      </Button>
      <Button
        icon={<IconChecks size={16} stroke={1.8} />}
        isBusy={actions.close.isPending}
        onClick={() => onClose(list)}
      >
        {t.plural('alarms.closeChosen', list.length)}
      </Button>
    </>
  );
}
