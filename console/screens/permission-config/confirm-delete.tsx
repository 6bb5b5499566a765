// Asks before a role or an account goes.
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface ConfirmDeleteProps {
  readonly title: string;
  readonly detail: string;
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** Rejects where the server refuses. */
  readonly onDelete: () => Promise<void>;
}

export function ConfirmDelete({ title, detail, confirmLabel, onClose, onDelete }: ConfirmDeleteProps) {
  const t = useT();
  const [state, setState] = useState<{ isBusy: boolean; failure: unknown }>({ isBusy: false, failure: null });
  const confirm = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await onDelete();
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="danger" isBusy={state.isBusy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{detail}</p>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
    </Dialog>
  );
}
