// One WebSocket to /media/live per page: many subscriptions, reconnecting with jitter, and the offset to the site's clock.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import { LIVE_ID_MAX, type LiveNotice, type LiveRequest } from '@vedette/contract/media-wire.ts';
import { type LiveMedia, readLiveMedia, readLiveNotice } from './live-message.ts';
import type { PlayerClock } from '../core/player-clock.ts';

export type ConnectionState = 'idle' | 'connecting' | 'open' | 'waiting';

/** The part of WebSocket that is used. */
export interface LiveSocket {
  binaryType: BinaryType;
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

export interface LiveConnectionOptions {
  /** Address of /media/live, ws or wss. */
  readonly url: string;
  readonly clock: PlayerClock;
  readonly openSocket: (url: string) => LiveSocket;
}

export type TileNotice = Exclude<LiveNotice, { type: 'pong' }>;

export interface SubscriptionOptions {
  readonly ticket: string;
  readonly audio: boolean;
  readonly onNotice: (notice: TileNotice) => void;
  readonly onMedia: (media: LiveMedia) => void;
  /** The socket went away and the ticket with it; called at most once, and never after `close`. */
  readonly onLost: () => void;
}

export interface LiveSubscription {
  /** Sound on or off, while the picture goes on. */
  listen(audio: boolean): void;
  /** What edge intelligence follows on the channel, on or off; the engine forgets it before its first `format`. */
  follow(tracks: boolean): void;
  pause(): void;
  resume(): void;
  close(): void;
}

const PING_EVERY_MS = 5000;
/** Silence of the whole socket after which it is taken for dead. */
const DEAD_AFTER_MS = 12_000;
const IDLE_CLOSE_MS = 10_000;
const RECONNECT = { firstMs: 400, maxMs: 10_000, jitter: 0.5 };
/** A socket that never stood after so many tries is held back by something on the way. */
const BLOCKED_AFTER = 3;

export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  readonly #subscriptions = new Map<number, SubscriptionOptions>();
  readonly #listeners = new Set<() => void>();
  readonly #waiters = new Set<() => void>();
  #state: ConnectionState = 'idle';
  #socket: LiveSocket | null = null;
  #pending: LiveRequest[] = [];
  #nextId = 1;
  #attempt = 0;
  #hasStood = false;
  #heardAt = 0;
  #bestRoundTrip = Number.POSITIVE_INFINITY;
  #clockOffsetMs: number | null = null;
  #cancelTimer: (() => void) | null = null;
  #cancelIdle: (() => void) | null = null;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Several tries of this page failed and none succeeded. */
  get isBlocked(): boolean {
    return !this.#hasStood && this.#attempt >= BLOCKED_AFTER;
  }

  /** What to add to this page's clock to get the site's, ms; null before the first answer. */
  get clockOffsetMs(): number | null {
    return this.#clockOffsetMs;
  }

  /** Told of every change of `state`. */
  onState(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once the socket stands, dialling if need be; rejects with the signal's reason. */
  async whenOpen(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#state === 'open') return;
    this.#stayOpen();
    if (this.#state === 'idle') this.#connect();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(enter);
        this.#closeWhenIdle();
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiters.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Uses one ticket. Sent at once, or as soon as the socket stands. */
  subscribe(options: SubscriptionOptions): LiveSubscription {
    const id = this.#freeId();
    this.#subscriptions.set(id, options);
    this.#stayOpen();
    this.#send({ type: 'subscribe', id, ticket: options.ticket, audio: options.audio });
    if (this.#state === 'idle') this.#connect();
    return {
      listen: (audio) => this.#sendFor(id, options, { type: 'listen', id, audio }),
      follow: (tracks) => this.#sendFor(id, options, { type: 'follow', id, tracks }),
      pause: () => this.#sendFor(id, options, { type: 'pause', id }),
      resume: () => this.#sendFor(id, options, { type: 'resume', id }),
      close: () => {
        this.#sendFor(id, options, { type: 'unsubscribe', id });
        if (this.#subscriptions.get(id) === options) this.#subscriptions.delete(id);
        this.#closeWhenIdle();
      },
    };
  }

  /** The network is back, or the page is looked at again: try now instead of waiting. */
  retryNow(): void {
    if (this.#state !== 'waiting') return;
    this.#cancelTimer?.();
    this.#connect();
  }

  /** Gives up what waits in the socket, and dials again at once. */
  restart(): void {
    if (this.#state !== 'open') return;
    this.#cancelTimer?.();
    this.#dropSocket();
    this.#connect();
    this.#loseAll();
  }

  /** Lets go of everything; a later use dials again. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelIdle?.();
    this.#dropSocket();
    this.#setState('idle');
    this.#loseAll();
  }

  #connect(): void {
    this.#setState('connecting');
    const socket = this.#options.openSocket(this.#options.url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#heardAt = this.#options.clock.wallMs();
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.#heard(event.data);
    socket.onclose = () => this.#lost(socket);
    this.#watch(socket);
  }

  #opened(socket: LiveSocket): void {
    this.#attempt = 0;
    this.#hasStood = true;
    this.#setState('open');
    this.#ping();
    const pending = this.#pending;
    this.#pending = [];
    for (const request of pending) socket.send(JSON.stringify(request));
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const enter of waiters) enter();
    this.#closeWhenIdle();
  }

  #heard(data: string | ArrayBuffer): void {
    this.#heardAt = this.#options.clock.wallMs();
    if (typeof data !== 'string') {
      const media = readLiveMedia(data);
      if (media) this.#subscriptions.get(media.id)?.onMedia(media);
      return;
    }
    const notice = readLiveNotice(data);
    if (!notice) return;
    if (notice.type === 'pong') return this.#measureOffset(notice.at, notice.now);
    const subscription = this.#subscriptions.get(notice.id);
    if (notice.type === 'end') this.#subscriptions.delete(notice.id);
    subscription?.onNotice(notice);
    this.#closeWhenIdle();
  }

  /** The answer with the shortest round trip is the most exact one. */
  #measureOffset(sentAt: number, siteNow: number): void {
    const now = this.#options.clock.wallMs();
    const roundTrip = now - sentAt;
    // Grows slowly, so that a later change of either clock is seen.
    this.#bestRoundTrip = this.#bestRoundTrip * 1.1 + 0.1;
    if (roundTrip > this.#bestRoundTrip) return;
    this.#bestRoundTrip = roundTrip;
    this.#clockOffsetMs = siteNow - (sentAt + roundTrip / 2);
  }

  /** Pings, and gives up a socket that has gone silent; runs as long as the socket lives. */
  #watch(socket: LiveSocket): void {
    this.#cancelTimer = this.#options.clock.after(PING_EVERY_MS, () => {
      if (this.#socket !== socket) return;
      if (this.#options.clock.wallMs() - this.#heardAt > DEAD_AFTER_MS) return this.#lost(socket);
      if (this.#state === 'open') this.#ping();
      this.#watch(socket);
    });
  }

  #ping(): void {
    this.#socket?.send(JSON.stringify({ type: 'ping', at: this.#options.clock.wallMs() } satisfies LiveRequest));
  }

  #lost(socket: LiveSocket): void {
    if (this.#socket !== socket) return;
    this.#dropSocket();
    this.#cancelTimer?.();
    const { clock } = this.#options;
    const delay = backoffDelayMs(this.#attempt++, clock.random(), RECONNECT);
    this.#setState('waiting');
    this.#cancelTimer = clock.after(delay, () => {
      if (this.#subscriptions.size + this.#waiters.size > 0) this.#connect();
      else this.#setState('idle');
    });
    this.#loseAll();
  }

  #loseAll(): void {
    const lost = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    this.#pending = [];
    for (const subscription of lost) subscription.onLost();
  }

  #dropSocket(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #stayOpen(): void {
    this.#cancelIdle?.();
    this.#cancelIdle = null;
  }

  /** Whoever waits for the socket is about to subscribe. */
  #closeWhenIdle(): void {
    if (this.#subscriptions.size + this.#waiters.size > 0 || this.#cancelIdle) return;
    this.#cancelIdle = this.#options.clock.after(IDLE_CLOSE_MS, () => {
      this.#cancelIdle = null;
      this.#cancelTimer?.();
      this.#dropSocket();
      this.#pending = [];
      this.#setState('idle');
    });
  }

  #sendFor(id: number, owner: SubscriptionOptions, request: LiveRequest): void {
    if (this.#subscriptions.get(id) === owner) this.#send(request);
  }

  #send(request: LiveRequest): void {
    if (this.#state === 'open') this.#socket?.send(JSON.stringify(request));
    else this.#pending.push(request);
  }

  #freeId(): number {
    while (this.#subscriptions.has(this.#nextId)) this.#nextId = (this.#nextId % LIVE_ID_MAX) + 1;
    const id = this.#nextId;
    this.#nextId = (this.#nextId % LIVE_ID_MAX) + 1;
    return id;
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
