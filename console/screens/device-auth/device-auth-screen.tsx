// /oauth2/deviceAuth: an account enters the code that a device shows, and allows or refuses the app on it (RT-07, OA-02).
import { useMutation } from '@tanstack/react-query';
import type { AppQuestion } from '@vedette/contract/calls/oauth.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { type AppChoice, AppConsent } from '../../features/app-consent/app-consent.tsx';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './device-auth-screen.module.css';

interface Asked {
  readonly userCode: string;
  readonly question: AppQuestion;
}

export function DeviceAuthScreen() {
  const t = useT();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const [asked, setAsked] = useState<Asked | null>(null);
  if (isSignedIn && asked !== null) return <DeviceQuestion asked={asked} />;
  return (
    <SignInFrame title={t('apps.deviceTitle')} lead={t('apps.deviceLead')}>
      {isSignedIn ? <CodeForm onAsked={setAsked} /> : <SignInForm />}
    </SignInFrame>
  );
}

function CodeForm({ onAsked }: { readonly onAsked: (asked: Asked) => void }) {
  const t = useT();
  const caller = useCaller();
  const { search } = useLocation();
  const [userCode, setUserCode] = useState(() => new URLSearchParams(search).get('userCode')?.slice(0, 32) ?? '');
  const ask = useMutation({
    mutationFn: async () => {
      const question = await caller.ask('oauth/device/get', { userCode }, { showError: false });
      onAsked({ userCode, question });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (userCode.trim() !== '') ask.mutate();
  };
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <TextField
        label={t('apps.userCode')}
        value={userCode}
        onValue={setUserCode}
        maxLength={32}
        autoFocus
        isLarge
        autoComplete="off"
        spellCheck={false}
        placeholder="ABCD-EFGH"
      />
      {ask.error !== null && <Notice tone="error">{codeFailure(t, ask.error)}</Notice>}
      <Button type="submit" look="primary" size="large" isWide isBusy={ask.isPending}>
        {t('apps.next')}
      </Button>
    </form>
  );
}

function codeFailure(t: ReturnType<typeof useT>, failure: unknown): string {
  if (isFailure(failure, ERROR_CODES.notFound)) return t('apps.codeWrong');
  return isFailure(failure, ERROR_CODES.permissionDenied) ? t('apps.unapproved') : failureText(t, failure);
}

function DeviceQuestion({ asked: { userCode, question } }: { readonly asked: Asked }) {
  const t = useT();
  const caller = useCaller();
  const userName = useAuth((auth) => auth.userName);
  const app = question.appName;
  const answer = useMutation({
    mutationFn: async (choice: AppChoice | null) => {
      const input = { userCode, isAllowed: choice !== null, ...choice };
      await caller.ask('oauth/device/confirm', input, { showError: false });
      return choice !== null;
    },
  });
  if (answer.data !== undefined) {
    return (
      <SignInFrame title={t('apps.deviceTitle')} lead="">
        <Notice tone="info">{t(answer.data ? 'apps.deviceAllowed' : 'apps.deviceRefused', { app })}</Notice>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={t('apps.confirmTitle', { app })}
      lead={t('apps.confirmLead', { account: userName, owner: question.ownerName })}
    >
      <AppConsent
        question={question}
        isBusy={answer.isPending}
        failure={answer.error}
        onAllow={(choice) => answer.mutate(choice)}
        onRefuse={() => answer.mutate(null)}
      />
    </SignInFrame>
  );
}
