// What a signed-in page shows about the account itself: maintenance, consent, what others did to it and the question for its password.
import { useAuth } from '../../session/auth-store.ts';
import { StepUpDialog } from '../step-up/step-up-dialog.tsx';
import { AccountNotices } from './account-notices.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { MaintenanceTip } from './maintenance-tip.tsx';

export function AccountWatcher() {
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return (
    <>
      {isSignedIn && <MaintenanceTip />}
      {isSignedIn && <ConsentDialog />}
      {isSignedIn && <AccountNotices />}
      <StepUpDialog />
    </>
  );
}
