// The page that the account wants first after sign-in, and choosing another.
import type { HomePage } from '@vedette/contract/enumerations.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useChangeProfile, useProfile } from '../account/account.query.ts';

export interface ChosenHomePage {
  readonly homePage: HomePage;
  readonly choose: (page: HomePage) => Promise<void>;
}

export function useHomePage(): ChosenHomePage {
  const t = useT();
  const { data } = useProfile();
  const change = useChangeProfile();
  return {
    homePage: data?.homePage ?? 'live',
    choose: (homePage) => change({ homePage }).catch((failure: unknown) => showToast('error', failureText(t, failure))),
  };
}
