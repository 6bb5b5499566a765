// Joins the tabs of one origin into one session: a new tab asks the others for it, signing out is told to all.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export type SessionMessage =
  | { readonly type: 'ask' }
  | { readonly type: 'session'; readonly session: SignedIn }
  | { readonly type: 'signedOut' };

/** The part of BroadcastChannel that is used. */
export interface SessionBroadcastChannel {
  postMessage(message: SessionMessage): void;
  onmessage: ((event: MessageEvent<SessionMessage>) => void) | null;
}

export interface SessionLinkOptions {
  readonly channel: SessionBroadcastChannel;
  readonly clock: Clock;
  /** The session of this tab, or null. */
  readonly read: () => SignedIn | null;
  readonly onSession: (session: SignedIn) => void;
  readonly onSignedOut: () => void;
}

export interface SessionLink {
  /** True when another tab gave its session in time. */
  ask(waitMs: number): Promise<boolean>;
  tellSession(session: SignedIn): void;
  tellSignedOut(): void;
}

export function linkSessions(options: SessionLinkOptions): SessionLink {
  const { channel, clock, read, onSession, onSignedOut } = options;
  let answered: ((isGiven: boolean) => void) | null = null;
  channel.onmessage = ({ data }) => {
    if (data.type === 'ask') {
      const session = read();
      if (session !== null) channel.postMessage({ type: 'session', session });
    } else if (data.type === 'session') {
      // A tab that has its own session keeps it.
      if (read() === null) onSession(data.session);
      answered?.(true);
    } else if (read() !== null) onSignedOut();
  };
  return {
    ask: (waitMs) =>
      new Promise((resolve) => {
        const cancel = clock.after(waitMs, () => answered?.(false));
        answered = (isGiven) => {
          answered = null;
          cancel();
          resolve(isGiven);
        };
        channel.postMessage({ type: 'ask' });
      }),
    tellSession: (session) => channel.postMessage({ type: 'session', session }),
    tellSignedOut: () => channel.postMessage({ type: 'signedOut' }),
  };
}
