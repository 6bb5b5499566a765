// What opens first: the page that the account has chosen, live view where it has chosen none or cannot be asked.
import type { HomePage } from '@vedette/contract/enumerations.ts';
import { Navigate } from 'react-router';
import { useProfile } from '../features/account/account.query.ts';
import { CARDS_ADDRESS, OVERVIEW_ADDRESS, PATHS } from '../navigation/paths.ts';
import { useAuth } from '../session/auth-store.ts';
import { LoadingPage } from './loading-page.tsx';

const ADDRESSES: Readonly<Record<HomePage, string>> = {
  live: PATHS.liveVideo,
  overview: OVERVIEW_ADDRESS,
  cards: CARDS_ADDRESS,
  playback: PATHS.container,
  alarms: PATHS.alarmMsg,
};

export function FirstPage() {
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const { data, isPending } = useProfile();
  if (isSignedIn && isPending) return <LoadingPage />;
  return <Navigate to={ADDRESSES[data?.homePage ?? 'live']} replace />;
}
