// What edge intelligence follows, for viewers by HLS: kept for some seconds under each media session, since they ask for it and their frames are seconds old.
import type { HlsTracks, LiveTracks } from '@vedette/contract/media-wire.ts';
import type { PlaybackGrant } from './playback-grant.ts';

interface FollowedSession {
  frames: readonly LiveTracks[];
  askedMs: number;
  readonly stop: () => void;
}

/** No frame on screen is older. */
const KEPT_MS = 30_000;
/** Whoever does not ask for so long has turned them off. */
const IDLE_MS = 10_000;

export class LiveHlsTracks {
  readonly #monotonicMs: () => number;
  readonly #sessions = new Map<string, FollowedSession>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Those captured after `afterMs`; followed from the first question on. */
  after(grant: Pick<PlaybackGrant, 'sessionId' | 'ended' | 'followTracks'>, afterMs: number): HlsTracks {
    const session = this.#sessions.get(grant.sessionId) ?? this.#follow(grant);
    session.askedMs = this.#monotonicMs();
    return { frames: session.frames.filter(({ at }) => at > afterMs) };
  }

  close(): void {
    for (const sessionId of this.#sessions.keys()) this.#end(sessionId);
  }

  #follow({ sessionId, ended, followTracks }: Parameters<LiveHlsTracks['after']>[0]): FollowedSession {
    const onEnded = (): void => this.#end(sessionId);
    let unfollow = (): void => undefined;
    const session: FollowedSession = {
      frames: [],
      askedMs: this.#monotonicMs(),
      stop: () => {
        ended.removeEventListener('abort', onEnded);
        unfollow();
      },
    };
    this.#sessions.set(sessionId, session);
    ended.addEventListener('abort', onEnded, { once: true });
    unfollow = followTracks?.((tracks) => this.#keep(sessionId, session, tracks)) ?? unfollow;
    return session;
  }

  #keep(sessionId: string, session: FollowedSession, tracks: LiveTracks): void {
    if (this.#monotonicMs() - session.askedMs > IDLE_MS) return this.#end(sessionId);
    const isBack = tracks.at <= (session.frames.at(-1)?.at ?? tracks.at - 1);
    const kept = isBack ? [] : session.frames.filter(({ at }) => at > tracks.at - KEPT_MS);
    session.frames = [...kept, tracks];
  }

  #end(sessionId: string): void {
    this.#sessions.get(sessionId)?.stop();
    this.#sessions.delete(sessionId);
  }
}
