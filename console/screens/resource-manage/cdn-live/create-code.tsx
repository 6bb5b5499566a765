// Makes a code that opens minutes and streams on CDNs for whoever activates it, and shows it once.
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';

const FORM = 'cdn-new-code';
const USUAL_MINUTES = 1440;

export function CreateCode({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const caller = useCaller();
  const [minutes, setMinutes] = useState<number | null>(USUAL_MINUTES);
  const [streams, setStreams] = useState<number | null>(1);
  const [code, setCode] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isWhole = minutes !== null && streams !== null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (minutes === null || streams === null) return;
    setFailure(null);
    try {
      setCode((await caller.ask('cdn/code/create', { minutes, streams }, { showError: false })).code);
    } catch (error) {
      setFailure(error);
    }
  };
  if (code !== null) return <NewCode code={code} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cdn.createCode')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={!isWhole}>
            {t('cdn.create')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <NumberField
          label={t('cdn.packageMinutes')}
          unit={t('cdn.minutes')}
          value={minutes}
          onValue={setMinutes}
          min={1}
          max={CDN_LIMITS.packageMinutes}
        />
        <NumberField
          label={t('cdn.packageStreams')}
          value={streams}
          onValue={setStreams}
          min={1}
          max={CDN_LIMITS.pushes}
        />
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}

function NewCode({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const t = useT();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cdn.createCode')}
      closeLabel={t('common.close')}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('cdn.codeOnce')}</p>
      <p className={style.code}>
        <code data-code>{code}</code>
        <CopyButton
          text={code}
          label={t('common.copy')}
          doneLabel={t('common.copied')}
          failedLabel={t('common.copyFailed')}
        />
      </p>
    </Dialog>
  );
}
