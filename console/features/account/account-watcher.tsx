// What a signed-in page shows about the account itself: maintenance, consent, what others did to it, the question for its password, the theme dialog.
import { useAuth } from '../../session/auth-store.ts';
import { ThemeDialog } from '../theme/theme-dialog.tsx';
import { StepUpDialog } from '../step-up/step-up-dialog.tsx';
import { AccountNotices } from './account-notices.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { MaintenanceTip } from './maintenance-tip.tsx';

export function AccountWatcher() {
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return (
    <>
      <ThemeDialog />
      {isSignedIn && <MaintenanceTip />}
      {isSignedIn && <ConsentDialog />}
      {isSignedIn && <AccountNotices />}
      <StepUpDialog />
    </>
  );
}
