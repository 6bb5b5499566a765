// The recovery codes of a second factor, this one time.
import { saveText } from '../../browser/save-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import style from './personal-screen.module.css';

export interface RecoveryDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryDialog({ codes, onClose }: RecoveryDialogProps) {
  const t = useT();
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('personal.recoveryTitle')}
      closeLabel={t('common.close')}
      width={460}
      actions={
        <>
          <Button onClick={() => saveText('vedette-recovery-codes.txt', text, 'text/plain')}>
            {t('personal.recoverySave')}
          </Button>
          <Button look="primary" onClick={onClose}>
            {t('personal.recoveryDone')}
          </Button>
        </>
      }
    >
      <p>{t('personal.recoveryLead')}</p>
      <ul className={style.recovery} aria-label={t('personal.recoveryTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={style.secret}>
        <CopyButton
          text={text}
          label={t('common.copy')}
          doneLabel={t('common.copied')}
          failedLabel={t('common.copyFailed')}
        />
      </div>
    </Dialog>
  );
}
