// What stands in place of a question of an app while it is fetched, and when there is none any more.
import { failureText } from '../../calls/failure-text.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';

export function EndedRequest() {
  const t = useT();
  return (
    <SignInFrame title={t('apps.goneTitle')} lead={t('apps.gone')}>
      {null}
    </SignInFrame>
  );
}

export function LoadingRequest({ failure, onRetry }: { readonly failure: unknown; readonly onRetry: () => void }) {
  const t = useT();
  return (
    <SignInFrame title={t('trust.title')} lead="">
      {failure === null ? (
        <SkeletonLines label={t('common.loading')} rows={6} rowHeight={40} />
      ) : (
        <Notice tone="error" action={<Button onClick={onRetry}>{t('common.retry')}</Button>}>
          {failureText(t, failure)}
        </Notice>
      )}
    </SignInFrame>
  );
}
