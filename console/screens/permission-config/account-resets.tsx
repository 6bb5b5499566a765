// For an account that lost its password or second factor: a link that goes to its address or is handed over, and switching the factor off.
import type { User } from '@vedette/contract/calls/user.ts';
import { useState } from 'react';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { isFailure } from '../../calls/call-failure.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { LinkAddress } from '../../features/link-address/link-address.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './permission-config-screen.module.css';

export interface AccountResetsProps {
  readonly user: User;
  /** A sub-account of the caller: nothing is closed by its reset. */
  readonly isOwn: boolean;
}

export function AccountResets({ user, isOwn }: AccountResetsProps) {
  const t = useT();
  const caller = useCaller();
  const [asked, setAsked] = useState<'password' | 'factor' | null>(null);
  const [handed, setHanded] = useState<{ readonly link: string; readonly expiresAt: number } | null>(null);
  const { userId, userName: name } = user;
  const reset = async (): Promise<void> => {
    const { token, sentTo, expiresAt } = await caller.ask('user/password/reset', { userId }, { showError: false });
    if (token === '') return showToast('success', t('perm.resetSent', { target: sentTo }));
    const link = `${PATHS.resetPwd}#${new URLSearchParams({ reset: token })}`;
    setHanded({ link, expiresAt });
  };
  return (
    <div className={style.state}>
      <span>{t('perm.lost')}</span>
      <Button onClick={() => setAsked('password')}>{t('perm.resetPassword')}</Button>
      <Button onClick={() => setAsked('factor')}>{t('perm.resetFactor')}</Button>
      {asked === 'password' && (
        <ConfirmDialog
          title={t('perm.resetPasswordTitle', { name })}
          detail={t(isOwn ? 'perm.resetOwnDetail' : 'perm.resetPasswordDetail')}
          confirmLabel={t('perm.resetPassword')}
          onConfirm={reset}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'factor' && (
        <ConfirmDialog
          title={t('perm.resetFactorTitle', { name })}
          detail={t('perm.resetFactorDetail')}
          confirmLabel={t('perm.resetFactor')}
          done={t('perm.factorReset', { name })}
          onConfirm={() => caller.ask('user/twofactor/reset', { userId }, { showError: false })}
          sayFailure={(failure) => (isFailure(failure, ERROR_CODES.notFound) ? t('perm.noFactor') : null)}
          onClose={() => setAsked(null)}
        />
      )}
      {handed !== null && <HandedLink {...handed} isOwn={isOwn} onClose={() => setHanded(null)} />}
    </div>
  );
}

interface HandedLinkProps {
  readonly link: string;
  readonly expiresAt: number;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function HandedLink({ link, expiresAt, isOwn, onClose }: HandedLinkProps) {
  const t = useT();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('perm.resetLinkTitle')}
      closeLabel={t('common.close')}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('theme.done')}
        </Button>
      }
    >
      <div className={style.form}>
        <p>{t(isOwn ? 'perm.handOwn' : 'perm.handOver')}</p>
        <LinkAddress label={t('perm.resetLink')} link={link} endTime={expiresAt} hint={t('linkAddress.once')} />
      </div>
    </Dialog>
  );
}
