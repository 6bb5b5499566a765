// Asks before changes that were not saved are lost: by another page, another device, a closed panel or a closed window.
import { useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { DangerDialog } from '../confirm/danger-dialog.tsx';
import { askToLeave, useUnsavedStore } from './unsaved-store.ts';

/** Words of the address that say what a form is about; filters and sorting lose nothing. */
const SUBJECTS = ['device', 'channel', 'section', 'add'] as const;

function isOtherSubject(from: Location, to: Location): boolean {
  if (from.pathname !== to.pathname) return true;
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)];
  return SUBJECTS.some((word) => before.get(word) !== after.get(word));
}

/** Stands once in the shell: a router takes one blocker. */
export function UnsavedGuard() {
  const t = useT();
  const hasChanges = useUnsavedStore((state) => state.forms.size > 0);
  const waiting = useUnsavedStore((state) => state.waiting);
  // Whoever was signed out leaves without a question.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      useUnsavedStore.getState().forms.size > 0 &&
      useAuth.getState().accessToken !== '' &&
      isOtherSubject(currentLocation, nextLocation),
  );
  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  const leave = (): void => {
    askToLeave(null);
    if (blocker.state === 'blocked') blocker.proceed();
    else waiting?.();
  };
  const stay = (): void => {
    askToLeave(null);
    blocker.reset?.();
  };
  if (blocker.state !== 'blocked' && waiting === null) return null;
  // Mounted only to ask: dialogs lie in the order of their mounting, and this one belongs above the form.
  return (
    <DangerDialog
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.leave')}
      keepLabel={t('unsaved.stay')}
      onConfirm={leave}
      onClose={stay}
    >
      {t('unsaved.text')}
    </DangerDialog>
  );
}
