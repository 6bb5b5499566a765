// The connection to the server: dials its socket for ever, says who we are, sends events until acknowledged, answers calls.
import { createHmac } from 'node:crypto';
import { SITE_PROTOCOL_VERSION, type SiteCallName, type SiteEvent, type SiteToServer } from '@vedette/contract/site.ts';
import type { Clock } from '@vedette/media/clock/clock.ts';
import { type RawData, WebSocket } from 'ws';
import type { EventSpool } from './event-spool.ts';
import { readServerMessage } from './server-message.ts';

export interface CallAnswer {
  readonly code: number;
  readonly data: unknown;
}

export interface ServerLinkLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ServerLinkOptions {
  readonly serverSocketPath: string;
  readonly masterKey: Buffer;
  readonly siteId: string;
  /** Null where native clients are not served. */
  readonly rtspPort: () => number | null;
  readonly canTranscode: boolean;
  readonly clock: Clock;
  readonly spool: EventSpool;
  /** Must not reject. */
  readonly answer: (name: SiteCallName, input: unknown) => Promise<CallAnswer>;
  /** Nobody can say stop any more. */
  readonly onLost: () => void;
  readonly log: ServerLinkLog;
}

const RETRY_FIRST_MS = 200;
/** A try at the socket of this machine costs next to nothing, and people wait for the site. */
const RETRY_MAX_MS = 500;
const PING_EVERY_MS = 5000;
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;

export class ServerLink {
  readonly #options: ServerLinkOptions;
  #socket: WebSocket | null = null;
  #retryMs = RETRY_FIRST_MS;
  #cancelTimer: () => void = () => undefined;
  #isClosed = false;
  #isHeard = true;
  #failures = 0;
  readonly #leaveSpool: () => void;

  constructor(options: ServerLinkOptions) {
    this.#options = options;
    this.#leaveSpool = options.spool.onKept(({ seq, event }) => this.#sendEvent(seq, event));
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  start(): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(`ws+unix://${this.#options.serverSocketPath}:/site`, {
      perMessageDeflate: false,
      maxPayload: MESSAGE_MAX_BYTES,
      handshakeTimeout: 3000,
    });
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data: RawData) => this.#received(data));
    socket.on('pong', () => {
      this.#isHeard = true;
    });
    socket.on('error', (error) => {
      // A server that is starting or away is usual: said once, not at every try.
      if (this.#failures === 0) this.#options.log.warn({ err: error }, 'the server cannot be reached');
      this.#failures += 1;
    });
    socket.on('close', () => this.#closed());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#leaveSpool();
    this.#socket?.close(1001);
  }

  #opened(): void {
    const { masterKey, siteId, canTranscode, spool, log } = this.#options;
    const rtspPort = this.#options.rtspPort();
    log.info({ failures: this.#failures }, 'connected to the server');
    this.#failures = 0;
    this.#retryMs = RETRY_FIRST_MS;
    const text = `vedette-site/${SITE_PROTOCOL_VERSION}/${siteId}`;
    const secret = createHmac('sha256', masterKey).update(text).digest('hex');
    this.#send({
      type: 'hello',
      protocol: SITE_PROTOCOL_VERSION,
      siteId,
      secret,
      ...(rtspPort !== null && { rtspPort }),
      canTranscode,
    });
    for (const { seq, event } of spool.pending()) this.#sendEvent(seq, event);
    this.#isHeard = true;
    this.#ping();
  }

  #closed(): void {
    this.#cancelTimer();
    this.#options.onLost();
    if (this.#isClosed) return;
    const delay = this.#retryMs;
    this.#retryMs = Math.min(delay * 2, RETRY_MAX_MS);
    this.#cancelTimer = this.#options.clock.after(delay, () => this.start());
  }

  /** A peer that froze keeps its socket open for minutes. */
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
    this.#send({ type: 'event', seq, event });
  }

  #send(message: SiteToServer): void {
    if (this.isConnected) this.#socket?.send(JSON.stringify(message));
  }
}
