// First step of adding a device: where it is, and its own account.
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { AccountFields } from './account-fields.tsx';
import style from './add-device.module.css';

export interface ProbeTarget {
  readonly target: string;
  readonly user: string;
  readonly password: string;
}

export interface ProbeStepProps {
  readonly formId: string;
  readonly target: ProbeTarget;
  readonly onTarget: (target: ProbeTarget) => void;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly onSubmit: () => void;
}

const TARGET_LENGTH_MAX = 512;

export function ProbeStep({ formId, target, onTarget, isBusy, failure, onSubmit }: ProbeStepProps) {
  const t = useT();
  const [isTried, setTried] = useState(false);
  const isBlank = target.target.trim() === '';
  const isLong = target.target.length > TARGET_LENGTH_MAX;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isBlank && !isLong && !isBusy) onSubmit();
  };
  return (
    <form id={formId} className={style.form} onSubmit={submit} noValidate autoComplete="off">
      <TextField
        label={t('add.target')}
        value={target.target}
        onValue={(value) => onTarget({ ...target, target: value.trim() })}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        disabled={isBusy}
        hint={t('add.targetHint')}
        error={isTried && isBlank ? t('add.targetRequired') : isLong ? t('add.targetLong') : null}
      />
      <AccountFields
        account={target}
        onAccount={({ user, password }) => onTarget({ ...target, user, password })}
        disabled={isBusy}
      />
      <div aria-live="polite">
        {isBusy && (
          <Notice tone="info">
            {t('add.probing')}. {t('add.probingDetail')}
          </Notice>
        )}
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </div>
    </form>
  );
}
