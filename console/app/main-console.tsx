// Builds the console's long-lived parts for one mode and starts it; the entry files only choose the mode.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BAD_PAYLOAD, listenToShell, SUCCEED, sendToShell } from '../bridge/shell-port.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { type Caller, type CallerOptions, createCaller } from '../calls/caller.ts';
import { codeText } from '../calls/failure-text.ts';
import { createSaasCaller } from '../calls/saas-caller.ts';
import { browserTransport } from '../calls/transport.ts';
import { currentTranslate, preferredLanguage, showLanguage } from '../language/language-store.ts';
import { PATHS } from '../navigation/paths.ts';
import { askStepUp } from '../features/step-up/step-up-store.ts';
import { sayUploadDone } from '../features/upload/upload-done.tsx';
import { forgetAlarms } from '../realtime/alarm-store.ts';
import { forgetAlarmWindows } from '../realtime/alarm-window-store.ts';
import { forgetReceived } from '../realtime/received-shares.ts';
import { forgetStatus } from '../realtime/status-store.ts';
import type { ConsoleMode } from '../services/services.ts';
import { accountStatus, hasSession, signedInOf, useAuth } from '../session/auth-store.ts';
import { browserId } from '../session/browser-id.ts';
import { useClientState } from '../session/client-state.ts';
import { resumeRemembered } from '../session/remembered-sign-in.ts';
import { saasToken } from '../session/saas-values.ts';
import { createSession, type Session } from '../session/session.ts';
import { linkSessions, type SessionBroadcastChannel } from '../session/session-link.ts';
import { takeLinkSecrets } from '../session/link-secrets.ts';
import { saveState } from '../session/state-storage.ts';
import { type DragChannel, shareDrags } from '../ui/own-drag.ts';
import { startTheme } from '../ui/theme/theme-choice.ts';
import { ERROR_TOAST_MS, showToast } from '../ui/feedback/toast-store.ts';
import { BUILD_VERSION } from './build-version.ts';
import { ConsoleRoot } from './console-root.tsx';
import { buildRealtime, followSession } from './build-realtime.ts';
import { askForPage, createRouter, fetchPage } from './routes.tsx';
import { newQueryClient } from './query-client.ts';
import { loadServerConfig } from './server-config.ts';

/** Base of the calls where the server's configuration names none. */
const OWN_CALLS = '/api/v1';
/** How long a new tab waits for another tab's session. */
const TAKE_OVER_MS = 150;

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

function buildCaller(endSoon: (token: string) => void, onEventNumber: (event: number) => void): Caller {
  const given: Omit<CallerOptions, 'token'> = {
    onEventNumber,
    transport: browserTransport,
    baseUrl: () => withoutEndSlashes(useClientState.getState().environment.apiURL) || OWN_CALLS,
    onError: (code, message, data) =>
      showToast('error', codeText(currentTranslate(), code, message, data), ERROR_TOAST_MS),
    onSuccess: (isUpload) => (isUpload ? sayUploadDone() : showToast('success', currentTranslate()('common.success'))),
    onSessionEnd: (_code, token) => endSoon(token),
    onStepUp: askStepUp,
  };
  if (saasToken() !== '') return createSaasCaller({ ...given, saasToken });
  return createCaller({ ...given, token: () => signedInOf(useAuth.getState())?.accessToken ?? null });
}

export async function startConsole(mode: ConsoleMode): Promise<void> {
  startTheme();
  takeLinkSecrets(window);
  saveState(window);
  if (mode === 'client') resumeRemembered();
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
  const link = linkSessions({
    channel: new BroadcastChannel('vedette.session') as unknown as SessionBroadcastChannel,
    clock: systemClock,
    read: () => signedInOf(useAuth.getState()),
    onSession: (signedIn) => session?.adopt(signedIn),
    onSignedOut: () => session?.signedOutElsewhere(),
  });
  shareDrags({
    channel: new BroadcastChannel('vedette.drag') as unknown as DragChannel,
    userId: () => useAuth.getState().userId,
  });
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
    forgetData: () => {
      queryClient.clear();
      forgetStatus();
      forgetAlarms();
      forgetAlarmWindows();
      forgetReceived();
    },
  });
  const life = session;
  // A page in a browser obeys nobody.
  if (mode === 'client') {
    listenToShell({
      'account/operate': ({ status }) => {
        if (status !== 0 && status !== 1) return BAD_PAYLOAD;
        void life.operate(status);
        return SUCCEED;
      },
    });
    sendToShell('account/status', { status: accountStatus() });
  }
  const config = loadServerConfig().catch((failure: unknown) => console.warn('server config not read', failure));
  const hasPhrases = showLanguage(preferredLanguage());
  if (hasSession()) {
    fetchPage(mode, window.location);
    // Where the calls go to stands in the configuration.
    void config.then(() => askForPage(mode, window.location, { caller, queryClient }));
  }
  if (!hasSession()) await link.ask(TAKE_OVER_MS);
  await Promise.all([config, hasPhrases]);
  const realtime = buildRealtime(queryClient, () => session?.endSoon(useAuth.getState().accessToken));
  sawAnswer = (event) => realtime.sawAnswer(event);
  followSession(realtime);
  const router = createRouter(mode);
  goToLogin = (hasEnded) => {
    const { pathname, search } = router.state.location;
    // A wall in a window of its own comes back with whoever signs in next; elsewhere who signs out is done.
    const comesBack = hasEnded ? pathname.startsWith(PATHS.homepage) : pathname.startsWith(PATHS.liveWindow);
    const from = comesBack ? `?${new URLSearchParams({ from: pathname + search })}` : '';
    void router.navigate(`${PATHS.login}${from}`);
  };
  goToTrustLogin = () => void router.navigate(PATHS.trustLogin);
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  createRoot(root).render(
    <StrictMode>
      <ConsoleRoot services={{ mode, caller, session, clock: systemClock }} queryClient={queryClient} router={router} />
    </StrictMode>,
  );
}
