// What can be done about backups: taking one, which runs for a while and then shows in the row of the backup, and choosing their place.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { CallFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import style from '../health/health.module.css';

export function BackUpNow() {
  const t = useT();
  const caller = useCaller();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [isChoosing, setChoosing] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      await caller.ask('system/backup/start', {}, { showError: false });
      setSaid(t('health.backupBegun'));
    } catch (failure) {
      const hasNoFolder = failure instanceof CallFailure && failure.code === ERROR_CODES.functionNotSupported;
      setSaid(hasNoFolder ? t('health.backupNoFolder') : failureText(t, failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={style.action}>
      <Button isBusy={isBusy} onClick={() => void start()}>
        {t('health.backUpNow')}
      </Button>
      <Button look="quiet" onClick={() => setChoosing(true)}>
        {t('backup.choose')}
      </Button>
      <span role="status">{said}</span>
      {isChoosing && <PlanDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}
