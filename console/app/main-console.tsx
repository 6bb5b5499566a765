// Builds the console's long-lived parts for one mode and starts it; the entry files only choose the mode.
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sendToShell } from '../bridge/native-shell.ts';
import type { ClientParts } from '../client-mode/client-parts.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { preferredLanguage, showLanguage } from '../language/language-store.ts';
import { PATHS } from '../navigation/paths.ts';
import { searchAtMoment } from '../navigation/playing-moment.ts';
import { forgetAlarms } from '../realtime/alarm-store.ts';
import { forgetAlarmWindows } from '../realtime/alarm-window-store.ts';
import { forgetReceived } from '../realtime/received-shares.ts';
import { forgetStatus } from '../realtime/status-store.ts';
import type { ConsoleMode } from '../services/services.ts';
import { forgetAuth, hasSession, signedInOf, useAuth } from '../session/auth-store.ts';
import { browserId } from '../session/browser-id.ts';
import { useClientState } from '../session/client-state.ts';
import { resumeRemembered } from '../session/remembered-sign-in.ts';
import { createSession, type Session } from '../session/session.ts';
import { linkSessions, type SessionBroadcastChannel } from '../session/session-link.ts';
import { loadServerConfig } from '../session/server-config.ts';
import { saasToken } from '../session/saas-values.ts';
import { takeLinkSecrets } from '../session/link-secrets.ts';
import { saveState } from '../session/state-storage.ts';
import { type DragChannel, shareDrags } from '../ui/own-drag.ts';
import { startTheme } from '../ui/theme/theme-choice.ts';
import { buildCaller, callerWith } from './build-caller.ts';
import { BUILD_VERSION } from './build-version.ts';
import { ConsoleRoot } from './console-root.tsx';
import { buildRealtime, followSession } from './build-realtime.ts';
import { askForPage, createEmbeddedRouter, createRouter, fetchPage } from './routes.tsx';
import { newQueryClient } from './query-client.ts';

/** How long a new tab waits for another tab's session. */
const TAKE_OVER_MS = 150;

/** What an entry adds. */
export interface ConsoleEntry {
  /** Framed by the page of an app. */
  readonly isEmbedded?: boolean;
  /** Connects page and shell. */
  readonly connect?: (parts: ClientParts) => Promise<void>;
  /** Before the router reads the address; what is drawn above the pages. */
  readonly begin: (parts: ClientParts) => Promise<ReactNode>;
}

export async function startConsole(mode: ConsoleMode, entry: ConsoleEntry): Promise<void> {
  const { isEmbedded = false } = entry;
  startTheme();
  takeLinkSecrets(window);
  // A framed page keeps nothing, and has nothing to do with what this browser shows elsewhere.
  if (isEmbedded) forgetAuth(false);
  else saveState(window);
  if (mode === 'client' && !isEmbedded) resumeRemembered();
  useClientState.setState(({ environment }) => ({
    browserId: browserId(),
    environment: { ...environment, currentVersion: BUILD_VERSION },
  }));
  const queryClient = newQueryClient();
  // Calls end sessions and sessions make calls: the knot is tied here.
  let session: Session | null = null;
  let sawAnswer: (event: number) => void = () => undefined;
  const caller = buildCaller(
    (token) => session?.endSoon(token),
    (event) => sawAnswer(event),
  );
  const isOfAccount = (): boolean => !isEmbedded && saasToken() === '';
  const link = linkSessions({
    channel: new BroadcastChannel('vedette.session') as unknown as SessionBroadcastChannel,
    clock: systemClock,
    read: () => signedInOf(useAuth.getState()),
    // A page of an app has nothing to do with the account's own session (OA-03).
    onSession: (signedIn) => isOfAccount() && session?.adopt(signedIn),
    onSignedOut: () => isOfAccount() && session?.signedOutElsewhere(),
  });
  shareDrags({
    channel: new BroadcastChannel('vedette.drag') as unknown as DragChannel,
    userId: () => useAuth.getState().userId,
  });
  const forgetData = (): void => {
    queryClient.clear();
    forgetStatus();
    forgetAlarms();
    forgetAlarmWindows();
    forgetReceived();
  };
  let goToLogin: (hasEnded: boolean) => void = () => undefined;
  let goToTrustLogin: () => void = () => undefined;
  session = createSession({
    caller,
    clock: systemClock,
    link,
    tellShell: (status) => sendToShell('account/status', { status }),
    reloadConfig: loadServerConfig,
    goToLogin: (hasEnded) => goToLogin(hasEnded),
    goToTrustLogin: () => goToTrustLogin(),
    forgetData,
  });
  const config = loadServerConfig().catch((failure: unknown) => console.warn('server config not read', failure));
  const made = Promise.withResolvers<ReturnType<typeof createRouter>>();
  const parts: ClientParts = {
    caller,
    callerWith,
    session,
    clock: systemClock,
    queryClient,
    forgetData,
    config,
    router: made.promise,
  };
  const isConnected = entry.connect?.(parts);
  const hasPhrases = showLanguage(preferredLanguage());
  if (hasSession()) {
    fetchPage(mode, window.location);
    // Where the calls go to stands in the configuration.
    void config.then(() => askForPage(mode, window.location, { caller, queryClient }));
  }
  if (!hasSession() && isOfAccount()) await link.ask(TAKE_OVER_MS);
  const above = await entry.begin(parts);
  await Promise.all([config, hasPhrases, isConnected]);
  const realtime = buildRealtime(queryClient, () => session?.endSoon(useAuth.getState().accessToken));
  sawAnswer = (event) => realtime.sawAnswer(event);
  followSession(realtime);
  const router = isEmbedded ? createEmbeddedRouter() : createRouter(mode);
  made.resolve(router);
  goToLogin = (hasEnded) => {
    const { pathname, search } = router.state.location;
    // A wall in a window of its own comes back with whoever signs in next; elsewhere who signs out is done.
    const comesBack = hasEnded ? pathname.startsWith(PATHS.homepage) : pathname.startsWith(PATHS.liveWindow);
    const from = comesBack ? `?${new URLSearchParams({ from: pathname + searchAtMoment(search) })}` : '';
    void router.navigate(`${PATHS.login}${from}`);
  };
  goToTrustLogin = () => void router.navigate(isEmbedded ? PATHS.login : PATHS.trustLogin);
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  createRoot(root).render(
    <StrictMode>
      <ConsoleRoot services={{ mode, caller, session, clock: systemClock }} queryClient={queryClient} router={router}>
        {above}
      </ConsoleRoot>
    </StrictMode>,
  );
}
