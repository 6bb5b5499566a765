// /retrievePwd: a code to the account's contact, then a new password (RT-04).
import account from '../../features/verify-code/account-form.module.css';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { verificationCodeProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import {
  isNewPasswordGood,
  type NewPassword,
  NewPasswordFields,
  NO_PASSWORD,
} from '../../features/password/new-password-fields.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { CodeField } from '../../features/verify-code/code-field.tsx';
import { ContactStep } from '../../features/verify-code/contact-step.tsx';
import { useResend } from '../../features/verify-code/use-resend.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

interface PasswordStepProps {
  readonly target: string;
  readonly left: number;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function PasswordStep({ target, left, onBack, onDone }: PasswordStepProps) {
  const t = useT();
  const caller = useCaller();
  const [verifyCode, setVerifyCode] = useState('');
  const [wish, setWish] = useState<NewPassword>(NO_PASSWORD);
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const isGood = verificationCodeProblem(verifyCode) === null && isNewPasswordGood(wish);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      const input = { target, verifyCode, password: wish.password };
      await caller.ask('account/password/retrieve', input, { showError: false });
      onDone();
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  }
  const isWrongCode = isFailure(state.failure, ERROR_CODES.verifyCodeWrong);
  return (
    <form className={account.form} onSubmit={submit} noValidate>
      <Notice tone="info">{t('account.codeSent', { target })}</Notice>
      <CodeField
        value={verifyCode}
        onValue={setVerifyCode}
        isTried={state.isTried}
        left={left}
        onResend={onBack}
        isLarge
        failure={isWrongCode ? failureText(t, state.failure) : null}
      />
      <NewPasswordFields
        value={wish}
        onValue={(part) => setWish((before) => ({ ...before, ...part }))}
        isTried={state.isTried}
        label={t('personal.newPassword')}
        isLarge
      />
      {state.failure !== null && !isWrongCode && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
        {t('retrieve.submit')}
      </Button>
    </form>
  );
}

export function RetrievePwdScreen() {
  const t = useT();
  const navigate = useNavigate();
  const { data: offer } = useServerOffer();
  const [target, setTarget] = useState('');
  const [isSent, setSent] = useState(false);
  const { left, start } = useResend();
  return (
    <SignInFrame title={t('retrieve.title')} lead={t(isSent ? 'retrieve.leadTwo' : 'retrieve.lead')}>
      {offer?.codeTargets.length === 0 ? (
        <Notice tone="info">{t('account.notOffered')}</Notice>
      ) : isSent ? (
        <PasswordStep
          target={target.trim()}
          left={left}
          onBack={() => setSent(false)}
          onDone={() => navigate(PATHS.login, { replace: true, state: { hasNewPassword: true } })}
        />
      ) : (
        <ContactStep
          purpose="retrieve"
          target={target}
          onTarget={setTarget}
          left={left}
          onWait={start}
          onSent={(seconds) => {
            start(seconds);
            setSent(true);
          }}
        />
      )}
      <Link className={account.back ?? ''} to={PATHS.login}>
        {t('account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
