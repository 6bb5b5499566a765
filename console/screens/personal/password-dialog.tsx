// Asks for the own password before something that matters.
import { useState } from 'react';
import { DangerDialog } from '../../features/confirm/danger-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField } from '../../ui/fields/text-field.tsx';
import { passwordFailure } from './bind-dialog.tsx';
import style from './dialogs.module.css';

export interface PasswordDialogProps {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  readonly onClose: () => void;
  /** Rejects with the failure that is then shown. */
  readonly onPassword: (password: string) => Promise<void>;
  /** Words for failures that mean something else here. */
  readonly sayFailure?: (failure: unknown) => string | null;
}

export function PasswordDialog({ title, detail, action, onClose, onPassword, sayFailure }: PasswordDialogProps) {
  const t = useT();
  const [state, setState] = useState({ password: '', isTried: false, isBusy: false, failure: null as unknown });
  const submit = async (): Promise<void> => {
    const { password } = state;
    setState({ password, isTried: true, isBusy: password !== '', failure: null });
    if (password === '') return;
    try {
      await onPassword(password);
    } catch (failure) {
      setState({ password: '', isTried: false, isBusy: false, failure });
    }
  };
  const { failure } = state;
  return (
    <DangerDialog
      title={title}
      confirmLabel={action}
      isBusy={state.isBusy}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      <div className={style.fields}>
        <p>{detail}</p>
        <PasswordField
          label={t('personal.yourPassword')}
          autoComplete="current-password"
          revealLabel={t('common.showPassword')}
          value={state.password}
          onValue={(password) => setState((before) => ({ ...before, password }))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void submit();
          }}
          error={state.isTried && state.password === '' ? t('login.passwordRequired') : null}
        />
        {failure !== null && <Notice tone="error">{sayFailure?.(failure) ?? passwordFailure(t, failure)}</Notice>}
      </div>
    </DangerDialog>
  );
}
