// Composes the event socket: its messages go to the stores, and it lives as long as the session.
import type { QueryClient } from '@tanstack/react-query';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { randomFraction } from '../browser/random.ts';
import { forgetAlarms } from '../realtime/alarm-store.ts';
import { forgetAlarmWindows } from '../realtime/alarm-window-store.ts';
import { useConnection } from '../realtime/connection-store.ts';
import { fetchResourcesAgain, pushToCache } from '../realtime/push-to-cache.ts';
import { type EventSocket, RealtimeClient } from '@vedette/sdk/client/realtime-client.ts';
import { forgetStatus } from '../realtime/status-store.ts';
import { hasSession, signedInOf, useAuth } from '../session/auth-store.ts';

function eventSocket(): EventSocket {
  const { protocol, host } = window.location;
  return new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`) as unknown as EventSocket;
}

export function buildRealtime(queryClient: QueryClient, onEnd: () => void): RealtimeClient {
  const realtime = new RealtimeClient({
    open: eventSocket,
    clock: systemClock,
    random: randomFraction,
    token: () => signedInOf(useAuth.getState())?.accessToken ?? null,
    onState: (state) => useConnection.setState({ state }),
    onMessage: (lastMessageAt) => useConnection.setState({ lastMessageAt }),
    onEvent: (event) => void pushToCache(queryClient, event),
    onReset: () => {
      forgetStatus();
      forgetAlarms();
      forgetAlarmWindows();
      void fetchResourcesAgain(queryClient);
    },
    onEnd,
  });
  useConnection.setState({ check: () => realtime.check() });
  return realtime;
}

/** The event socket lives exactly as long as the session. */
export function followSession(realtime: RealtimeClient): void {
  const follow = (isSignedIn: boolean): void => (isSignedIn ? realtime.start() : realtime.stop());
  follow(hasSession());
  useAuth.subscribe((auth, before) => {
    const isSignedIn = auth.accessToken !== '';
    if (isSignedIn !== (before.accessToken !== '')) follow(isSignedIn);
  });
  window.addEventListener('online', () => realtime.retryNow());
}
