// Asks before something is taken away for good: a share, or a link.
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast-store.ts';

export interface EndDialogProps {
  readonly title: string;
  readonly detail: string;
  readonly act: string;
  readonly done: string;
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}

export function EndDialog({ title, detail, act, done, onEnd, onClose }: EndDialogProps) {
  const t = useT();
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const end = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await onEnd();
      showToast('success', done);
      onClose();
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
          <Button look="danger" isBusy={state.isBusy} onClick={() => void end()}>
            {act}
          </Button>
        </>
      }
    >
      <p>{detail}</p>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
    </Dialog>
  );
}
