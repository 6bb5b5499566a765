// The confirmation of a launch (RT-11): opened, the console is the app's on this page; refused, the browser goes back to the app.
import { useMutation, useQuery } from '@tanstack/react-query';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { isFailure } from '../../calls/call-failure.ts';
import { LaunchConsent } from '../../features/app-consent/launch-consent.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { EndedRequest, LoadingRequest } from './request-states.tsx';

function useLaunchQuestion(authCode: string) {
  const { caller } = useServices();
  return useQuery({
    queryKey: ['oauth/launch/get', authCode],
    queryFn: ({ signal }) => caller.ask('oauth/launch/get', { authCode }, { signal, showError: false }),
    retry: false,
    // Answered, it is gone: nothing is asked about it again.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function ConfirmLaunch({ authCode }: { readonly authCode: string }) {
  const t = useT();
  const { caller, session } = useServices();
  const signedInName = useAuth(({ accessToken, userName }) => (accessToken === '' ? '' : userName));
  const state = useClientState(({ saas }) => saas.state);
  const asked = useLaunchQuestion(authCode);
  const open = useMutation({
    mutationFn: async () => {
      const opened = await caller.ask('oauth/launch/confirm', { authCode }, { showError: false });
      // The screen leads on where the console is open.
      session.openSaas(opened, asked.data?.scopeList ?? []);
    },
  });
  const refuse = useMutation({
    mutationFn: async () => {
      const { redirectUrl } = await caller.ask('oauth/launch/abort', { authCode, state }, { showError: false });
      window.location.assign(redirectUrl === '' ? PATHS.trustLogin : redirectUrl);
    },
  });
  const failure = open.error ?? refuse.error;
  if (isFailure(failure ?? asked.error, ERROR_CODES.notFound)) return <EndedRequest />;
  const question = asked.data;
  if (question === undefined) return <LoadingRequest failure={asked.error} onRetry={() => void asked.refetch()} />;
  return (
    <SignInFrame
      title={t('apps.launchTitle', { app: question.appName })}
      lead={t('apps.launchLead', { account: question.accountName, owner: question.ownerName })}
    >
      <LaunchConsent
        question={question}
        signedInName={signedInName}
        isBusy={open.isPending || refuse.isPending || refuse.isSuccess}
        failure={failure}
        onOpen={() => open.mutate()}
        onRefuse={() => refuse.mutate()}
      />
    </SignInFrame>
  );
}
