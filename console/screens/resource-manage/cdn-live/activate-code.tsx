// Activates a code of the operator, which opens minutes and streams on CDNs for the account.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { cdnCodeProblem } from '@vedette/rules/validation/device-fields.ts';
import { type FormEvent, useState } from 'react';
import { isFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCdnChange } from './cdn-live.query.ts';

const FORM = 'cdn-code';

export function ActivateCode({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const change = useCdnChange();
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const code = text.trim().toUpperCase();
  const isWhole = cdnCodeProblem(code) === null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isWhole) return;
    setFailure(null);
    try {
      await change('cdn/code/activate', { code });
      showToast('success', t('cdn.activated'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  const sayFailure = (): string => {
    if (isFailure(failure, ERROR_CODES.notFound)) return t('cdn.codeUnknown');
    return isFailure(failure, ERROR_CODES.alreadyExists) ? t('cdn.codeUsed') : failureText(t, failure);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cdn.activate')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={!isWhole}>
            {t('cdn.activateNow')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t('cdn.code')}
          hint={t('cdn.codeHint')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onValue={setText}
        />
        {failure !== null && <Notice tone="error">{sayFailure()}</Notice>}
      </form>
    </Dialog>
  );
}
