// Asks before a launch replaces the session of another account.
import { DangerDialog } from '../../features/confirm/danger-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import type { ClientParts } from '../client-parts.ts';
import { takeLaunchSession, useLaunchQuestion } from './launch-session.ts';

export function LaunchDialog({ parts }: { readonly parts: ClientParts }) {
  const t = useT();
  const question = useLaunchQuestion((state) => state.question);
  const userName = useAuth((auth) => auth.userName);
  if (question === null) return null;
  const close = (): void => useLaunchQuestion.setState({ question: null });
  const change = (): void => {
    close();
    void takeLaunchSession(parts, question);
  };
  return (
    <DangerDialog
      title={t('client.launchTitle')}
      confirmLabel={t('client.launchChange')}
      keepLabel={t('client.launchKeep')}
      onConfirm={change}
      onClose={close}
    >
      <p>{t('client.launchDetail', { present: userName, wanted: question.signedIn.userName })}</p>
    </DangerDialog>
  );
}
