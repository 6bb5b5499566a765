// A form in the inspector: saving with what was refused in sight, and deleting after a question.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type ReactNode, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';

export interface Deletion {
  /** Of the button, before and in the question. */
  readonly label: string;
  readonly title: string;
  readonly detail: string;
  readonly run: () => Promise<unknown>;
}

export interface EditingInspectorProps {
  readonly title: string;
  /** null: it is not there yet. */
  readonly deletion: Deletion | null;
  readonly canSave: boolean;
  readonly save: () => Promise<unknown>;
  readonly savedText: string;
  /** Brings the lists that show it up to date. */
  readonly fetchAgain: () => Promise<unknown>;
  readonly onClose: () => void;
  /** A failure that the fields tell themselves. */
  readonly isToldAtField?: (failure: unknown) => boolean;
  readonly children: (failure: unknown) => ReactNode;
}

export function EditingInspector(props: EditingInspectorProps) {
  const { title, deletion, canSave, fetchAgain, onClose, isToldAtField = () => false, children } = props;
  const t = useT();
  const [{ isBusy, failure }, setState] = useState<{ isBusy: boolean; failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  const [isDeleting, setDeleting] = useState(false);
  async function save(): Promise<void> {
    setState({ isBusy: true, failure: null });
    try {
      await props.save();
      await fetchAgain();
      showToast('success', props.savedText);
      onClose();
    } catch (error) {
      setState({ isBusy: false, failure: error });
      if (isFailure(error, ERROR_CODES.stale)) await fetchAgain();
    }
  }
  return (
    <Inspector
      title={title}
      closeLabel={t('common.close')}
      onClose={onClose}
      isFocused
      footer={
        <>
          {deletion !== null && (
            <Button look="quiet" onClick={() => setDeleting(true)}>
              {deletion.label}
            </Button>
          )}
          <Button look="primary" isBusy={isBusy} disabled={!canSave} onClick={() => void save()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      {children(failure)}
      {failure !== null && !isToldAtField(failure) && (
        <Notice tone={isFailure(failure, ERROR_CODES.stale) ? 'warning' : 'error'}>{failureText(t, failure)}</Notice>
      )}
      {isDeleting && deletion !== null && (
        <ConfirmDialog
          title={deletion.title}
          detail={deletion.detail}
          confirmLabel={deletion.label}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await deletion.run();
            await fetchAgain();
            onClose();
          }}
        />
      )}
    </Inspector>
  );
}
