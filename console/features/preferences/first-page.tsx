// What opens first: the page that the account has chosen, live view where it has chosen none or cannot be asked.
import type { HomePage } from '@vedette/contract/enumerations.ts';
import { Navigate } from 'react-router';
import { useProfile } from '../account/account.query.ts';
import { CARDS_ADDRESS, OVERVIEW_ADDRESS, PATHS } from '../../navigation/paths.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useT } from '../../language/use-t.ts';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';

const ADDRESSES: Readonly<Record<HomePage, string>> = {
  live: PATHS.liveVideo,
  overview: OVERVIEW_ADDRESS,
  cards: CARDS_ADDRESS,
  playback: PATHS.container,
  alarms: PATHS.alarmMsg,
};

export function FirstPage() {
  const t = useT();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const { data, isPending } = useProfile();
  if (isSignedIn && isPending)
    return (
      <main>
        <SkeletonLines label={t('common.loading')} rows={8} rowHeight={44} />
      </main>
    );
  return <Navigate to={ADDRESSES[data?.homePage ?? 'live']} replace />;
}
