// Removes a bound contact, with the password.
import { useState } from 'react';
import { useTakeProfile } from '../../features/account/account.query.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { PasswordDialog } from './password-dialog.tsx';

export interface UnbindDialogProps {
  readonly kind: 'email' | 'phone';
  readonly contact: string;
  readonly onClose: () => void;
}

export function UnbindDialog({ kind, contact, onClose }: UnbindDialogProps) {
  const t = useT();
  const caller = useCaller();
  const take = useTakeProfile();
  const [shown] = useState(contact);
  return (
    <PasswordDialog
      title={t('personal.unbindTitle')}
      detail={t('personal.unbindDetail', { contact: shown })}
      action={t('personal.unbind')}
      onClose={onClose}
      onPassword={async (password) => {
        take(await caller.ask('account/contact/unbind', { kind, password }, { showError: false }));
        onClose();
      }}
    />
  );
}
