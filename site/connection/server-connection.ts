// Connection to the server: reconnects for ever, authenticates, sends events until acknowledged, answers calls.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import {
  SITE_PROTOCOL_VERSION,
  type SiteCallName,
  type SiteEvent,
  type SiteToServer,
} from '@vedette/contract/site/site.ts';
import { type RemoteSiteHello, SITE_CLOSE } from '@vedette/contract/remote-site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RawData, WebSocket } from 'ws';
import type { EventSpool } from '../state/event-spool.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import { readServerMessage } from './server-message.ts';

export interface CallAnswer {
  readonly code: number;
  readonly data: unknown;
}

export interface ServerConnectionLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Transport to the server: a unix socket, or TLS to another machine. */
export interface ServerTransport {
  readonly dial: (maxPayload: number) => WebSocket;
  readonly hello: () => { readonly siteId: string; readonly secret: string } & RemoteSiteHello;
  readonly retryMaxMs: number;
  /** Only hello is sent before the server has answered it. */
  readonly waitsForAnswer: boolean;
  /** The server accepted the site and sent its first message. */
  readonly onAccepted: () => void;
  /** The server does not accept the site (any more). */
  readonly onRefused: () => void;
}

export interface ServerConnectionOptions {
  readonly transport: ServerTransport;
  /** Null if RTSP clients are not served. */
  readonly rtspPort: () => number | null;
  readonly canTranscode: boolean;
  readonly clock: Clock;
  readonly spool: EventSpool;
  /** Must not reject. */
  readonly answer: (name: SiteCallName, input: unknown) => Promise<CallAnswer>;
  /** Connection lost: nobody can stop a PTZ move any more. */
  readonly onLost: () => void;
  readonly log: ServerConnectionLog;
}

const RETRY_FIRST_MS = 200;
const PING_EVERY_MS = 5000;
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;

export class ServerConnection {
  readonly #options: ServerConnectionOptions;
  #socket: WebSocket | null = null;
  #retries = 0;
  #cancelTimer: () => void = () => undefined;
  #isClosed = false;
  #isHeard = true;
  /** Authenticated: events may be sent. */
  #isAccepted = false;
  #failures = 0;
  readonly #leaveSpool: () => void;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    this.#leaveSpool = options.spool.onKept(({ seq, event }) => this.#sendEvent(seq, event));
  }

  start(): void {
    if (this.#isClosed) return;
    const { transport, log } = this.#options;
    const socket = transport.dial(MESSAGE_MAX_BYTES);
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data: RawData) => this.#received(data));
    socket.on('pong', () => {
      this.#isHeard = true;
    });
    socket.on('error', (error) => {
      // A server that is starting or down is common: logged once, not at every attempt.
      if (this.#failures === 0) log.warn({ err: error }, 'the server cannot be reached');
      this.#failures += 1;
    });
    socket.on('close', (code) => this.#closed(code));
  }

  /** Dropped while disconnected. */
  tell(message: Extract<SiteToServer, { type: 'direct' }>): void {
    if (this.#isAccepted) this.#send(message);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#leaveSpool();
    this.#socket?.close(1001);
  }

  #opened(): void {
    const { transport, canTranscode, log } = this.#options;
    const rtspPort = this.#options.rtspPort();
    log.info({ failures: this.#failures }, 'connected to the server');
    this.#failures = 0;
    this.#send({
      type: 'hello',
      protocol: SITE_PROTOCOL_VERSION,
      ...transport.hello(),
      ...(rtspPort !== null && { rtspPort }),
      canTranscode,
    });
    if (!transport.waitsForAnswer) this.#accepted();
    this.#isHeard = true;
    this.#ping();
  }

  #accepted(): void {
    this.#isAccepted = true;
    this.#retries = 0;
    this.#options.transport.onAccepted();
    for (const { seq, event } of this.#options.spool.pending()) this.#sendEvent(seq, event);
  }

  #closed(code: number): void {
    const { transport, clock, onLost } = this.#options;
    this.#cancelTimer();
    this.#isAccepted = false;
    onLost();
    if (this.#isClosed) return;
    if (code === SITE_CLOSE.refused) transport.onRefused();
    // Jitter: many sites that lost the same server do not reconnect at once.
    const range = { firstMs: RETRY_FIRST_MS, maxMs: transport.retryMaxMs, jitter: transport.waitsForAnswer ? 0.5 : 0 };
    const delay = backoffDelayMs(this.#retries, randomFraction(), range);
    this.#retries += 1;
    this.#cancelTimer = clock.after(delay, () => this.start());
  }

  /** A frozen peer keeps its socket open for minutes. */
  #ping(): void {
    this.#cancelTimer = this.#options.clock.after(PING_EVERY_MS, () => {
      if (!this.#isHeard) {
        this.#socket?.terminate();
        return;
      }
      this.#isHeard = false;
      this.#socket?.ping();
      this.#ping();
    });
  }

  #received(data: RawData): void {
    const message = readServerMessage(String(data));
    if (!message) {
      this.#options.log.warn({}, 'the server sent something that is no message');
      this.#socket?.close(1007);
      return;
    }
    if (!this.#isAccepted) this.#accepted();
    if (message.type === 'ack') {
      this.#options.spool.ack(message.seq);
      return;
    }
    const { id, name, input } = message;
    const socket = this.#socket;
    void this.#options.answer(name, input).then(({ code, data: answered }) => {
      if (socket === this.#socket) this.#send({ type: 'answer', id, code, data: answered });
    });
  }

  #sendEvent(seq: number, event: SiteEvent): void {
    if (this.#isAccepted) this.#send({ type: 'event', seq, event });
  }

  #send(message: SiteToServer): void {
    const socket = this.#socket;
    if (socket?.readyState === socket?.OPEN) socket?.send(JSON.stringify(message));
  }
}
