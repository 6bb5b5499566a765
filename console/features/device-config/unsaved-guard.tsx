// Asks before what was changed and not saved is left.
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export function UnsavedGuard({ hasChanges }: { readonly hasChanges: boolean }) {
  const t = useT();
  const blocker = useBlocker(hasChanges);
  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  const stay = (): void => blocker.reset?.();
  return (
    <Dialog
      isOpen={blocker.state === 'blocked'}
      onClose={stay}
      title={t('config.leaveTitle')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={stay}>{t('config.stay')}</Button>
          <Button look="danger" onClick={() => blocker.proceed?.()}>
            {t('config.leave')}
          </Button>
        </>
      }
    >
      {t('config.leaveText')}
    </Dialog>
  );
}
