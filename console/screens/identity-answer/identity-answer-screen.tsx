// /signIn/provider: where an identity provider sends the browser back to; signs in, links the account, or hands the answer to the page or the native client that waits.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { handAnswerOver } from '../../session/identity-channel.ts';
import { fetchPreferences } from '../../features/preferences/account-preferences.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import account from '../../features/verify-code/account-form.module.css';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { afterSignIn } from '../../services/navigation-guard.ts';
import { useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { type IdentityAnswer, takeTarget, useIdentityAnswer } from '../../session/identity-answer.ts';
import { leaveForClient } from '../../session/waiting-client.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';

const LINKS_ADDRESS = `${PATHS.personalContainer}?tab=identity`;
const GOING_ON: Readonly<Record<IdentityAnswer['purpose'], PlainKey>> = {
  signIn: 'identity.goingOn',
  link: 'identity.linking',
  proof: 'identity.mayClose',
  client: 'identity.handingOver',
};

/** Each answer is handed in once, whatever React does with the component. */
function useAnswer(answer: IdentityAnswer | null): unknown {
  const t = useT();
  const { caller, session } = useServices();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  const handled = useRef<IdentityAnswer | null>(null);
  useEffect(() => {
    if (answer === null || handled.current === answer) return;
    handled.current = answer;
    const { providerId, parameters, purpose } = answer;
    const signIn = async (): Promise<void> => {
      const input = { providerId, parameters, browserId: browserId() };
      const signedIn: SignedIn = await caller.ask('identity/signIn/finish', input, { showError: false });
      session.signIn(signedIn);
      await navigate(afterSignIn(takeTarget()), { replace: true });
      await fetchPreferences(caller);
    };
    const link = async (): Promise<void> => {
      await caller.ask('identity/link/finish', { providerId, parameters }, { showError: false });
      showToast('success', t('identity.linked'));
      await navigate(LINKS_ADDRESS, { replace: true });
    };
    const handOver = async (): Promise<void> => {
      handAnswerOver(answer);
      window.close();
    };
    const handToClient = async (): Promise<void> => {
      const { ticket } = await caller.ask('identity/signIn/handOver', { providerId, parameters }, { showError: false });
      leaveForClient(ticket);
    };
    const work = { signIn, link, proof: handOver, client: handToClient }[purpose];
    work().catch((error: unknown) => setFailure(error));
  }, [answer, caller, session, navigate, t]);
  return failure;
}

export function IdentityAnswerScreen() {
  const t = useT();
  const answer = useIdentityAnswer((state) => state.answer);
  const failure = useAnswer(answer);
  const purpose = answer?.purpose ?? 'signIn';
  if (failure !== null || answer === null) {
    return (
      <FailedAnswer
        isLink={purpose === 'link'}
        text={answer === null ? t('reason_identityExpired') : failureText(t, failure)}
      />
    );
  }
  return (
    <SignInFrame title={t('login.title')} lead={t(GOING_ON[purpose])}>
      {null}
    </SignInFrame>
  );
}

function FailedAnswer({ isLink, text }: { readonly isLink: boolean; readonly text: string }) {
  const t = useT();
  return (
    <SignInFrame title={t(isLink ? 'identity.linkFailedTitle' : 'identity.failedTitle')} lead="">
      <Notice tone="error">{text}</Notice>
      <Link className={account.back ?? ''} to={isLink ? LINKS_ADDRESS : PATHS.login}>
        {t(isLink ? 'identity.toAccount' : 'identity.toLogin')}
      </Link>
    </SignInFrame>
  );
}
