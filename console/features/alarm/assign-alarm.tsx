// Gives an alarm to somebody: the name of an account that receives it, or nobody's any more.
import { IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { NetworkFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './alarm-details.module.css';

export interface AssignAlarmProps {
  readonly assignedTo: string;
  /** Empty: nobody's any more. */
  readonly onAssign: (account: string) => Promise<void>;
}

export function AssignAlarm({ assignedTo, onAssign }: AssignAlarmProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [account, setAccount] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = (to: string): void => {
    setBusy(true);
    onAssign(to)
      .then(() => {
        setOpen(false);
        setAccount('');
      })
      .catch((failure: unknown) =>
        setProblem(failure instanceof NetworkFailure ? failureText(t, failure) : t('alarms.assignRefused')),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Popover
      label={t('alarms.assign')}
      isOpen={isOpen}
      onToggle={setOpen}
      side="top-end"
      control={
        <Button
          icon={<IconUserCheck size={16} stroke={1.8} />}
          aria-expanded={isOpen}
          onClick={() => {
            setProblem(null);
            setOpen(!isOpen);
          }}
        >
          {t('alarms.assign')}
        </Button>
      }
    >
      <form
        className={style.assign}
        onSubmit={(event) => {
          event.preventDefault();
          if (account.trim() !== '') send(account.trim());
        }}
      >
        <TextField
          label={t('alarms.assignTo')}
          value={account}
          onValue={(text) => {
            setAccount(text);
            setProblem(null);
          }}
          hint={t('alarms.assignHint')}
          error={problem}
          autoComplete="off"
          maxLength={64}
        />
        <div className={style.actions}>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={account.trim() === ''}>
            {t('alarms.assignDone')}
          </Button>
          {assignedTo !== '' && <Button onClick={() => send('')}>{t('alarms.assignNobody')}</Button>}
        </div>
      </form>
    </Popover>
  );
}
