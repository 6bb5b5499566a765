// The error boundary of routes: a screen that fails takes neither the shell nor the session with it.
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { useT } from '../language/use-t.ts';
import { Button } from '../ui/buttons/button.tsx';
import { StateView } from '../ui/feedback/state-view.tsx';

/** A new release has other chunk names: an old page can't load its next screen. */
function isChunkFailure(failure: unknown): boolean {
  return failure instanceof Error && /dynamically imported module|module script/i.test(failure.message);
}

export function PageFailure({ isWhole = false }: { readonly isWhole?: boolean }) {
  const t = useT();
  const failure = useRouteError();
  useEffect(() => console.error(failure), [failure]);
  return (
    <main style={{ height: isWhole ? '100vh' : '100%', flex: 1 }}>
      <StateView
        role="alert"
        icon={<IconAlertTriangle size={20} stroke={1.6} />}
        title={t(isChunkFailure(failure) ? 'error.chunk' : 'error.screen')}
        detail={t('error.screenDetail')}
        action={<Button onClick={() => window.location.reload()}>{t('error.reload')}</Button>}
      />
    </main>
  );
}
