// Erases the own account, after the password.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { useHasPassword } from '../../features/identity/identity-link.query.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PanelFrame } from './panel.tsx';
import { PasswordDialog } from './password-dialog.tsx';

export function ErasePanel() {
  const t = useT();
  const { caller, session } = useServices();
  const [isOpen, setOpen] = useState(false);
  const hasPassword = useHasPassword();
  return (
    <PanelFrame title={t('personal.erase')} lead={t('personal.eraseLead')}>
      <div>
        {hasPassword ? (
          <Button look="danger" onClick={() => setOpen(true)}>
            {t('personal.eraseButton')}
          </Button>
        ) : (
          t('identity.noErase')
        )}
      </div>
      {isOpen && (
        <PasswordDialog
          title={t('personal.eraseTitle')}
          detail={t('personal.eraseLead')}
          action={t('personal.eraseButton')}
          onClose={() => setOpen(false)}
          sayFailure={(failure) => (isFailure(failure, ERROR_CODES.permissionDenied) ? t('personal.eraseLast') : null)}
          onPassword={async (password) => {
            await caller.ask('account/erase', { password }, { showError: false });
            // The session went with the account: here it ends like signing out.
            await session.signOut();
          }}
        />
      )}
    </PanelFrame>
  );
}
