// Language, theme and time format as the account keeps them: shown after sign-in, and told to the server when the user chooses another.
import type { Profile } from '@vedette/contract/calls/account.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { ShownTag } from '@vedette/phrases/pack.ts';
import { parseTheme, themeText } from '@vedette/rules/theme.ts';
import type { TimePreference } from '@vedette/rules/time-format.ts';
import { NetworkFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import {
  chooseLanguage,
  LANGUAGE_NUMBER,
  LANGUAGE_TAG,
  preferredLanguage,
  wholeLanguage,
} from '../../language/language-store.ts';
import { fetchStylesheet, showTheme, type Theme } from '../../ui/theme/theme-choice.ts';
import { hasSession, useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';

/** What the account never chose stays as this browser has it, and so does a further language: an account keeps the whole one behind it. */
export async function showPreferences({ language, theme }: Pick<Profile, 'language' | 'theme'>): Promise<void> {
  if (theme !== null) showTheme(parseTheme(theme));
  const tag = language === null ? undefined : LANGUAGE_TAG[language];
  if (tag === undefined) return;
  const here = preferredLanguage();
  await chooseLanguage(wholeLanguage(here) === tag ? here : tag);
}

/** After sign-in; without an answer the page goes on as it is. */
export async function fetchPreferences(caller: Caller): Promise<void> {
  const { accessToken } = useAuth.getState();
  try {
    const answer = await caller.send('account/info', {}, { showError: false });
    // Signed out meanwhile, or somebody else in.
    if (answer.code !== 200 || useAuth.getState().accessToken !== accessToken) return;
    const { homeLayout, dateOrder, clockHours } = answer.data;
    useClientState.setState({ homeLayout: homeLayout ?? '', timePreference: { dateOrder, clockHours } });
    await showPreferences(answer.data);
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
  }
}

export async function saveLanguage(caller: Caller, tag: ShownTag): Promise<void> {
  await chooseLanguage(tag);
  await keep(caller, { language: LANGUAGE_NUMBER[wholeLanguage(tag)] });
}

export async function saveTheme(caller: Caller, theme: Theme): Promise<void> {
  showTheme(theme);
  void fetchStylesheet();
  await keep(caller, { theme: themeText(theme) });
}

export async function saveTimeFormat(caller: Caller, change: Partial<TimePreference>): Promise<void> {
  useClientState.setState(({ timePreference }) => ({ timePreference: { ...timePreference, ...change } }));
  await keep(caller, change);
}

/** The choice holds in this browser whatever the server says. */
async function keep(caller: Caller, change: CallInput<'account/update'>): Promise<void> {
  if (!hasSession()) return;
  await caller.send('account/update', change, { showError: false }).catch((failure: unknown) => {
    if (!(failure instanceof NetworkFailure)) throw failure;
  });
}
