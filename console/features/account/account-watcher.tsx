// What a signed-in page shows about the account itself: maintenance, consent, the theme dialog.
import { useAuth } from '../../session/auth-store.ts';
import { ThemeDialog } from '../theme/theme-dialog.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { MaintenanceTip } from './maintenance-tip.tsx';

export function AccountWatcher() {
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return (
    <>
      <ThemeDialog />
      {isSignedIn && <MaintenanceTip />}
      {isSignedIn && <ConsentDialog />}
    </>
  );
}
