// A dialog whose decisive button takes something away.
import type { ReactNode } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

export interface DangerDialogProps {
  readonly isOpen?: boolean;
  readonly title: string;
  readonly confirmLabel: string;
  /** "Cancel" unless told. */
  readonly keepLabel?: string | undefined;
  readonly isBusy?: boolean;
  /** The decisive button waits for an answer in the dialog. */
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function DangerDialog(props: DangerDialogProps) {
  const { isOpen = true, title, confirmLabel, keepLabel, isBusy = false, isDisabled = false } = props;
  const t = useT();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={props.onClose}
      title={title}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={props.onClose}>{keepLabel ?? t('common.cancel')}</Button>
          <Button look="danger" isBusy={isBusy} disabled={isDisabled} onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
