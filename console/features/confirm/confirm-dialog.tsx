// Asks before something goes for good, and says why where the server refuses.
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { DangerDialog } from './danger-dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly detail: string;
  readonly confirmLabel: string;
  /** "Cancel" unless told. */
  readonly keepLabel?: string;
  /** Said once it is done. */
  readonly done?: string;
  /** Rejects where the server refuses; the dialog then stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** A sentence of its own for a failure, or null for the usual one. */
  readonly sayFailure?: (failure: unknown) => string | null;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, detail, confirmLabel, keepLabel, done, onConfirm, onClose, sayFailure } = props;
  const t = useT();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  const confirm = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await onConfirm();
      if (done !== undefined) showToast('success', done);
      onClose();
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  return (
    <DangerDialog
      title={title}
      confirmLabel={confirmLabel}
      keepLabel={keepLabel}
      isBusy={state.isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{detail}</p>
      {state.failure !== null && (
        <Notice tone="error">{sayFailure?.(state.failure) ?? failureText(t, state.failure)}</Notice>
      )}
    </DangerDialog>
  );
}
