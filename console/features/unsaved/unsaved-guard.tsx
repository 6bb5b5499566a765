// Asks before what was changed and not saved is left.
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { DangerDialog } from '../confirm/danger-dialog.tsx';

export function UnsavedGuard({ hasChanges }: { readonly hasChanges: boolean }) {
  const t = useT();
  const blocker = useBlocker(hasChanges);
  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  return (
    <DangerDialog
      isOpen={blocker.state === 'blocked'}
      title={t('config.leaveTitle')}
      confirmLabel={t('config.leave')}
      keepLabel={t('config.stay')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('config.leaveText')}
    </DangerDialog>
  );
}
