// Asks the operator for more of some resources for some days.
import { TRIAL_LIMITS } from '@vedette/contract/limits.ts';
import { TRIAL_QUOTAS, type TrialQuota } from '@vedette/contract/quotas.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useTrialChange } from './trial.query.ts';

const FORM = 'trial-apply';

export function ApplyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const change = useTrialChange();
  const [amounts, setAmounts] = useState<Readonly<Partial<Record<TrialQuota, number | null>>>>({});
  const [days, setDays] = useState<number | null>(TRIAL_LIMITS.usualDays);
  const [note, setNote] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const extraList = TRIAL_QUOTAS.flatMap((quota) => {
    const amount = amounts[quota] ?? 0;
    return amount > 0 ? [{ quota, amount }] : [];
  });
  const isWhole = extraList.length > 0 && days !== null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (days === null || extraList.length === 0) return;
    setFailure(null);
    try {
      await change('resource/trial/apply', { extraList, days, ...(note.trim() !== '' && { note }) });
      showToast('success', t('trial.applied'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('trial.apply')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={!isWhole}>
            {t('trial.send')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <p className={style.hint}>{t('trial.howMany')}</p>
        {TRIAL_QUOTAS.map((quota) => (
          <NumberField
            key={quota}
            label={t(`quotas.of.${quota}`)}
            value={amounts[quota] ?? null}
            onValue={(amount) => setAmounts({ ...amounts, [quota]: amount })}
            min={0}
            max={TRIAL_LIMITS.amount}
          />
        ))}
        <NumberField label={t('trial.days')} value={days} onValue={setDays} min={1} max={TRIAL_LIMITS.days} />
        <TextField label={t('trial.note')} hint={t('trial.noteHint')} maxLength={256} value={note} onValue={setNote} />
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}
