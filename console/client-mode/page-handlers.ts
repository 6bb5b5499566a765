// What a shell asks of the page as a whole: language, colour, windows, signing out, and what the page is.
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { WINDOW_STATUS } from '@vedette/contract/enumerations.ts';
import { accentOf } from '@vedette/rules/theme.ts';
import { saveLanguage, saveTheme } from '../features/preferences/account-preferences.ts';
import { LANGUAGE_TAG } from '../language/language-store.ts';
import { accountStatus } from '../session/auth-store.ts';
import { useClientState } from '../session/client-state.ts';
import { readTheme } from '../ui/theme/theme-choice.ts';
import { refuse } from './ask-server.ts';
import type { ClientParts } from './client-parts.ts';
import { currentWindow, openScreen, SHELL_WINDOWS, setWindowStatus } from './shell-windows.ts';

/** 0 simplified Chinese, 1 English: that of the whole pack behind a further language. */
export function currentLang(): 0 | 1 {
  return useClientState.getState().globalLanguage === 0 ? 0 : 1;
}

/** `topics`: what the page answers. */
export function pageHandlers({ caller, session, router }: ClientParts, topics: () => readonly string[]) {
  return {
    'language/get': () => ({ lang: currentLang() }),
    'language/update': async ({ lang }) => {
      const tag = LANGUAGE_TAG[lang];
      if (tag !== undefined) await saveLanguage(caller, tag);
      return { lang: currentLang() };
    },
    'theme/update': async ({ colour }) => {
      const accent = accentOf(colour) ?? refuse('colour', 'format');
      await saveTheme(caller, { ...readTheme(), accent });
      return {};
    },
    'window/update': async ({ window, status }) => {
      const opened = await router;
      if (status === WINDOW_STATUS.display) {
        setWindowStatus(status);
        // Its code may have to be loaded: the shell learns by `window/current` when it is there.
        void openScreen(opened, SHELL_WINDOWS[window]);
      } else if (currentWindow(opened) === window) setWindowStatus(status);
      return {};
    },
    'account/operate': ({ status }) => {
      // The shell learns the end by `account/status`.
      void session.operate(status);
      return {};
    },
    'system/info': () => ({
      version: useClientState.getState().environment.currentVersion,
      lang: currentLang(),
      accountStatus: accountStatus(),
      topics: [...topics()],
    }),
  } satisfies Handlers<WebTopics>;
}
