// The operator grants an application, for as many days as are right, or refuses it.
import type { Trial } from '@vedette/contract/calls/trial.ts';
import { TRIAL_LIMITS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useTrialChange } from './trial.query.ts';

export function DecideDialog({ trial, onClose }: { readonly trial: Trial; readonly onClose: () => void }) {
  const t = useT();
  const change = useTrialChange();
  const [days, setDays] = useState<number | null>(trial.days);
  const [failure, setFailure] = useState<unknown>(null);
  const decide = async (isGranted: boolean): Promise<void> => {
    setFailure(null);
    try {
      const { trialId } = trial;
      await change('resource/trial/grant', { trialId, isGranted, ...(isGranted && days !== null && { days }) });
      showToast('success', t(isGranted ? 'trial.granted' : 'trial.refused'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('trial.of', { user: trial.userName })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button look="danger" onClick={() => void decide(false)}>
            {t('trial.refuse')}
          </Button>
          <Button look="primary" disabled={days === null} onClick={() => void decide(true)}>
            {t('trial.grant')}
          </Button>
        </>
      }
    >
      <div className={style.form}>
        <ul>
          {trial.extraList.map(({ quota, amount, used, total }) => (
            <li key={quota}>
              {t('trial.more', { amount, resource: t(`quotas.of.${quota}`) })}{' '}
              <span className={style.facts}>{t('trial.used', { used, total })}</span>
            </li>
          ))}
        </ul>
        {trial.note !== '' && <p className={style.hint}>{trial.note}</p>}
        <NumberField label={t('trial.days')} value={days} onValue={setDays} min={1} max={TRIAL_LIMITS.days} />
        <p className={style.hint}>{t('trial.after')}</p>
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </div>
    </Dialog>
  );
}
