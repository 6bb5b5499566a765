// Links the account to a directory: the name and the password of its user are typed here, as on the sign-in page.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, useId, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useLinkDirectory } from '../../features/identity/identity-link.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import style from './dialogs.module.css';

export interface LinkDirectoryDialogProps {
  readonly providerId: string;
  readonly providerName: string;
  readonly onClose: () => void;
}

const BLANK = { userName: '', password: '', isTried: false, isBusy: false, failure: null as unknown };

export function LinkDirectoryDialog({ providerId, providerName, onClose }: LinkDirectoryDialogProps) {
  const t = useT();
  const link = useLinkDirectory();
  const formId = useId();
  const [state, setState] = useState(BLANK);
  const change = (part: Partial<typeof BLANK>): void => setState((before) => ({ ...before, ...part }));
  const { password, isTried, failure } = state;
  const userName = state.userName.trim();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const isWhole = userName !== '' && password !== '';
    change({ isTried: true, isBusy: isWhole, failure: null });
    if (!isWhole) return;
    try {
      await link({ providerId, userName, password });
      showToast('success', t('identity.linked'));
      onClose();
    } catch (thrown) {
      change({ password: '', isTried: false, isBusy: false, failure: thrown });
    }
  };
  const isWrong = isFailure(failure, ERROR_CODES.userPWDIncorrect);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('directory.linkTitle', { name: providerName })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" form={formId} isBusy={state.isBusy}>
            {t('identity.link')}
          </Button>
        </>
      }
    >
      <form id={formId} className={style.fields} onSubmit={(event) => void submit(event)} noValidate>
        <p>{t('directory.linkLead')}</p>
        <TextField
          label={t('directory.nameAttribute')}
          // Not the name of this account, which browsers would fill in.
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          data-autofocus
          value={state.userName}
          onValue={(text) => change({ userName: text })}
          error={isTried && userName === '' ? t('directory.linkNameRequired') : null}
        />
        <PasswordField
          label={t('directory.linkPassword')}
          autoComplete="off"
          maxLength={128}
          revealLabel={t('common.showPassword')}
          value={password}
          onValue={(text) => change({ password: text })}
          error={isTried && password === '' ? t('login.passwordRequired') : null}
        />
        {failure !== null && (
          <Notice tone="error">{isWrong ? t('directory.linkWrong') : failureText(t, failure)}</Notice>
        )}
      </form>
    </Dialog>
  );
}
