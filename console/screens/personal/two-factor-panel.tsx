// Two-factor authentication: enabled by an authenticator or by messages, recovery codes shown once, disabled (PM-07).
import type { TwoFactorMethod } from '@vedette/contract/calls/account.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useProfileAgain } from '../../features/account/account.query.ts';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { useHasPassword } from '../../features/identity/identity-link.query.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { EnableTwoFactor } from './enable-two-factor.tsx';
import { PanelFrame, type PanelProps, PanelRow } from './panel.tsx';
import { RecoveryDialog } from './recovery-dialog.tsx';

type Prepared = CallOutput<'account/twofactor/begin'> & { readonly method: TwoFactorMethod };

export function TwoFactorPanel({ profile }: PanelProps) {
  const t = useT();
  const caller = useCaller();
  const again = useProfileAgain();
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [isDisabling, setDisabling] = useState(false);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const done = async (): Promise<void> => {
    setPrepared(null);
    setDisabling(false);
    await again();
  };
  const renew = async (): Promise<void> => {
    try {
      setRecoveryCodes((await caller.ask('account/twofactor/recovery', {}, { showError: false })).recoveryCodes);
    } catch (failure) {
      showToast('error', failureText(t, failure));
    }
  };
  const { secondFactor } = profile;
  const hasPassword = useHasPassword();
  return (
    <PanelFrame title={t('personal.factor')} lead={t('personal.factorLead')}>
      <ul className={rows.list}>
        <PanelRow name={factorText(t, profile, hasPassword)}>
          {secondFactor !== null && (
            <>
              <Button onClick={() => void renew()}>{t('personal.recoveryRenew')}</Button>
              <Button onClick={() => setDisabling(true)}>{t('personal.disable')}</Button>
            </>
          )}
          {secondFactor === null && prepared === null && <Begin profile={profile} onPrepared={setPrepared} />}
        </PanelRow>
      </ul>
      {secondFactor === null && prepared !== null && (
        <EnableTwoFactor
          prepared={prepared}
          account={profile.userName}
          onCancel={() => setPrepared(null)}
          onEnabled={(codes) => {
            setRecoveryCodes(codes);
            void done();
          }}
        />
      )}
      {secondFactor !== null && isDisabling && (
        <ConfirmDialog
          title={t('personal.disableTitle')}
          detail={t('personal.disableLead')}
          confirmLabel={t('personal.disable')}
          onConfirm={async () => {
            await caller.ask('account/twofactor/disable', {}, { showError: false });
            await done();
          }}
          onClose={() => setDisabling(false)}
        />
      )}
      {recoveryCodes !== null && <RecoveryDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(null)} />}
    </PanelFrame>
  );
}

function factorText(t: Translate, { secondFactor, email, phone }: PanelProps['profile'], hasPassword: boolean): string {
  if (secondFactor === null) return t(hasPassword ? 'personal.factorOff' : 'personal.factorElsewhere');
  if (secondFactor === 'totp') return t('personal.factorTotp');
  return t('personal.factorMessage', { target: email === '' ? phone : email });
}

interface BeginProps extends PanelProps {
  readonly onPrepared: (prepared: Prepared) => void;
}

/** Codes by message need a bound contact that the server can reach. */
function Begin({ profile, onPrepared }: BeginProps) {
  const t = useT();
  const caller = useCaller();
  const { data: offer } = useServerOffer();
  const kind = profile.email === '' ? 'phone' : 'email';
  const canMessage = profile[kind] !== '' && offer?.codeTargets.includes(kind) === true;
  const begin = async (method: TwoFactorMethod): Promise<void> => {
    try {
      onPrepared({ ...(await caller.ask('account/twofactor/begin', { method }, { showError: false })), method });
    } catch (failure) {
      showToast('error', failureText(t, failure));
    }
  };
  return (
    <>
      {canMessage && <Button onClick={() => void begin('message')}>{t('personal.useMessage')}</Button>}
      <Button look="primary" onClick={() => void begin('totp')}>
        {t('personal.useTotp')}
      </Button>
    </>
  );
}
