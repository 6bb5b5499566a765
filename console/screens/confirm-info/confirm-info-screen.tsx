// /oauth2/confirmInfo: an app asks to act for the account; the answer leads back to the app (RT-07, OA-01).
import { useMutation, useQuery } from '@tanstack/react-query';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { Navigate, useLocation } from 'react-router';
import { isFailure } from '../../calls/call-failure.ts';
import { type AppChoice, AppConsent } from '../../features/app-consent/app-consent.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ConfirmLaunch } from './confirm-launch.tsx';
import { EndedRequest, LoadingRequest } from './request-states.tsx';

function useQuestion(interactionId: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['oauth/interaction/get', interactionId],
    queryFn: ({ signal }) => caller.ask('oauth/interaction/get', { interactionId }, { signal, showError: false }),
    enabled: interactionId !== '',
    retry: false,
    // Answered, it is gone: nothing is asked about it again.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Null refuses. The browser leaves the console with the answer. */
function useAnswer(interactionId: string) {
  const caller = useCaller();
  return useMutation({
    mutationFn: async (choice: AppChoice | null) => {
      const { redirectUrl } = await (choice === null
        ? caller.ask('oauth/interaction/abort', { interactionId }, { showError: false })
        : caller.ask('oauth/interaction/confirm', { interactionId, ...choice }, { showError: false }));
      window.location.assign(redirectUrl);
    },
  });
}

export function ConfirmInfoScreen() {
  const { search } = useLocation();
  const interactionId = new URLSearchParams(search).get('interaction') ?? '';
  const { authCode, token } = useClientState(({ saas }) => saas);
  if (interactionId === '' && token !== '') return <Navigate to={PATHS.liveVideo} replace />;
  if (interactionId === '' && authCode !== '') return <ConfirmLaunch authCode={authCode} />;
  return <ConfirmInteraction interactionId={interactionId} search={search} />;
}

interface ConfirmInteractionProps {
  readonly interactionId: string;
  readonly search: string;
}

function ConfirmInteraction({ interactionId, search }: ConfirmInteractionProps) {
  const t = useT();
  const { accessToken, userName } = useAuth();
  const asked = useQuestion(interactionId);
  const answer = useAnswer(interactionId);
  if (accessToken === '') return <Navigate to={`${PATHS.trustLogin}${search}`} replace />;
  const failure = answer.error ?? asked.error;
  if (interactionId === '' || isFailure(failure, ERROR_CODES.notFound)) {
    return <EndedRequest />;
  }
  const question = asked.data;
  if (question === undefined) return <LoadingRequest failure={failure} onRetry={() => void asked.refetch()} />;
  const isUnapproved = isFailure(answer.error, ERROR_CODES.permissionDenied);
  return (
    <SignInFrame
      title={t('apps.confirmTitle', { app: question.appName })}
      lead={t('apps.confirmLead', { account: userName, owner: question.ownerName })}
    >
      {isUnapproved && <Notice tone="warning">{t('apps.unapproved')}</Notice>}
      <AppConsent
        question={question}
        // Done, the page is on its way out.
        isBusy={answer.isPending || answer.isSuccess}
        failure={isUnapproved ? null : answer.error}
        onAllow={(choice) => answer.mutate(choice)}
        onRefuse={() => answer.mutate(null)}
      />
    </SignInFrame>
  );
}
