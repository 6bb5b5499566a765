// Asks for the name and the reason of a lock.
import { formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { spanText } from '../export/local-time.ts';
import style from './mark-list.module.css';

export interface LockDialogProps {
  readonly isOpen: boolean;
  readonly range: { readonly start: number; readonly end: number };
  /** Names. */
  readonly cameras: readonly string[];
  readonly format: TimeFormat;
  readonly onClose: () => void;
  /** Rejects where the server refuses. */
  readonly onLock: (name: string, reason: string) => Promise<void>;
}

export function LockDialog(props: LockDialogProps) {
  const t = useT();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('marks.lockRange')}
      closeLabel={t('common.close')}
      width={400}
    >
      {props.isOpen && <LockForm {...props} />}
    </Dialog>
  );
}

function LockForm({ range, cameras, format, onClose, onLock }: LockDialogProps) {
  const t = useT();
  const [name, setName] = useState(() => t('marks.defaultLock', { time: formatDateTime(range.start, format) }));
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (): void => {
    setBusy(true);
    // The sentence of the refusal is shown by the call itself.
    onLock(name.trim(), reason.trim()).catch(() => setBusy(false));
  };
  const isSound = name.trim() !== '' && name.length <= 64;
  return (
    <form
      className={style.panel}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSound && !isBusy) submit();
      }}
    >
      <p>
        {spanText(range.start, range.end, format)}
        <span className={style.cameras}>{cameras.join(', ')}</span>
      </p>
      <TextField
        label={t('marks.name')}
        value={name}
        maxLength={64}
        autoFocus
        onValue={(text) => setName(text.replaceAll(/[<>]/g, ''))}
      />
      <TextField
        label={t('marks.reason')}
        value={reason}
        maxLength={256}
        onValue={(text) => setReason(text.replaceAll(/[<>]/g, ''))}
        hint={t('marks.lockExplain')}
      />
      <div className={style.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" disabled={!isSound} isBusy={isBusy}>
          {t('marks.lock')}
        </Button>
      </div>
    </form>
  );
}
