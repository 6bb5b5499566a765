// Pool of live HLS windows in use: one per stream, shared by all media sessions that watch it.
import { LiveHls, type LiveHlsOptions } from './live-hls.ts';

interface PooledWindow {
  readonly window: LiveHls;
  readonly sessions: Set<string>;
}

export class LiveHlsPool {
  readonly #byStream = new Map<string, PooledWindow>();

  /** Held for the session until `ended` is aborted; the last session releases the stream. */
  take(sessionId: string, ended: AbortSignal, options: LiveHlsOptions): LiveHls {
    const { streamKey } = options;
    const shelved = this.#byStream.get(streamKey) ?? { window: new LiveHls(options), sessions: new Set() };
    this.#byStream.set(streamKey, shelved);
    if (!shelved.sessions.has(sessionId)) {
      shelved.sessions.add(sessionId);
      ended.addEventListener('abort', () => this.#leave(streamKey, sessionId), { once: true });
    }
    return shelved.window;
  }

  close(): void {
    for (const { window } of this.#byStream.values()) window.close();
    this.#byStream.clear();
  }

  #leave(streamKey: string, sessionId: string): void {
    const shelved = this.#byStream.get(streamKey);
    if (!shelved?.sessions.delete(sessionId) || shelved.sessions.size > 0) return;
    this.#byStream.delete(streamKey);
    shelved.window.close();
  }
}
