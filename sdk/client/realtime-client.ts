// The event socket of /ws: hello with the token, resume by sequence number, reconnect with jitter.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { PageMessage, PushEvent, PushMessage } from '@vedette/contract/calls/page-events.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { ConnectionState } from './connection-state.ts';

/** The part of WebSocket that is used. */
export interface EventSocket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface RealtimeOptions {
  readonly open: () => EventSocket;
  readonly clock: Clock;
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly token: () => string | null;
  readonly onState: (state: ConnectionState) => void;
  readonly onMessage: (at: number) => void;
  readonly onEvent: (event: PushEvent) => void;
  /** Too much was missed: everything is to be fetched again. */
  readonly onReset: () => void;
  readonly onEnd: (code: number) => void;
}

export const PING_MS = 5000;
/** Without any message for so long the connection is taken for dead. */
export const SILENCE_MS = 15_000;
/** So long a check waits for any message. */
export const CHECK_MS = 3000;
/** Half of each delay is left to chance: all pages lose a server in the same instant. */
export const RECONNECT_BACKOFF = { firstMs: 500, maxMs: 15_000, jitter: 0.5 } as const;

export class RealtimeClient {
  readonly #options: RealtimeOptions;
  #socket: EventSocket | null = null;
  /** A socket that is still opening takes no message. */
  #isOpen = false;
  #isChecking = false;
  #isWanted = false;
  #attempt = 0;
  /** Number of the last event seen; null before the first welcome. */
  #lastSeq: number | null = null;
  /** Number that the answers to calls may be as old as; null before the first of them. */
  #oldestAnswer: number | null = null;
  /** What came after this number was heard; null before the first welcome. */
  #heardAfter: number | null = null;
  /** With the last hello. */
  #tokenSaid: string | null = null;
  #lastMessageAt = 0;
  #cancelTimer: () => void = () => undefined;

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#attempt = 0;
    this.#options.onState('connecting');
    this.#connect();
  }

  stop(): void {
    this.#isWanted = false;
    this.#lastSeq = null;
    this.#oldestAnswer = null;
    this.#heardAfter = null;
    this.#drop();
    this.#options.onState('idle');
  }

  /** A call was answered with what was known at that event, or later. What came between it and the first welcome would be missed. */
  sawAnswer(seq: number): void {
    this.#oldestAnswer = Math.min(this.#oldestAnswer ?? seq, seq);
    if (this.#heardAfter === null || seq >= this.#heardAfter) return;
    this.#heardAfter = seq;
    this.#options.onReset();
  }

  /** Tries at once, for example when the browser is online again. */
  retryNow(): void {
    if (!this.#isWanted || this.#socket !== null) return;
    this.#cancelTimer();
    this.#attempt = 0;
    this.#connect();
  }

  /** Finds out soon whether the server still answers: somebody has a reason to doubt it. */
  check(): void {
    if (!this.#isOpen || this.#isChecking) return;
    this.#isChecking = true;
    this.#cancelTimer();
    const { clock } = this.#options;
    const askedAt = clock.wallMs();
    this.#say({ type: 'ping' });
    this.#cancelTimer = clock.after(CHECK_MS, () => {
      this.#isChecking = false;
      if (this.#lastMessageAt < askedAt) return this.#retryLater();
      this.#watch();
    });
  }

  #connect(): void {
    const token = this.#options.token();
    if (!this.#isWanted || token === null) return;
    this.#tokenSaid = token;
    const socket = this.#options.open();
    this.#socket = socket;
    this.#lastMessageAt = this.#options.clock.wallMs();
    socket.onopen = () => {
      this.#isOpen = true;
      this.#lastSeq ??= this.#oldestAnswer;
      const since = this.#lastSeq === null ? {} : { since: this.#lastSeq };
      this.#say({ type: 'hello', accessToken: token, ...since });
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#take(JSON.parse(data) as PushMessage);
    };
    socket.onclose = () => this.#retryLater();
    this.#watch();
  }

  #say(message: PageMessage): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /** Pings, and takes a long silence for a dead connection. */
  #watch(): void {
    const { clock } = this.#options;
    this.#cancelTimer = clock.after(PING_MS, () => {
      if (clock.wallMs() - this.#lastMessageAt > SILENCE_MS) return this.#retryLater();
      this.#say({ type: 'ping' });
      this.#watch();
    });
  }

  #drop(): void {
    this.#cancelTimer();
    this.#isOpen = false;
    this.#isChecking = false;
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #retryLater(): void {
    this.#drop();
    if (!this.#isWanted) return;
    const { clock, random, onState } = this.#options;
    onState('reconnecting');
    this.#cancelTimer = clock.after(backoffDelayMs(this.#attempt, random(), RECONNECT_BACKOFF), () => this.#connect());
    this.#attempt += 1;
  }

  /** Apps refresh theirs: what comes meanwhile is not missed. */
  #hasNextToken(): boolean {
    const token = this.#options.token();
    return token !== null && token !== this.#tokenSaid;
  }

  #welcomed(seq: number): void {
    this.#lastSeq ??= seq;
    this.#options.onState('online');
    if (this.#heardAfter !== null) return;
    this.#heardAfter = this.#lastSeq;
    if (this.#oldestAnswer !== null) this.sawAnswer(this.#oldestAnswer);
  }

  #take(message: PushMessage): void {
    this.#lastMessageAt = this.#options.clock.wallMs();
    this.#options.onMessage(this.#lastMessageAt);
    switch (message.type) {
      case 'welcome':
        this.#attempt = 0;
        return this.#welcomed(message.seq);
      case 'event':
        // A resumed connection may repeat what was seen already.
        if (this.#lastSeq !== null && message.seq <= this.#lastSeq) return;
        this.#lastSeq = message.seq;
        return this.#options.onEvent(message.event);
      case 'reset':
        this.#lastSeq = message.seq;
        return this.#options.onReset();
      case 'end':
        if (message.code === ERROR_CODES.tokenExpired && this.#hasNextToken()) return this.#retryLater();
        this.#isWanted = false;
        this.#drop();
        this.#options.onState('idle');
        return this.#options.onEnd(message.code);
      case 'pong':
        return;
    }
  }
}
