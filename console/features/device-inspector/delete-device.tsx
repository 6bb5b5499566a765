// Asks before a device and its recordings go.
import { useEffect, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface DeleteDeviceProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Rejects where the server refuses. */
  readonly onDelete: () => Promise<void>;
}

export function DeleteDevice({ name, isOpen, onClose, onDelete }: DeleteDeviceProps) {
  const t = useT();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  useEffect(() => {
    if (isOpen) setState({ isBusy: false, failure: null });
  }, [isOpen]);
  async function confirm(): Promise<void> {
    setState({ isBusy: true, failure: null });
    try {
      await onDelete();
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('devices.deleteTitle', { name })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('devices.deleteKeep')}</Button>
          <Button look="danger" isBusy={state.isBusy} onClick={() => void confirm()}>
            {t('devices.deleteConfirm')}
          </Button>
        </>
      }
    >
      <p>{t('devices.deleteDetail')}</p>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
    </Dialog>
  );
}
